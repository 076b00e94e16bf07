import type * as z from "zod";
import { didYouMean } from "./nearest-name.ts";
import { isMapping, show } from "./shapes.ts";

/** What a value has to be, for a person who writes YAML. */
const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
  record: "a mapping",
};

/** Words that older YAML took for booleans; in YAML 1.2 they are strings. */
const FORMER_BOOLEANS: readonly unknown[] = ["yes", "no", "on", "off"];

/** The name of a value that stands under no key. */
const IT = "it";

/** How many unknown keys are compared with the allowed ones. */
const MAX_SUGGESTIONS = 8;

/**
 * The words for an issue whose schema has none of its own: the field, what was found, what is allowed, and the
 * nearest allowed name where one is close.
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return wrongType(nameOf(issue.path), KINDS[issue.expected] ?? issue.expected, issue.input);
    case "unrecognized_keys":
      return unknownKeys(issue.keys, shapeKeysOf(issue.inst), nameOf(issue.path));
    case "too_small":
      return `${nameOf(issue.path)} must be at least ${issue.minimum}, not ${show(issue.input)}`;
    default:
      return undefined;
  }
};

/** Names every unknown key, what it was probably meant to be, and the keys the mapping may have. */
export function unknownKeys(keys: readonly string[], allowed: readonly string[], within: string): string {
  const present = new Set(keys);
  const others = allowed.filter((name) => !present.has(name));
  const named = keys.map(
    (key, index) => `${JSON.stringify(key)}${index < MAX_SUGGESTIONS ? didYouMean(key, others) : ""}`,
  );
  const place = within === IT ? "" : ` in ${within}`;
  const found = `${keys.length === 1 ? "unknown key" : "unknown keys"} ${named.join(", ")}${place}`;
  return allowed.length === 0 ? found : `${found}; it may have ${allowed.join(", ")}`;
}

function wrongType(name: string, kind: string, found: unknown): string {
  if (found === undefined) return `${name} is missing; it must be ${kind}`;
  const hint =
    kind === KINDS.boolean && FORMER_BOOLEANS.includes(found)
      ? `: in YAML 1.2 ${String(found)} is a string`
      : "";
  return `${name} must be ${kind}, not ${show(found)}${hint}`;
}

/** The last key of a path with the list indices behind it, as in `evidence.0`. */
function nameOf(path: readonly PropertyKey[] | undefined): string {
  if (path === undefined || path.length === 0) return IT;
  const lastKey = path.findLastIndex((step) => typeof step === "string");
  return path.slice(Math.max(lastKey, 0)).map(String).join(".");
}

/** The keys a strict mapping may have. */
function shapeKeysOf(schema: unknown): readonly string[] {
  const definition: unknown = isZodType(schema) ? schema._zod.def : undefined;
  const shape = isMapping(definition) ? definition.shape : undefined;
  return isMapping(shape) ? Object.keys(shape) : [];
}

function isZodType(schema: unknown): schema is { readonly _zod: { readonly def: unknown } } {
  return typeof schema === "object" && schema !== null && "_zod" in schema;
}
