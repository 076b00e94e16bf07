/**
 * Stores a checkpoint: its values first, which are content-addressed and harm nobody if a crash leaves them
 * alone, then the checkpoint's own item in one conditional put. That put is the commit.
 */
import type { ChannelVersions, Checkpoint, CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import type { Blob, BlobRef } from "./blobs.ts";
import {
  blobsOf,
  type ChannelLayout,
  carryOver,
  inlineBytes,
  layOut,
  moveOut,
  type StoredChannel,
  serialize,
} from "./channel-values.ts";
import { CheckpointCorruptError, CheckpointStorageError, StaleWriterError } from "./errors.ts";
import { findVersions } from "./find-versions.ts";
import { checkpointKey, headKey, indexKey, indexPartition } from "./keys.ts";
import { type Storage, ttlAttribute } from "./storage.ts";
import { encodeCheckpoint, type StoredCheckpoint, stemOf, versionsOf } from "./stored-checkpoint.ts";
import { type Item, inParallel, isConditionFailure, numberOf, type ThreadKey } from "./table.ts";
import { reasonOf } from "./thread-rows.ts";

/** A checkpoint's item holds at most so many bytes of values, uncompressed. */
const INLINE_BUDGET = 192 * 1024;

export interface NewCheckpoint {
  readonly thread: ThreadKey;
  readonly ns: string;
  readonly parentId: string | undefined;
  /** What is stored under `parentId`, if anything. */
  readonly parent: StoredCheckpoint | undefined;
  readonly checkpoint: Checkpoint;
  readonly metadata: CheckpointMetadata;
  readonly newVersions: ChannelVersions;
  readonly fence: number | undefined;
}

/** A channel laid out, and the checkpoint its shared values were found in. */
interface LaidOut {
  readonly channel: string;
  readonly layout: ChannelLayout;
  readonly fresh: boolean;
  readonly source: StoredCheckpoint | undefined;
}

/**
 * @param beforeCommit runs together with the writing of the values; when it fails, nothing is committed
 * @throws StaleWriterError
 */
export async function putCheckpoint(
  storage: Storage,
  put: NewCheckpoint,
  beforeCommit: (ttl: number | undefined) => Promise<void>,
): Promise<StoredCheckpoint> {
  const { thread, ns, checkpoint, fence } = put;
  const ttl = storage.expiry.at();
  const laidOut = withinBudget(storage, await layOutChannels(storage, put));
  const content = {
    id: checkpoint.id,
    parentId: put.parentId,
    stem: stemOf(checkpoint),
    metadata: await serialize(storage.serde, put.metadata),
    versions: versionsOf(checkpoint.channel_versions),
    channels: new Map(
      laidOut.map(({ channel, layout, fresh }): [string, StoredChannel] => [
        channel,
        { value: layout.value, fresh, ...(layout.ahead !== undefined && { ahead: layout.ahead.runs }) },
      ]),
    ),
    ttl,
    fence,
  };
  const stored: StoredCheckpoint = { ...content, encoded: encodeCheckpoint(content, storage.compression) };
  const index = put.parent === undefined || put.parent.ttl !== ttl ? [indexItem(storage, thread, ttl)] : [];
  await Promise.all([
    write(
      storage,
      thread,
      laidOut.flatMap(({ layout }) => layout.blobs),
      ttl,
      index,
    ),
    prolongShared(storage, put, laidOut, ttl),
    beforeCommit(ttl),
  ]);
  // What only the next checkpoint will refer to need not be there first: most steps are one round trip.
  const ahead = laidOut.flatMap(({ layout }) => layout.ahead?.blobs ?? []);
  await Promise.all([commit(storage, thread, ns, stored), write(storage, thread, ahead, ttl)]);
  return stored;
}

/** Writes values, and other items with them. */
async function write(
  storage: Storage,
  thread: ThreadKey,
  blobs: readonly Blob[],
  ttl: number | undefined,
  others: readonly Item[] = [],
): Promise<void> {
  if (blobs.length === 0 && others.length === 0) return;
  const items = [...storage.blobs.items(thread, blobs, ttl), ...others];
  await Promise.all([storage.table.putMany(thread, items), storage.blobs.writeObjects(thread, blobs)]);
}

/** Its entry in the index of threads, by which `list` finds all threads. */
const indexItem = (storage: Storage, thread: ThreadKey, ttl: number | undefined): Item => ({
  pk: { S: indexPartition(storage.keyPrefix) },
  sk: { S: indexKey(thread.threadId) },
  ...ttlAttribute(ttl),
});

async function layOutChannels(storage: Storage, put: NewCheckpoint): Promise<LaidOut[]> {
  const { checkpoint, newVersions, parent } = put;
  const { blobs, serde } = storage;
  const values = checkpoint.channel_values ?? {};
  const channelValue = (channel: string): unknown =>
    Object.hasOwn(values, channel) ? values[channel] : undefined;
  const laidOut: LaidOut[] = [];
  const elsewhere = new Map<string, number | string>();
  for (const [channel, version] of versionsOf(checkpoint.channel_versions)) {
    const before = parent?.channels.get(channel);
    if (Object.hasOwn(newVersions, channel)) {
      const layout = await layOut(blobs, serde, channelValue(channel), before);
      laidOut.push({ channel, layout, fresh: true, source: parent });
    } else if (before !== undefined && parent?.versions.get(channel) === version) {
      laidOut.push({ channel, layout: carryOver(blobs, before), fresh: false, source: parent });
    } else if (channelValue(channel) !== undefined) elsewhere.set(channel, version);
  }
  // A fork carries values that its parent does not have. A checkpoint without a parent stores what is new, and
  // of the rest only what the thread already holds.
  const found = elsewhere.size === 0 ? new Map() : await findVersions(storage, put.thread, put.ns, elsewhere);
  for (const channel of elsewhere.keys()) {
    const source = found.get(channel);
    if (source === undefined && put.parentId === undefined) continue;
    const layout = await layOut(blobs, serde, channelValue(channel), source?.channels.get(channel));
    laidOut.push({ channel, layout, fresh: false, source });
  }
  return laidOut;
}

/** Moves the largest values out of the checkpoint until what stays is within the budget. */
function withinBudget(storage: Storage, laidOut: LaidOut[]): LaidOut[] {
  let bytes = laidOut.reduce((sum, each) => sum + inlineBytes(each.layout.value), 0);
  if (bytes <= INLINE_BUDGET) return laidOut;
  const out = new Set<LaidOut>();
  for (const each of laidOut.toSorted((a, b) => inlineBytes(b.layout.value) - inlineBytes(a.layout.value))) {
    if (bytes <= INLINE_BUDGET) break;
    out.add(each);
    bytes -= inlineBytes(each.layout.value);
  }
  return laidOut.map((each) =>
    out.has(each) ? { ...each, layout: moveOut(storage.blobs, each.layout) } : each,
  );
}

/** Whether values that live as long as `from` have to be kept for something that lives as long as `to`. */
const mustProlong = (from: number | undefined, to: number | undefined): boolean =>
  from !== to && !(from !== undefined && to !== undefined && from > to);

/** Values of earlier checkpoints that this one needs as well live as long as it does. */
async function prolongShared(
  storage: Storage,
  { thread, ns, checkpoint }: NewCheckpoint,
  laidOut: readonly LaidOut[],
  ttl: number | undefined,
): Promise<void> {
  const due = laidOut.flatMap(({ channel, layout, source }) => {
    if (source === undefined || !mustProlong(source.ttl, ttl)) return [];
    const written = new Set<BlobRef>(layout.blobs.map(({ ref }) => ref));
    const refs = blobsOf(layout.value).filter((ref) => !written.has(ref));
    return refs.length === 0 ? [] : [{ channel, refs }];
  });
  await inParallel(due, async ({ channel, refs }) => {
    try {
      await storage.blobs.prolong(thread, refs, ttl);
    } catch (error) {
      if (error instanceof CheckpointStorageError) throw error;
      const version = checkpoint.channel_versions[channel];
      const place = {
        threadId: thread.threadId,
        checkpointNs: ns,
        checkpointId: checkpoint.id,
        channel,
        ...(version !== undefined && { version }),
      };
      throw new CheckpointCorruptError(place, reasonOf(error), { cause: error });
    }
  });
}

async function commit(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
  stored: StoredCheckpoint,
): Promise<void> {
  const { id, fence, ttl, encoded } = stored;
  const content = {
    pk: { S: thread.pk },
    d: { B: encoded },
    ...ttlAttribute(ttl),
  };
  const checkpoint = { ...content, sk: { S: checkpointKey(ns, id) } };
  if (fence === undefined) {
    const unfenced = { ConditionExpression: "attribute_not_exists(f)" };
    await refusingStale(thread, fence, () => storage.table.put(thread, checkpoint, unfenced));
    return;
  }
  const f = { N: String(fence) };
  const notOvertaken = {
    ConditionExpression: "attribute_not_exists(f) OR f <= :f",
    ExpressionAttributeValues: { ":f": f },
  };
  await refusingStale(thread, fence, () => storage.table.put(thread, { ...checkpoint, f }, notOvertaken));
  await moveHead(storage, thread, ns, { ...content, sk: { S: headKey(ns) }, cp: { S: id }, f }, fence);
}

/**
 * Makes the checkpoint the latest: the head is a copy of it, so that reading the latest needs no detour. A
 * writer that was overtaken since its fence was checked fails here, and its checkpoint stays a fork.
 */
async function moveHead(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
  head: Item & { cp: { S: string }; f: { N: string } },
  fence: number,
): Promise<void> {
  const forward = {
    ConditionExpression: "attribute_not_exists(f) OR f < :f OR (f = :f AND cp <= :cp)",
    ExpressionAttributeValues: { ":f": head.f, ":cp": head.cp },
  };
  try {
    await storage.table.put(thread, head, forward);
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    const current = await storage.table.get(thread, headKey(ns));
    const owner = current === undefined ? undefined : numberOf(current, "f");
    // The same writer storing an older checkpoint moves nothing.
    if (owner !== fence) throw new StaleWriterError(thread.threadId, fence, { cause: error });
  }
}

async function refusingStale(
  thread: ThreadKey,
  fence: number | undefined,
  put: () => Promise<void>,
): Promise<void> {
  try {
    await put();
  } catch (error) {
    if (isConditionFailure(error)) throw new StaleWriterError(thread.threadId, fence, { cause: error });
    throw error;
  }
}
