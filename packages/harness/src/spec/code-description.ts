/** What a script says of itself. */
export interface CodeDescription {
  readonly description: string;
}

/**
 * The description in the `/** ... *\/` block a script starts with: its gutters removed, cut at the first line
 * that starts with `@`, trimmed. `null` without such a block or with an empty one.
 */
export function parseCodeDescription(source: string): CodeDescription | null {
  if (typeof source !== "string") return null;
  const text = source
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .trimStart();
  if (!text.startsWith("/**") || text.startsWith("/**/")) return null;
  const end = text.indexOf("*/", 3);
  if (end === -1) return null;
  const lines = text
    .slice(3, end)
    .split("\n")
    .map((line) => line.replace(/^[ \t]*\*+ ?/, ""));
  const cut = lines.findIndex((line) => line.trimStart().startsWith("@"));
  const description = (cut === -1 ? lines : lines.slice(0, cut)).join("\n").trim();
  return description === "" ? null : { description };
}
