/** Lists checkpoints, newest first within a namespace, reading no more than is asked for. */
import { isDeepStrictEqual } from "node:util";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { deserialize } from "./channel-values.ts";
import {
  ALL_NAMESPACES,
  checkpointPrefix,
  checkpointsPrefix,
  endOf,
  indexedThread,
  indexKey,
  indexPartition,
  partitionKey,
} from "./keys.ts";
import type { StoredWrite } from "./pending-writes.ts";
import type { Storage } from "./storage.ts";
import type { ThreadKey } from "./table.ts";
import { readRow, sortKeyOf, writesOfCheckpoint } from "./thread-rows.ts";
import { blobsOfFound, type Found, parentWithSends, toTuple } from "./tuples.ts";

export interface Listing {
  /** Every namespace when undefined. */
  readonly ns: string | undefined;
  /** Only this checkpoint. */
  readonly id: string | undefined;
  /** Only checkpoints with a lower id. */
  readonly before: string | undefined;
  readonly filter: Record<string, unknown> | undefined;
}

/** Tuples whose values are loaded together: bounds memory, and a short list is one request for them. */
const GROUP = 8;
/** Rows of a page per wanted checkpoint: the checkpoint and the writes of three tasks. */
const ROWS_EACH = 4;
const LEAST_ROWS = 16;

/** Every thread of the key prefix whose id starts so, from the index, in order of id. */
export async function* threadsOf(storage: Storage, start = ""): AsyncGenerator<ThreadKey> {
  const index = { threadId: undefined, pk: indexPartition(storage.keyPrefix) };
  const begin = indexKey(start);
  const range = { from: begin === "" ? " " : begin, to: endOf(begin), keysOnly: true };
  for await (const items of storage.table.pages(index, range))
    for (const item of items) {
      const threadId = indexedThread(sortKeyOf(item));
      yield { threadId, pk: partitionKey(storage.keyPrefix, threadId) };
    }
}

/** @param limit the most checkpoints to yield; no limit when undefined */
export async function* listThread(
  storage: Storage,
  thread: ThreadKey,
  listing: Listing,
  limit: number | undefined,
): AsyncGenerator<CheckpointTuple> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  let group: Found[] = [];
  for await (const found of matching(storage, thread, listing, limit)) {
    if (found !== undefined) group.push(found);
    // A page has ended, or there is enough to load.
    if (group.length > 0 && (found === undefined || group.length >= Math.min(GROUP, left))) {
      const ready = group.slice(0, left);
      group = [];
      left -= ready.length;
      yield* loadGroup(storage, ready);
    }
    if (left === 0) return;
  }
}

async function* loadGroup(storage: Storage, group: readonly Found[]): AsyncGenerator<CheckpointTuple> {
  const loaded = await storage.blobs.load(group[0]?.thread as ThreadKey, group.flatMap(blobsOfFound));
  for (const found of group) yield await toTuple(storage, found, loaded);
}

/** The checkpoints asked for, with their writes; undefined after each page. */
async function* matching(
  storage: Storage,
  thread: ThreadKey,
  listing: Listing,
  limit: number | undefined,
): AsyncGenerator<Found | undefined> {
  const pageSize =
    limit === undefined ||
    listing.filter !== undefined ||
    (listing.ns === undefined && listing.before !== undefined)
      ? undefined
      : Math.max(LEAST_ROWS, limit * ROWS_EACH);
  let open: { found: Found; writes: StoredWrite[] } | undefined;
  const range = { ...rangeOf(listing), descending: true, pageSize };
  for await (const items of storage.table.pages(thread, range)) {
    for (const item of items) {
      const row = readRow(storage, thread, item);
      if (row === undefined || row.kind === "head") continue;
      if (row.kind === "writes") {
        if (open?.found.ns === row.ns && open.found.stored.id === row.id) open.writes.push(...row.writes);
        continue;
      }
      if (open !== undefined) yield open.found;
      open = undefined;
      if (!(await matches(storage, listing, row.stored))) continue;
      const writes: StoredWrite[] = [];
      const sender = parentWithSends(row.stored);
      const parentWrites =
        sender === undefined ? [] : await writesOfCheckpoint(storage, thread, row.ns, sender);
      open = { found: { thread, ns: row.ns, stored: row.stored, writes, parentWrites }, writes };
    }
    yield undefined;
  }
  if (open !== undefined) yield open.found;
  yield undefined;
}

function rangeOf({ ns, id, before }: Listing): { from: string; to: string } {
  if (ns === undefined) return { from: ALL_NAMESPACES, to: endOf(ALL_NAMESPACES) };
  if (id !== undefined) return { from: checkpointPrefix(ns, id), to: endOf(checkpointPrefix(ns, id)) };
  const from = checkpointsPrefix(ns);
  return { from, to: before === undefined ? endOf(from) : checkpointPrefix(ns, before) };
}

async function matches(storage: Storage, listing: Listing, stored: Found["stored"]): Promise<boolean> {
  if (listing.id !== undefined && stored.id !== listing.id) return false;
  if (listing.before !== undefined && stored.id >= listing.before) return false;
  if (listing.filter === undefined) return true;
  const metadata: unknown = await deserialize(storage.serde, stored.metadata);
  return Object.entries(listing.filter).every(([name, wanted]) => {
    const known = typeof metadata === "object" && metadata !== null && Object.hasOwn(metadata, name);
    return isDeepStrictEqual(known ? Reflect.get(metadata, name) : undefined, wanted);
  });
}
