/** The message of something thrown, whatever it is. Total: what cannot be read is said to be so. */
export function problemText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return "something was thrown that cannot be read";
  }
}
