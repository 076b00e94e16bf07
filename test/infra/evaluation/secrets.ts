/** Pulumi marks a value as secret by an envelope under this key (its own constant). */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** The values themselves, wherever an envelope lies around one. */
export function withoutEnvelopes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEnvelopes);
  if (typeof value !== "object" || value === null) return value;
  if (SIGNATURE in value && "value" in value) return withoutEnvelopes(value.value);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutEnvelopes(each)]));
}
