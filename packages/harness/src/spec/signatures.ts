import { isCalendarDate, isDateTime } from "./calendar.ts";
import { canonicalizePath } from "./canonical-path.ts";
import type { MachineSpec } from "./schema.ts";
import { SIGNATURE_TYPES, type SignatureType } from "./schema-signatures.ts";
import { isMapping, isNonBlank, listOf, ownValue, show } from "./shapes.ts";
import { triggerDeclarationsOf } from "./triggers.ts";

/** One value of a signature; without a type it takes anything. */
export interface SignatureEntry {
  readonly name: string;
  readonly type?: SignatureType;
  /** For a caller; never shown to the session's model. */
  readonly description?: string;
}

/** What a trigger asks for and answers with. */
export interface TriggerSignature {
  readonly description?: string;
  readonly requires: readonly SignatureEntry[];
  readonly returns: readonly SignatureEntry[];
}

/** The JSON kind of a value that arrived. */
export type JsonKind = "string" | "number" | "boolean" | "null" | "object" | "array";

/** A value a signature asks for that did not arrive, or arrived in another shape. */
export type SignatureValueIssue =
  | { readonly kind: "missing"; readonly name: string; readonly message: string }
  | {
      readonly kind: "invalid";
      readonly name: string;
      readonly type: SignatureType;
      readonly found: JsonKind;
      readonly message: string;
    };

/** The JSON Schema of one value. */
export interface SignaturePropertySchema {
  readonly type?: "string" | "integer" | "number" | "boolean" | "object" | "array";
  readonly format?: "date" | "date-time" | "file";
  readonly description?: string;
}

/** The JSON Schema of a signature's values together. */
export interface SignatureObjectSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, SignaturePropertySchema>>;
  readonly required: readonly string[];
}

/**
 * The entries of a declared `requires` or `returns` in one spelling, in order. Anything but a list has none;
 * an element that is neither a string nor a mapping with a string `name` is passed over, and so are an
 * unknown type and a blank description. Names are neither checked nor made unique.
 *
 * The workflow language, 4 signatures.
 */
export function normalizeSignature(list: unknown): SignatureEntry[] {
  return listOf(list).flatMap((entry): SignatureEntry[] => {
    if (typeof entry === "string") return [{ name: entry }];
    const name = ownValue(entry, "name");
    if (typeof name !== "string") return [];
    const type = ownValue(entry, "type");
    const description = ownValue(entry, "description");
    return [
      {
        name,
        ...(isSignatureType(type) && { type }),
        ...(isNonBlank(description) && { description: description.trim() }),
      },
    ];
  });
}

/** The signature of a trigger, or `undefined` where no state declares it; a later state wins. */
export function signatureForTrigger(spec: MachineSpec, id: string): TriggerSignature | undefined {
  const declared = triggerDeclarationsOf(spec).findLast((trigger) => trigger.id === id);
  if (declared === undefined) return undefined;
  const description = ownValue(declared.declaration, "description");
  return {
    ...(isNonBlank(description) && { description: description.trim() }),
    requires: normalizeSignature(ownValue(declared.declaration, "requires")),
    returns: normalizeSignature(ownValue(declared.declaration, "returns")),
  };
}

/** The JSON Schema a host can publish for a signature: a property per entry, in order, all required. */
export function signatureJsonSchema(entries: readonly SignatureEntry[]): SignatureObjectSchema {
  return {
    type: "object",
    properties: Object.fromEntries(entries.map((entry) => [entry.name, propertySchema(entry)])),
    required: [...new Set(entries.map((entry) => entry.name))],
  };
}

/**
 * What keeps a map of values from meeting a signature, in entry order; none means it does. Values are never
 * converted, and keys the signature does not name are passed over.
 */
export function signatureValueIssues(
  entries: readonly SignatureEntry[],
  values: Readonly<Record<string, unknown>>,
): SignatureValueIssue[] {
  return entries.flatMap(({ name, type }): SignatureValueIssue[] => {
    const value = ownValue(values, name);
    if (value === undefined) return [{ kind: "missing", name, message: `${name} is missing` }];
    if (type === undefined || conforms(value, type)) return [];
    const message = `${name} must be ${describeType(type)}, not ${show(value)} (${jsonKindOf(value)})`;
    return [{ kind: "invalid", name, type, found: jsonKindOf(value), message }];
  });
}

function isSignatureType(value: unknown): value is SignatureType {
  return (SIGNATURE_TYPES as readonly unknown[]).includes(value);
}

function propertySchema({ type, description }: SignatureEntry): SignaturePropertySchema {
  const shape: SignaturePropertySchema =
    type === "date" || type === "date-time" || type === "file"
      ? { type: "string", format: type }
      : type === undefined
        ? {}
        : { type };
  return description === undefined ? shape : { ...shape, description };
}

function conforms(value: unknown, type: SignatureType): boolean {
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type;
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    case "date":
      return typeof value === "string" && isCalendarDate(value);
    case "date-time":
      return typeof value === "string" && isDateTime(value);
    case "file":
      return typeof value === "string" && isPlaced(value);
    case "object":
      return isMapping(value);
    case "array":
      return Array.isArray(value);
  }
}

function isPlaced(file: string): boolean {
  const { path, escapes } = canonicalizePath(file);
  return path !== "" && !escapes;
}

function describeType(type: SignatureType): string {
  switch (type) {
    case "date":
      return "a date as YYYY-MM-DD";
    case "date-time":
      return "an RFC 3339 date-time with an offset";
    case "file":
      return "a file path inside the workspace";
    case "integer":
    case "object":
    case "array":
      return `an ${type}`;
    default:
      return `a ${type}`;
  }
}

function jsonKindOf(value: unknown): JsonKind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const kind = typeof value;
  return kind === "string" || kind === "number" || kind === "boolean" ? kind : "object";
}
