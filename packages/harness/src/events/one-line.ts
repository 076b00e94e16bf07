/** A text on one line: each line break, and the space around it, is one space. */
export function oneLine(text: string): string {
  return text.trim().replace(/\s*[\r\n]+\s*/gu, " ");
}
