/** A text without the mark an editor may put before it; places are counted from behind it. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
