/**
 * How texts become parts of keys. Each part is escaped so that it can hold no separator, and so that escaped texts
 * sort as the texts do, by code point. A key too long for DynamoDB ends in the digest of the whole, so every text has
 * a key and no two share one.
 */
import { createHash } from "node:crypto";

/** The longest partition key DynamoDB takes. */
export const PARTITION_BYTES = 2_048;

/** Characters up to `%` become `%XX`, which sorts below all others; half a surrogate pair has no UTF-8 of its own. */
export function escaped(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be escaped
    /[\u0000-%]|\p{Cs}/gu,
    (char) => {
      const code = char.charCodeAt(0).toString(16).toUpperCase();
      return code.length > 2 ? `%u${code}` : `%${code.padStart(2, "0")}`;
    },
  );
}

/** A text of at most that many bytes. `%~` occurs in no escaped text, so no short key equals a shortened one. */
export function bounded(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.byteLength <= bytes) return text;
  const mark = `%~${createHash("sha256").update(whole).digest("hex")}`;
  // A character cut in half becomes U+FFFD, three bytes for at most three.
  return `${whole.subarray(0, bytes - mark.length - 3).toString()}${mark}`;
}

/** Parts as one text, told apart by `#`. */
export const joined = (...parts: string[]): string => parts.map(escaped).join("#");
