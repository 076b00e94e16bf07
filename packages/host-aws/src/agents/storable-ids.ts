/**
 * The longest id, in bytes of its UTF-8 with three for each character up to `%`, as the checkpoints' keys have it:
 * those hold 1,000, and a child's id adds its number.
 */
const LONGEST = 900;

/** Why DynamoDB and S3 can hold no keys of a session, where they cannot: what a refusal says. */
export function unstorableReason(sessionId: string): string | undefined {
  if (!sessionId.isWellFormed()) return "it holds half of a surrogate pair";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f\ufffe\uffff]/.test(sessionId)) {
    return "it holds a control character, which no key on S3 may have";
  }
  const escapes = sessionId.match(/[ -%]/g)?.length ?? 0;
  if (Buffer.byteLength(sessionId) + 2 * escapes > LONGEST) return "it is too long for the checkpoints' keys";
  return undefined;
}
