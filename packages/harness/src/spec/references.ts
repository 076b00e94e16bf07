import { isMapping, ownValue } from "./shapes.ts";
import { isVariableName, type VariableStore } from "./variables.ts";

/** One `${{name.path}}` found in a text. */
export interface VariableReference {
  /** The reference as written, braces included. */
  readonly raw: string;
  /** The first segment: the variable's name, not checked. */
  readonly name: string;
  /** The segments after the name. */
  readonly path: readonly string[];
  /** Where `raw` starts in the text, in UTF-16 units. */
  readonly index: number;
}

/** Why a reference cannot be resolved. */
export type ReferenceFailure = "malformed" | "invalid-name" | "unset" | "path-missing" | "non-scalar";

/** The value a reference names, or why it names none. */
export type ReferenceResolution =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: Exclude<ReferenceFailure, "non-scalar"> };

/** A text with every reference replaced, or the first reference that could not be. */
export type TextResolution =
  | { readonly ok: true; readonly pattern: string }
  | {
      readonly ok: false;
      readonly reason: ReferenceFailure;
      /** The reference as written. */
      readonly reference: string;
      /** A sentence for a person. */
      readonly detail: string;
    };

/** One match of the scanner: a reference, or the escape `$${{...}}` that prints one. */
interface Token {
  readonly escaped: boolean;
  readonly raw: string;
  readonly inner: string;
  readonly index: number;
}

const OPENING = "${{";

/** Whether a text holds a reference or an escaped one: whether resolving could change it. */
export function hasVariableReference(text: string): boolean {
  return !scan(text).next().done;
}

/** The references of a text, left to right, malformed ones included and escaped ones left out. */
export function parseReferences(text: string): VariableReference[] {
  if (!text.includes(OPENING)) return [];
  const found: VariableReference[] = [];
  for (const token of scan(text)) {
    if (!token.escaped) found.push(readReference(token));
  }
  return found;
}

/** What is wrong with a reference as written, before any variable is looked up. */
export function referenceError(ref: VariableReference): "malformed" | "invalid-name" | undefined {
  if (ref.name === "" || ref.path.includes("")) return "malformed";
  return isVariableName(ref.name) ? undefined : "invalid-name";
}

/**
 * Reads into a value, own properties only. A list takes an index (`0`, `12`) or one from its end (`-1`) and
 * nothing else; on a mapping every segment is a key; a scalar has no members. A miss is `undefined`.
 *
 * The workflow language, 3.3 references.
 */
export function resolvePath(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const segment of path) {
    if (Array.isArray(current)) current = elementAt(current, segment);
    else if (isMapping(current) && Object.hasOwn(current, segment)) current = current[segment];
    else return undefined;
  }
  return current;
}

/** Looks a reference up in the session's variables; the value may be of any kind. */
export function resolveReference(ref: VariableReference, store: VariableStore): ReferenceResolution {
  const error = referenceError(ref);
  if (error !== undefined) return { ok: false, reason: error };
  const held = ownValue(ownValue(store, ref.name), "value");
  if (held === undefined) return { ok: false, reason: "unset" };
  const value = resolvePath(held, ref.path);
  return value === undefined ? { ok: false, reason: "path-missing" } : { ok: true, value };
}

/**
 * Replaces every reference of a text by its value and every escape by the reference it shows, in one pass:
 * substituted text is not read again. The first failure wins and nothing partial is returned. `scalarText`
 * writes a value into the text, verbatim unless a caller has to escape it.
 */
export function resolveText(
  text: string,
  store: VariableStore,
  scalarText: (value: string | number | boolean) => string = String,
): TextResolution {
  let pattern = "";
  let end = 0;
  for (const token of scan(text)) {
    pattern += text.slice(end, token.index);
    end = token.index + token.raw.length;
    if (token.escaped) {
      pattern += token.raw.slice(1);
      continue;
    }
    const value = referenceText(readReference(token), store, scalarText);
    if (!value.ok) return value;
    pattern += value.pattern;
  }
  return { ok: true, pattern: pattern + text.slice(end) };
}

/** The text a reference stands for, as {@link resolveText} puts it into a text. */
export function referenceText(
  ref: VariableReference,
  store: VariableStore,
  scalarText: (value: string | number | boolean) => string = String,
): TextResolution {
  const resolved = resolveReference(ref, store);
  if (!resolved.ok) return failure(ref, resolved.reason);
  return isScalar(resolved.value)
    ? { ok: true, pattern: scalarText(resolved.value) }
    : failure(ref, "non-scalar");
}

/**
 * The matches of `(\$?)\$\{\{([^}]*)\}\}`, left to right. Written out because the expression takes quadratic
 * time over a text of many openings that never close, and such a text may come from the agent.
 */
function* scan(text: string): Generator<Token> {
  let from = 0;
  for (let open = text.indexOf(OPENING); open !== -1; open = text.indexOf(OPENING, from)) {
    const close = text.indexOf("}", open + 3);
    if (close === -1) return;
    if (text[close + 1] === "}") {
      const escaped = open > from && text[open - 1] === "$";
      const index = escaped ? open - 1 : open;
      yield { escaped, raw: text.slice(index, close + 2), inner: text.slice(open + 3, close), index };
      from = close + 2;
    } else {
      from = close + 1;
    }
  }
}

function readReference(token: Token): VariableReference {
  const [name = "", ...path] = token.inner.trim().split(".");
  return { raw: token.raw, name, path, index: token.index };
}

function elementAt(list: readonly unknown[], segment: string): unknown {
  if (/^(?:0|[1-9][0-9]*)$/.test(segment)) return list[Number(segment)];
  return /^-[1-9][0-9]*$/.test(segment) ? list[list.length + Number(segment)] : undefined;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function failure(ref: VariableReference, reason: ReferenceFailure): TextResolution {
  return { ok: false, reason, reference: ref.raw, detail: describeFailure(ref, reason) };
}

function describeFailure(ref: VariableReference, reason: ReferenceFailure): string {
  switch (reason) {
    case "malformed":
      return `${ref.raw} is malformed: write \${{name}} or \${{name.path}}`;
    case "invalid-name":
      return `${ref.raw} does not start with a variable name: lower-case letters, digits and underscores`;
    case "unset":
      return `${ref.raw} cannot be resolved: the variable ${ref.name} is not set`;
    case "path-missing":
      return `${ref.raw} cannot be resolved: ${ref.name} holds nothing at ${ref.path.join(".")}`;
    case "non-scalar":
      return `${ref.raw} is not a string, a number or a boolean`;
  }
}
