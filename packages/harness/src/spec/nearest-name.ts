import { show } from "./shapes.ts";

/** How many edits away a name may be and still be taken for a slip. */
const MAX_EDITS = 2;

/** How many names are compared: a message is worth only so much of a hostile document's time. */
const MAX_CANDIDATES = 64;

const MAX_LENGTH = 64;

/**
 * The allowed name someone most likely meant: one that differs in case alone, or the closest within two edits
 * (letters added, lost, changed or swapped with their neighbour), and in no more than a third of its letters.
 */
export function nearestName(name: string, allowed: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const wanted = name.toLowerCase();
  let nearest: string | undefined;
  let fewest = Math.min(MAX_EDITS, Math.floor(name.length / 3)) + 1;
  let compared = 0;
  for (const candidate of allowed) {
    compared += 1;
    if (compared > MAX_CANDIDATES) break;
    const edits = editsBetween(wanted, candidate.toLowerCase(), fewest - 1);
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = candidate;
    if (edits === 0) break;
  }
  return nearest;
}

/** A question to put behind a message about a name that is not allowed; empty when no allowed name is close. */
export function didYouMean(name: unknown, allowed: Iterable<string>): string {
  const nearest = typeof name === "string" ? nearestName(name, allowed) : undefined;
  return nearest === undefined ? "" : ` (did you mean ${show(nearest)}?)`;
}

/** The edits that turn one text into another, or any number above `limit` when there are more than that. */
function editsBetween(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let edits = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1);
      current.push(edits);
      least = Math.min(least, edits);
    }
    if (least > limit) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? limit + 1;
}
