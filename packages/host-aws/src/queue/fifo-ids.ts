import { createHash } from "node:crypto";

/** What SQS takes as a message group or deduplication id: letters, digits and punctuation of ASCII, up to 128. */
const TAKEN_AS_IT_IS = /^[\x21-\x7e]{1,128}$/;
const HASHED = "sha256:";

/**
 * A group or deduplication id as SQS takes it: the text itself where it fits, otherwise its SHA-256. A text that
 * looks like a hash is hashed too, so that nobody can name another's.
 */
export function fifoId(text: string): string {
  if (TAKEN_AS_IT_IS.test(text) && !text.startsWith(HASHED)) return text;
  return `${HASHED}${createHash("sha256").update(text).digest("hex")}`;
}
