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

/** For how many names of a document the nearest right one is looked for. */
const MAX_ASKED = 100;

/** How many more names {@link didYouMean} looks for, within {@link withFewQuestions}. */
let questionsLeft = Number.POSITIVE_INFINITY;

/** A question to put behind a message about a name that is not allowed; empty when no allowed name is close. */
export function didYouMean(name: unknown, allowed: Iterable<string>): string {
  questionsLeft -= 1;
  const nearest = typeof name === "string" && questionsLeft >= 0 ? nearestName(name, allowed) : undefined;
  return nearest === undefined ? "" : ` (did you mean ${show(nearest)}?)`;
}

/**
 * Lets {@link didYouMean} look for some hundred names and no more while some work is done: finding the nearest of many
 * long names costs more than the thousandth message is worth. A schema's messages know nothing of the validation they
 * are written for, so the bound is set around it; the work is synchronous.
 */
export function withFewQuestions<Result>(work: () => Result): Result {
  const before = questionsLeft;
  questionsLeft = Math.min(before, MAX_ASKED);
  try {
    return work();
  } finally {
    questionsLeft = before;
  }
}

/**
 * The edits that turn one text into another, or any number above `limit` when there are more than that.
 *
 * Of the table of edits only the diagonal `limit` cells wide on either side is worked out: what lies beyond costs more
 * than the limit, and a hostile document asks for thousands of comparisons.
 */
function editsBetween(one: string, other: string, limit: number): number {
  const over = limit + 1;
  if (Math.abs(one.length - other.length) > limit) return over;
  if (one === other) return 0;
  const [left, right] = withoutCommonEnds(one, other);
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => Math.min(column, over));
  let current: number[] = Array(right.length + 1).fill(over);
  for (let row = 1; row <= left.length; row += 1) {
    const from = Math.max(1, row - limit);
    const to = Math.min(right.length, row + limit);
    current[from - 1] = from === 1 ? Math.min(row, over) : over;
    let least = current[from - 1] ?? over;
    for (let column = from; column <= to; column += 1) {
      const same = left.charCodeAt(row - 1) === right.charCodeAt(column - 1);
      let edits = Math.min(
        (last[column] ?? over) + 1,
        (current[column - 1] ?? over) + 1,
        (last[column - 1] ?? over) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && isSwap(left, row, right, column)) {
        edits = Math.min(edits, (beforeLast[column - 2] ?? over) + 1);
      }
      current[column] = edits;
      least = Math.min(least, edits);
    }
    if (to < right.length) current[to + 1] = over;
    if (least > limit) return over;
    [beforeLast, last, current] = [last, current, beforeLast.length > 0 ? beforeLast : [...current]];
  }
  return last[right.length] ?? over;
}

/** Two texts without what they begin and end with alike, which takes no edit. */
function withoutCommonEnds(one: string, other: string): [string, string] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one.charCodeAt(start) === other.charCodeAt(start)) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)];
}

/** Whether the two letters before here stand in the other text the other way round. */
function isSwap(left: string, row: number, right: string, column: number): boolean {
  return (
    left.charCodeAt(row - 1) === right.charCodeAt(column - 2) &&
    left.charCodeAt(row - 2) === right.charCodeAt(column - 1)
  );
}
