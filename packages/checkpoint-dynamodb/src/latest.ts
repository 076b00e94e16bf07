/** Reads one checkpoint, by its id or the latest: one query, then one round for what is not in it. */
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { checkpointPrefix, endOf, namespacePrefix } from "./keys.ts";
import { blobsOfWrites, type StoredWrite } from "./pending-writes.ts";
import type { Storage } from "./storage.ts";
import type { StoredCheckpoint } from "./stored-checkpoint.ts";
import type { Page, Range, ThreadKey } from "./table.ts";
import { readRow, sortKeyOf, writesOfCheckpoint } from "./thread-rows.ts";
import { blobsOfFound, parentWithSends, toTuple } from "./tuples.ts";

/**
 * Enough for the latest checkpoint and the writes of a few tasks. The writes of a step with more are read in the
 * second round; only large ones among those take a third.
 */
const FIRST_PAGE = 6;

/** A checkpoint with those of its writes that came with it. */
interface Start {
  readonly stored: StoredCheckpoint;
  readonly writes: readonly StoredWrite[];
  /** Whether these are all of its writes. */
  readonly complete: boolean;
}

/** The checkpoint with this id. */
export async function readCheckpoint(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
  id: string,
): Promise<CheckpointTuple | undefined> {
  const prefix = checkpointPrefix(ns, id);
  const page = await storage.table.page(thread, { from: prefix, to: endOf(prefix), descending: true });
  const start = startOf(storage, thread, ns, page, prefix);
  return start === undefined ? undefined : finish(storage, thread, ns, start);
}

/** The latest checkpoint: the head's where the namespace is fenced, the one with the highest id otherwise. */
export async function readLatest(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
): Promise<CheckpointTuple | undefined> {
  const start = await findLatest(storage, thread, ns);
  return start === undefined ? undefined : finish(storage, thread, ns, start);
}

/**
 * As far as one query tells. Of a namespace this saver knows, nothing below the highest checkpoint it has seen is
 * read: the latest is that one or above it.
 */
export async function findLatest(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
): Promise<Start | undefined> {
  const all = namespacePrefix(ns);
  const seen = storage.cache.highest(thread, ns);
  if (seen !== undefined) {
    const start = await firstIn(storage, thread, ns, { from: checkpointPrefix(ns, seen), to: endOf(all) });
    if (start !== undefined) return start;
    // Another saver has deleted the thread since.
    storage.cache.deleteNamespace(thread, ns);
  }
  return firstIn(storage, thread, ns, { from: all, to: endOf(all) });
}

async function firstIn(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
  bounds: Pick<Range, "from" | "to">,
): Promise<Start | undefined> {
  const range = { ...bounds, descending: true };
  let page = await storage.table.page(thread, { ...range, pageSize: FIRST_PAGE });
  for (;;) {
    const start = startOf(storage, thread, ns, page, bounds.from);
    // A page without a checkpoint holds writes of one that was never stored: its writer was stopped.
    if (start !== undefined || page.after === undefined) return start;
    page = await storage.table.page(thread, { ...range, after: page.after });
  }
}

/**
 * The checkpoint of a page that comes first: a head, or the one with the highest id.
 * @param from where the range that was read begins
 */
function startOf(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
  page: Page,
  from: string,
): Start | undefined {
  let stored: StoredCheckpoint | undefined;
  const writes: StoredWrite[] = [];
  for (const item of page.items) {
    const prefix = stored === undefined ? undefined : checkpointPrefix(ns, stored.id);
    if (prefix !== undefined && !sortKeyOf(item).startsWith(`${prefix}A`)) continue;
    const row = readRow(storage, thread, item);
    if (row?.kind === "writes" && row.id === stored?.id) writes.push(...row.writes);
    else if (row !== undefined && row.kind !== "writes") stored = row.stored;
  }
  if (stored === undefined) return undefined;
  const rows = checkpointPrefix(ns, stored.id);
  const last = page.items.at(-1);
  const readPast = last !== undefined && isBelow(sortKeyOf(last), rows);
  // A head may name a checkpoint below the range.
  const readToEnd = page.after === undefined && !isBelow(rows, from);
  return { stored, writes, complete: readPast || readToEnd };
}

/** As DynamoDB orders keys. */
const isBelow = (a: string, b: string): boolean => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

async function finish(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
  start: Start,
): Promise<CheckpointTuple> {
  const { stored } = start;
  storage.cache.set(thread, ns, stored);
  const sender = parentWithSends(stored);
  const first = { thread, ns, stored, writes: start.writes, parentWrites: [] };
  const [loaded, writes, parentWrites] = await Promise.all([
    storage.blobs.load(thread, blobsOfFound(first)),
    start.complete ? start.writes : writesOfCheckpoint(storage, thread, ns, stored.id),
    sender === undefined ? [] : writesOfCheckpoint(storage, thread, ns, sender),
  ]);
  const late = blobsOfWrites([...(start.complete ? [] : writes), ...parentWrites]);
  const lateLoaded = late.length === 0 ? [] : await storage.blobs.load(thread, late);
  return toTuple(storage, { ...first, writes, parentWrites }, new Map([...loaded, ...lateLoaded]));
}
