import type { ReadResult } from "deepagents";

/**
 * The lines of a text from `offset` on (counted from 0), at most `limit`, with where they stand in the file.
 * An offset beyond the last line is an error, as with the filesystem backend; an empty file is empty content.
 */
export function lineWindow(text: string, mimeType: string, offset: number, limit: number): ReadResult {
  const first = wholeNumber(offset);
  const count = wholeNumber(limit);
  const lines = text.split("\n");
  const totalLines = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  if (totalLines === 0 && first === 0) return { content: text, mimeType };
  if (first >= totalLines) {
    return { error: `Line offset ${first} exceeds file length (${totalLines} lines)` };
  }
  if (count === 0) return { content: "", mimeType };
  const content = lines.slice(first, first + count).join("\n");
  const endLine = Math.min(first + count, totalLines);
  const window = { content, mimeType, totalLines, startLine: first + 1, endLine };
  return endLine < totalLines ? { ...window, nextOffset: endLine } : window;
}

function wholeNumber(value: number): number {
  return Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0;
}
