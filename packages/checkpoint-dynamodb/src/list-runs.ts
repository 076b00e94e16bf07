/**
 * How a list-valued channel is cut into runs: contiguous elements that are written once and shared by every
 * later version of the list. What is new stays in a small open tail until it is worth a run; small runs are
 * merged into larger ones, so that a list of any length needs a few dozen references and each element is
 * rewritten at most once per level.
 */
import type { BlobRef } from "./blobs.ts";
import { digestOf } from "./digest.ts";

/** A stored run: the next `count` elements of the list. */
export interface Run {
  readonly count: number;
  readonly blob: BlobRef;
}

/** A run of the new version: one already stored, or elements to store. */
export type PlannedRun =
  | { readonly kind: "stored"; readonly run: Run }
  | { readonly kind: "new"; readonly digest: string; readonly elements: readonly Uint8Array[] };

export interface ListPlan {
  readonly runs: readonly PlannedRun[];
  /** The elements after the last run, which ride inside the checkpoint. */
  readonly tail: readonly Uint8Array[];
  /** Whether the list goes on from the earlier version: all its runs stand unchanged at its beginning. */
  readonly continues: boolean;
}

/** The open tail becomes a run when it is larger. */
export const TAIL_BYTES = 4 * 1024;
/** A first run of a long list is cut at this size. */
const CUT_BYTES = 256 * 1024;
/** Runs of a level, by size, up to the largest level, whose runs are final. */
const LEVELS = [8 * 1024, 64 * 1024, 512 * 1024];
/** So many runs of a level at the end are merged into one. */
const MERGE_AT = 8;

interface Cut {
  readonly planned: PlannedRun;
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

export const countOf = (runs: readonly Run[]): number => runs.reduce((sum, { count }) => sum + count, 0);

export const sizeOf = (elements: readonly Uint8Array[]): number =>
  elements.reduce((sum, element) => sum + element.byteLength, 0);

function newCut(frames: readonly Uint8Array[], from: number, to: number): Cut {
  const elements = frames.slice(from, to);
  const digest = digestOf(elements);
  return { planned: { kind: "new", digest, elements }, from, to, size: sizeOf(elements) };
}

/**
 * @param frames the list's elements, serialized
 * @param previous the runs of an earlier version; those whose elements stand unchanged at their place are kept
 */
export function planList(frames: readonly Uint8Array[], previous: readonly Run[]): ListPlan {
  const cuts = keepPrevious(frames, previous);
  const kept = cuts.filter(({ planned }) => planned.kind === "stored").length;
  let from = cuts.at(-1)?.to ?? 0;
  if (sizeOf(frames.slice(from)) > TAIL_BYTES) {
    while (from < frames.length) {
      let to = from + 1;
      let size = frames[from]?.byteLength ?? 0;
      for (; to < frames.length; to += 1) {
        size += frames[to]?.byteLength ?? 0;
        if (size > CUT_BYTES) break;
      }
      cuts.push(newCut(frames, from, to));
      from = to;
    }
  }
  merge(frames, cuts);
  return {
    runs: cuts.map(({ planned }) => planned),
    tail: frames.slice(from),
    continues: kept === previous.length,
  };
}

/** The earlier version's runs at their places: kept where nothing changed, rewritten where an element did. */
function keepPrevious(frames: readonly Uint8Array[], previous: readonly Run[]): Cut[] {
  const cuts: Cut[] = [];
  let from = 0;
  for (const run of previous) {
    const to = from + run.count;
    if (to > frames.length) break;
    const cut = newCut(frames, from, to);
    const same = cut.planned.kind === "new" && cut.planned.digest === run.blob.digest;
    cuts.push(same ? { ...cut, planned: { kind: "stored", run } } : cut);
    from = to;
  }
  return cuts;
}

/**
 * Merges the runs at the end that are not above a level when enough of them are of that very level, from the
 * lowest level up: each element is rewritten once per level.
 */
function merge(frames: readonly Uint8Array[], cuts: Cut[]): void {
  let least = 0;
  for (const most of LEVELS) {
    let first = cuts.length;
    while (first > 0 && (cuts[first - 1]?.size ?? 0) < most) first -= 1;
    const ofLevel = cuts.slice(first).filter(({ size }) => size >= least).length;
    const from = cuts[first]?.from;
    const to = cuts.at(-1)?.to;
    if (ofLevel >= MERGE_AT && from !== undefined && to !== undefined)
      cuts.splice(first, cuts.length - first, newCut(frames, from, to));
    least = most;
  }
}
