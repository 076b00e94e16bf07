/** From stored rows to what LangGraph is given. */
import {
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  maxChannelVersion,
  TASKS,
} from "@langchain/langgraph-checkpoint";
import type { BlobRef, LoadedBlobs } from "./blobs.ts";
import { blobsOf, deserialize, readValue } from "./channel-values.ts";
import { CheckpointCorruptError } from "./errors.ts";
import { blobsOfWrites, inApplyOrder, openWrite, type StoredWrite } from "./pending-writes.ts";
import type { Storage } from "./storage.ts";
import { parseStem, type StoredCheckpoint } from "./stored-checkpoint.ts";
import type { ThreadKey } from "./table.ts";
import { reasonOf } from "./thread-rows.ts";

/** A checkpoint and its writes, values not yet loaded. */
export interface Found {
  readonly thread: ThreadKey;
  readonly ns: string;
  readonly stored: StoredCheckpoint;
  readonly writes: readonly StoredWrite[];
  /** The parent's writes, where the checkpoint's format keeps the sends to come among them (`v` below 4). */
  readonly parentWrites: readonly StoredWrite[];
}

/** The first checkpoint format that keeps the sends to come in a channel. */
const SENDS_IN_CHANNEL = 4;

/** The parent whose writes hold the checkpoint's sends; undefined in the present format. */
export const parentWithSends = (stored: StoredCheckpoint): string | undefined =>
  parseStem(stored.stem).v < SENDS_IN_CHANNEL ? stored.parentId : undefined;

const isSend = (write: StoredWrite): boolean => write.channel === TASKS;

/** What the channels of a checkpoint need outside its item. */
export const blobsOfCheckpoint = (stored: StoredCheckpoint): BlobRef[] =>
  [...stored.channels.values()].flatMap(({ value }) => blobsOf(value));

export const blobsOfFound = (found: Found): BlobRef[] => [
  ...blobsOfCheckpoint(found.stored),
  ...blobsOfWrites(found.writes),
  ...blobsOfWrites(found.parentWrites.filter(isSend)),
];

export const configOf = (thread: ThreadKey, ns: string, id: string) => ({
  configurable: { thread_id: thread.threadId, checkpoint_ns: ns, checkpoint_id: id },
});

/** @throws CheckpointCorruptError naming the channel and version that cannot be read */
export async function toTuple(storage: Storage, found: Found, loaded: LoadedBlobs): Promise<CheckpointTuple> {
  const { thread, ns, stored } = found;
  const stem = parseStem(stored.stem);
  const [values, metadata, pendingWrites, sends] = await Promise.all([
    channelValues(storage, found, loaded),
    deserialize(storage.serde, stored.metadata),
    openWrites(storage, found, found.writes, loaded),
    openWrites(storage, found, found.parentWrites.filter(isSend), loaded),
  ]);
  const checkpoint: Checkpoint = {
    v: stem.v,
    id: stored.id,
    ts: stem.ts,
    channel_values: values,
    channel_versions: stem.channel_versions,
    versions_seen: stem.versions_seen,
  };
  if (parentWithSends(stored) !== undefined)
    addSends(
      checkpoint,
      sends.map(([, , send]) => send),
    );
  return {
    config: configOf(thread, ns, stored.id),
    checkpoint,
    metadata: metadata as CheckpointMetadata,
    pendingWrites,
    ...(stored.parentId !== undefined && { parentConfig: configOf(thread, ns, stored.parentId) }),
  };
}

/** Formats before 4 kept the sends of a step as writes of its parent; LangGraph now expects a channel. */
function addSends(checkpoint: Checkpoint, sends: unknown[]): void {
  const versions = Object.values(checkpoint.channel_versions);
  checkpoint.channel_values[TASKS] = sends;
  checkpoint.channel_versions[TASKS] = versions.length > 0 ? maxChannelVersion(...versions) : 1;
}

async function channelValues(
  storage: Storage,
  found: Found,
  loaded: LoadedBlobs,
): Promise<Record<string, unknown>> {
  const entries = await Promise.all(
    [...found.stored.channels].map(async ([channel, { value }]) => {
      if (value.kind === "empty") return [];
      return [[channel, await readChannel(storage, found, channel, loaded)] as const];
    }),
  );
  const values: Record<string, unknown> = {};
  // A channel may be called `__proto__`: an assignment would not make it a property.
  for (const [channel, value] of entries.flat())
    Object.defineProperty(values, channel, { value, enumerable: true, writable: true, configurable: true });
  return values;
}

/** One channel's value; undefined where the version has none. @throws CheckpointCorruptError */
export async function readChannel(
  storage: Storage,
  { thread, ns, stored }: Pick<Found, "thread" | "ns" | "stored">,
  channel: string,
  loaded: LoadedBlobs,
): Promise<unknown> {
  const value = stored.channels.get(channel)?.value;
  if (value === undefined || value.kind === "empty") return undefined;
  try {
    return await readValue(storage.serde, value, loaded);
  } catch (error) {
    const version = stored.versions.get(channel);
    const place = {
      threadId: thread.threadId,
      checkpointNs: ns,
      checkpointId: stored.id,
      channel,
      ...(version !== undefined && { version }),
    };
    throw new CheckpointCorruptError(place, reasonOf(error), { cause: error });
  }
}

/** Writes with their values, in the order LangGraph applies them. @throws CheckpointCorruptError */
export function openWrites(
  storage: Storage,
  { thread, ns, stored }: Pick<Found, "thread" | "ns" | "stored">,
  writes: readonly StoredWrite[],
  loaded: LoadedBlobs,
) {
  return Promise.all(
    inApplyOrder(writes).map(async (write) => {
      try {
        return await openWrite(storage.serde, write, loaded);
      } catch (error) {
        const place = {
          threadId: thread.threadId,
          checkpointNs: ns,
          checkpointId: stored.id,
          channel: write.channel,
        };
        throw new CheckpointCorruptError(place, `a pending write: ${reasonOf(error)}`, { cause: error });
      }
    }),
  );
}
