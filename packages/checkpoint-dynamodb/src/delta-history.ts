/**
 * What LangGraph needs to rebuild a delta channel: the writes of the ancestors back to the nearest stored value.
 * Ancestors are older, so one descending query brings many of them with their writes at once.
 */
import type { CheckpointPendingWrite, DeltaChannelHistory } from "@langchain/langgraph-checkpoint";
import { blobsOf } from "./channel-values.ts";
import { checkpointKey, checkpointPrefix, checkpointsPrefix } from "./keys.ts";
import { blobsOfWrites, type StoredWrite } from "./pending-writes.ts";
import type { Storage } from "./storage.ts";
import type { StoredCheckpoint } from "./stored-checkpoint.ts";
import type { Page, ThreadKey } from "./table.ts";
import { readRow, writesOfCheckpoint } from "./thread-rows.ts";
import { openWrites, readChannel } from "./tuples.ts";

interface Ancestor {
  readonly stored: StoredCheckpoint;
  readonly writes: readonly StoredWrite[];
}

/**
 * @param target the checkpoint whose channels are rebuilt; its own writes belong to the next step
 * @param channels the delta channels asked for
 */
export async function deltaHistory(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
  target: StoredCheckpoint,
  channels: readonly string[],
): Promise<Record<string, DeltaChannelHistory>> {
  const remaining = new Set(channels);
  const path: Ancestor[] = [];
  const seeds = new Map<string, StoredCheckpoint>();
  for await (const ancestor of ancestorsOf(storage, thread, ns, target)) {
    path.push({ ...ancestor, writes: ancestor.writes.filter(({ channel }) => remaining.has(channel)) });
    for (const channel of remaining) {
      const value = ancestor.stored.channels.get(channel)?.value;
      if (value === undefined || value.kind === "empty") continue;
      seeds.set(channel, ancestor.stored);
      remaining.delete(channel);
    }
    if (remaining.size === 0) break;
  }
  const seedBlobs = [...seeds].flatMap(([channel, { channels: stored }]) => {
    const value = stored.get(channel)?.value;
    return value === undefined ? [] : blobsOf(value);
  });
  const loaded = await storage.blobs.load(thread, [
    ...seedBlobs,
    ...path.flatMap(({ writes }) => blobsOfWrites(writes)),
  ]);
  const steps = await Promise.all(
    path.map(({ stored, writes }) => openWrites(storage, { thread, ns, stored }, writes, loaded)),
  );
  const oldestFirst: CheckpointPendingWrite[] = steps.reverse().flat();
  const histories = await Promise.all(
    channels.map(async (channel): Promise<[string, DeltaChannelHistory]> => {
      const writes = oldestFirst.filter(([, written]) => written === channel);
      const seed = seeds.get(channel);
      if (seed === undefined) return [channel, { writes }];
      return [
        channel,
        { writes, seed: await readChannel(storage, { thread, ns, stored: seed }, channel, loaded) },
      ];
    }),
  );
  return Object.fromEntries(histories);
}

/** The ancestors of a checkpoint, nearest first, with their writes; each page of the namespace is read once. */
async function* ancestorsOf(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
  target: StoredCheckpoint,
): AsyncGenerator<Ancestor> {
  const known = new Map<string, { stored: StoredCheckpoint; writes: StoredWrite[] }>();
  const range = { from: checkpointsPrefix(ns), to: checkpointPrefix(ns, target.id), descending: true };
  let page: Page = { items: [], after: undefined };
  let complete = false;
  const readMore = async () => {
    page = await storage.table.page(thread, { ...range, after: page.after });
    complete = page.after === undefined;
    for (const item of page.items) {
      const row = readRow(storage, thread, item);
      if (row?.kind === "checkpoint") known.set(row.stored.id, { stored: row.stored, writes: [] });
      if (row?.kind === "writes") known.get(row.id)?.writes.push(...row.writes);
    }
  };
  for (let id = target.parentId; id !== undefined; ) {
    while (!complete && (!known.has(id) || isOpen(page, ns, id))) await readMore();
    const ancestor = known.get(id) ?? (await outOfOrder(storage, thread, ns, id));
    if (ancestor === undefined) return;
    yield ancestor;
    id = ancestor.stored.parentId;
  }
}

/** Whether a page ended among a checkpoint's own rows, so that more of its writes may follow. */
const isOpen = (page: Page, ns: string, id: string): boolean =>
  page.after?.startsWith(checkpointPrefix(ns, id)) === true;

/** An ancestor with a higher id than its descendant: ids that do not grow with time. */
async function outOfOrder(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
  id: string,
): Promise<Ancestor | undefined> {
  const item = await storage.table.get(thread, checkpointKey(ns, id));
  const row = item === undefined ? undefined : readRow(storage, thread, item);
  if (row?.kind !== "checkpoint") return undefined;
  return { stored: row.stored, writes: await writesOfCheckpoint(storage, thread, ns, id) };
}
