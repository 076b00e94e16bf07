/** Finds the numbered lists of a Markdown text, so that they can be renumbered. */

/** One item of a numbered list: its line is `before`, the number, `after`. */
export interface NumberedItem {
  /** Index of the item's line. */
  line: number;
  number: number;
  before: string;
  after: string;
}

interface OpenList {
  indent: number;
  /** `.` or `)`. */
  mark: string;
  items: NumberedItem[];
}

/**
 * The numbered lists of a text, each as its items in order. A list goes on over blank lines, indented lines and
 * nested lists; a heading, a bullet, or unindented text after a blank line ends it. Code fences hold no lists.
 *
 * @param skipped indices of lines that are read as if they were not there.
 */
export function numberedLists(lines: readonly string[], skipped: ReadonlySet<number>): NumberedItem[][] {
  const lists: OpenList[] = [];
  let open: OpenList[] = [];
  let afterBlank = false;
  let fence: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (skipped.has(index)) continue;
    const text = line.trimStart();
    const indent = line.length - text.length;
    const fenceMark = /^(?:`{3,}|~{3,})/u.exec(text)?.[0];
    if (fence !== undefined) {
      if (fenceMark?.startsWith(fence)) fence = undefined;
      continue;
    }
    if (text === "") {
      afterBlank = true;
      continue;
    }
    const item = /^(\s*)(\d{1,9})([.)])(\s.*)?$/u.exec(line);
    if (item !== null) {
      open = open.filter((list) => list.indent <= indent);
      const mark = item[3] ?? ".";
      let list = open.find((candidate) => candidate.indent === indent);
      if (list?.mark !== mark) {
        open = open.filter((other) => other !== list);
        list = { indent, mark, items: [] };
        open.push(list);
        lists.push(list);
      }
      list.items.push({
        line: index,
        number: Number(item[2]),
        before: item[1] ?? "",
        after: mark + (item[4] ?? ""),
      });
    } else if (afterBlank || /^(?:#{1,6}(?:\s|$)|[-*+]\s)/u.test(text)) {
      open = open.filter((list) => list.indent < indent);
    }
    fence = fenceMark;
    afterBlank = false;
  }
  return lists.map(({ items }) => items);
}
