/**
 * Pending writes: one item per task and 64 write indexes, an attribute per write. One update stores a whole
 * call: regular writes keep the first value an index was given, special ones (errors, interrupts, resumes)
 * take the last.
 */
import {
  type CheckpointPendingWrite,
  compareWritesSortKeys,
  type PendingWrite,
  type SerializerProtocol,
  WRITES_IDX_MAP,
  writesSortKey,
} from "@langchain/langgraph-checkpoint";
import {
  type Blob,
  type BlobRef,
  type BlobStore,
  type LoadedBlobs,
  restoreBlobRef,
  type StoredBlobRef,
  storeBlobRef,
} from "./blobs.ts";
import { deserialize, readTyped, serialize } from "./channel-values.ts";
import { type Compression, compress, decompress } from "./compression.ts";
import { frame, packSkeleton, type Typed, unpackSkeleton } from "./framing.ts";
import { bytesOf, type Item } from "./table.ts";

/** Indexes of one item: 64 values of at most 4 KB stay below what an item may hold. */
const GROUP = 64;
const INLINE_BYTES = 4 * 1024;
/** Before the index; a `-` of a special index follows it. */
const ATTRIBUTE = "w";

/** A stored write before its value is read. */
export interface StoredWrite {
  readonly taskId: string;
  readonly taskPath: string;
  readonly index: number;
  readonly channel: string;
  readonly value:
    | { readonly kind: "inline"; readonly typed: Typed }
    | { readonly kind: "blob"; readonly blob: BlobRef; readonly place: number };
}

/** Then either the type and length of the value that follows, or its place among the values of a blob. */
type Skeleton = [
  channel: string,
  path: string,
  value: [type: string, length: number] | number,
  blob?: StoredBlobRef,
];

/** The writes of one item. */
export interface WritesGroup {
  readonly group: number;
  readonly writes: readonly { readonly index: number; readonly bytes: Uint8Array }[];
}

/** The index of a write: special channels have their own, below zero. */
const indexOf = (channel: string, position: number): number =>
  Object.hasOwn(WRITES_IDX_MAP, channel) ? (WRITES_IDX_MAP[channel] ?? position) : position;

/**
 * Serializes the writes of one call. Small values go into the items; all large ones of the call together into one
 * blob, so that a call is two requests whatever the number of its writes.
 */
export async function layOutWrites(
  store: BlobStore,
  serde: SerializerProtocol,
  compression: Compression,
  writes: readonly PendingWrite[],
  taskPath: string,
): Promise<{ groups: WritesGroup[]; blobs: Blob[] }> {
  const entries = await Promise.all(
    writes.map(async ([channel, value], position) => {
      const typed = await serialize(serde, value);
      const skeleton: Skeleton = [channel, taskPath, [typed.type, typed.bytes.byteLength]];
      const inline = compress(packSkeleton(JSON.stringify(skeleton), [typed.bytes]), compression);
      return { channel, index: indexOf(channel, position), typed, inline };
    }),
  );
  const large = entries.filter(({ inline }) => inline.byteLength > INLINE_BYTES);
  const blob = large.length > 0 ? store.prepare(large.map(({ typed }) => frame(typed))) : undefined;
  const groups = new Map<number, Map<number, Uint8Array>>();
  for (const entry of entries) {
    const { channel, index } = entry;
    const place = large.indexOf(entry);
    const outside: Skeleton | undefined =
      place < 0 || blob === undefined ? undefined : [channel, taskPath, place, storeBlobRef(blob.ref)];
    const bytes =
      outside === undefined ? entry.inline : compress(packSkeleton(JSON.stringify(outside), []), compression);
    const group = Math.max(0, Math.floor(index / GROUP));
    const members = groups.get(group) ?? new Map<number, Uint8Array>();
    groups.set(group, members);
    // Of several special writes of one channel in a call, the last holds, as when they come one by one.
    members.set(index, bytes);
  }
  return {
    groups: [...groups].map(([group, members]) => ({
      group,
      writes: [...members].map(([index, bytes]) => ({ index, bytes })),
    })),
    blobs: blob === undefined ? [] : [blob],
  };
}

/** The update that stores one item's writes. */
export function writesUpdate({ writes }: WritesGroup, ttl: number | undefined) {
  const names: Record<string, string> = {};
  const values: Item = {};
  const sets = writes.map(({ index, bytes }, at) => {
    names[`#${at}`] = `${ATTRIBUTE}${index}`;
    values[`:${at}`] = { B: bytes };
    return index < 0 ? `#${at}=:${at}` : `#${at}=if_not_exists(#${at},:${at})`;
  });
  if (ttl !== undefined) {
    names["#ttl"] = "ttl";
    values[":ttl"] = { N: String(ttl) };
    sets.push("#ttl=:ttl");
  }
  return {
    UpdateExpression: `SET ${sets.join(",")}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}

/** The writes in an item. @throws when they are not what was written */
export function readWrites(item: Item, taskId: string): StoredWrite[] {
  return Object.keys(item)
    .filter((name) => /^w-?\d+$/.test(name))
    .map((name): StoredWrite => {
      const { skeleton, payload } = unpackSkeleton(decompress(bytesOf(item, name) ?? new Uint8Array()));
      const [channel, taskPath, where, blob] = skeleton as Skeleton;
      const index = Number(name.slice(ATTRIBUTE.length));
      if (typeof where !== "number") {
        const typed = { type: where[0], bytes: payload.take(where[1]) };
        return { taskId, taskPath, index, channel, value: { kind: "inline", typed } };
      }
      if (blob === undefined) throw new Error("a write names no value.");
      const value = { kind: "blob", blob: restoreBlobRef(blob), place: where } as const;
      return { taskId, taskPath, index, channel, value };
    });
}

/** The order in which LangGraph applies a step's writes. */
export function inApplyOrder(writes: readonly StoredWrite[]): StoredWrite[] {
  return writes.toSorted((a, b) =>
    compareWritesSortKeys(
      writesSortKey(a.taskPath, a.taskId, a.index),
      writesSortKey(b.taskPath, b.taskId, b.index),
    ),
  );
}

/** What writes need outside their items. */
export const blobsOfWrites = (writes: readonly StoredWrite[]): BlobRef[] =>
  writes.flatMap(({ value }) => (value.kind === "blob" ? [value.blob] : []));

/** The write with its value. @throws when the value is missing or damaged */
export async function openWrite(
  serde: SerializerProtocol,
  write: StoredWrite,
  loaded: LoadedBlobs,
): Promise<CheckpointPendingWrite> {
  const { value } = write;
  const opened =
    value.kind === "inline"
      ? await deserialize(serde, value.typed)
      : await readTyped(serde, value.blob, loaded, value.place);
  return [write.taskId, write.channel, opened];
}
