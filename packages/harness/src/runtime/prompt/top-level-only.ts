/**
 * Passages of the platform prompt that a delegated session does not read (spec 05 §A6).
 *
 * They stand between a line `<!-- top-level-only -->` and a line `<!-- /top-level-only -->`. No model sees the
 * marker lines; a delegated session does not see the passages either, and a numbered list that lost items to
 * the cut is renumbered.
 */
import { numberedLists } from "./numbered-lists.ts";

const OPENER = "<!-- top-level-only -->";
const CLOSER = "<!-- /top-level-only -->";

/**
 * The text a session reads: without the marker lines, and without the marked passages when the session is
 * delegated. An opener without a closer marks nothing.
 */
export function readTopLevelOnly(text: string, child: boolean): string {
  const lines = text.split("\n");
  const markers = new Set<number>();
  for (const [i, line] of lines.entries()) if (isMarker(line)) markers.add(i);
  if (markers.size === 0) return text;
  const cut = child ? passages(lines) : new Set<number>();
  const rewritten = cut.size === 0 ? lines : renumbered(lines, markers, cut);
  return rewritten.filter((_line, i) => !markers.has(i) && !cut.has(i)).join("\n");
}

function isMarker(line: string): boolean {
  const text = line.trim();
  return text === OPENER || text === CLOSER;
}

/** The lines inside a passage that has both its markers. */
function passages(lines: readonly string[]): Set<number> {
  const cut = new Set<number>();
  let opened: number | undefined;
  for (const [i, line] of lines.entries()) {
    const text = line.trim();
    if (text === OPENER) opened ??= i;
    if (text !== CLOSER || opened === undefined) continue;
    for (let inside = opened + 1; inside < i; inside += 1) cut.add(inside);
    opened = undefined;
  }
  return cut;
}

/** Numbers the items left of every list that lost one on from the item before, to the list's end. */
function renumbered(
  lines: readonly string[],
  markers: ReadonlySet<number>,
  cut: ReadonlySet<number>,
): string[] {
  const rewritten = [...lines];
  for (const list of numberedLists(lines, markers)) {
    const firstCut = list.findIndex(({ line }) => cut.has(line));
    if (firstCut === -1) continue;
    let next = list[firstCut]?.number ?? 1;
    if (firstCut > 0) next = (list[firstCut - 1]?.number ?? 0) + 1;
    for (const item of list.slice(firstCut)) {
      if (cut.has(item.line)) continue;
      rewritten[item.line] = `${item.before}${next}${item.after}`;
      next += 1;
    }
  }
  return rewritten;
}
