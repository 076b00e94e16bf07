/**
 * Readers over values of unknown shape. The language's functions are total: they are asked about documents
 * no schema has accepted yet, so every look inside goes through these and sees own properties only.
 */

/** Whether the value is a mapping: an object that is neither `null` nor a list. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of an own property, or `undefined`: an inherited name such as `toString` is never found. */
export function ownValue(value: unknown, key: string): unknown {
  return isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The own entries of a mapping in their written order; none for anything else. */
export function entriesOf(value: unknown): [string, unknown][] {
  return isMapping(value) ? Object.entries(value) : [];
}

/** The value when it is a list, an empty list otherwise. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The strings of a list, in order; everything else is passed over. */
export function stringsOf(value: unknown): string[] {
  return listOf(value).filter((item): item is string => typeof item === "string");
}

/** Whether the value is a string with something other than white space in it. */
export function isNonBlank(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** A text short enough for a message. */
export function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** A value as a short phrase for a message: scalars as written (strings quoted and cut), containers by kind. */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(cut(value));
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return isMapping(value) ? "a mapping" : String(value);
}
