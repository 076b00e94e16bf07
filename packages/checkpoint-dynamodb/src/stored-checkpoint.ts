/** A checkpoint as it is stored: everything but the values that are on their own. */
import type { ChannelVersions, Checkpoint } from "@langchain/langgraph-checkpoint";
import { restoreBlobRef, type StoredBlobRef, storeBlobRef } from "./blobs.ts";
import type { ChannelValue, StoredChannel } from "./channel-values.ts";
import { type Compression, compress, decompress } from "./compression.ts";
import {
  concat,
  frame,
  type PayloadReader,
  packSkeleton,
  type Typed,
  unframe,
  unpackSkeleton,
} from "./framing.ts";

export interface StoredCheckpoint {
  readonly id: string;
  readonly parentId: string | undefined;
  /** `v`, `ts`, `channel_versions` and `versions_seen` as JSON: parsed anew for each reader. */
  readonly stem: string;
  readonly metadata: Typed;
  readonly versions: ReadonlyMap<string, number | string>;
  readonly channels: ReadonlyMap<string, StoredChannel>;
  /** The item's expiry, epoch seconds. */
  readonly ttl: number | undefined;
  /** The fence it was written under. */
  readonly fence: number | undefined;
  /** The item's bytes: an item that holds the same need not be decoded again. */
  readonly encoded: Uint8Array;
}

/** The parts of a checkpoint without its values. */
export type Stem = Pick<Checkpoint, "v" | "ts" | "channel_versions" | "versions_seen">;

export const stemOf = ({ v, ts, channel_versions, versions_seen }: Checkpoint): string =>
  JSON.stringify({ v, ts, channel_versions, versions_seen });

export const parseStem = (stem: string): Stem => JSON.parse(stem) as Stem;

/** Own entries, a channel named like a member of Object.prototype among them. */
export const versionsOf = (versions: ChannelVersions | undefined): Map<string, number | string> =>
  new Map(Object.entries(versions ?? {}));

/** One channel in the skeleton: a name, a layout, and 1 when this step wrote it. */
type StoredLayout =
  | 0
  | [type: string, length: number]
  | StoredBlobRef
  | [runs: [count: number, ...blob: StoredBlobRef][], tailLength: number];
type ChannelEntry = [name: string, kind: 0 | 1 | 2 | 3, layout: StoredLayout, fresh?: 1];

interface Skeleton {
  readonly p?: string;
  readonly s: Stem;
  readonly m: [type: string, length: number];
  readonly c: ChannelEntry[];
}

/** The bytes of a checkpoint's item. */
export function encodeCheckpoint(
  stored: Omit<StoredCheckpoint, "encoded">,
  compression: Compression,
): Uint8Array {
  const payloads: Uint8Array[] = [stored.metadata.bytes];
  const channels = [...stored.channels].map(([name, { value, fresh }]): ChannelEntry => {
    const entry = layoutEntry(name, value, payloads);
    return fresh ? [...entry, 1] : entry;
  });
  const rest: Omit<Skeleton, "s"> = {
    ...(stored.parentId !== undefined && { p: stored.parentId }),
    m: [stored.metadata.type, stored.metadata.bytes.byteLength],
    c: channels,
  };
  // The stem is JSON already.
  const skeleton = `{"s":${stored.stem},${JSON.stringify(rest).slice(1)}`;
  return compress(packSkeleton(skeleton, payloads), compression);
}

function layoutEntry(
  name: string,
  value: ChannelValue,
  payloads: Uint8Array[],
): [string, 0 | 1 | 2 | 3, StoredLayout] {
  switch (value.kind) {
    case "empty":
      return [name, 0, 0];
    case "inline":
      payloads.push(value.value.bytes);
      return [name, 1, [value.value.type, value.value.bytes.byteLength]];
    case "whole":
      return [name, 2, storeBlobRef(value.blob)];
    case "list": {
      const tail = concat(value.tail);
      payloads.push(tail);
      return [name, 3, [value.runs.map((run) => [run.count, ...storeBlobRef(run.blob)]), tail.byteLength]];
    }
  }
}

/**
 * @param place what the item's key and attributes say
 * @throws when the bytes are not what `encodeCheckpoint` wrote
 */
export function decodeCheckpoint(
  bytes: Uint8Array,
  place: Pick<StoredCheckpoint, "id" | "ttl" | "fence">,
): StoredCheckpoint {
  const { skeleton, payload } = unpackSkeleton(decompress(bytes));
  const { p, s, m, c } = skeleton as Skeleton;
  const metadata = { type: m[0], bytes: payload.take(m[1]) };
  const channels = new Map(
    c.map(([name, kind, layout, fresh]): [string, StoredChannel] => [
      name,
      { value: readLayout(kind, layout, payload), fresh: fresh === 1 },
    ]),
  );
  const versions = versionsOf(s.channel_versions);
  return { ...place, parentId: p, stem: JSON.stringify(s), metadata, versions, channels, encoded: bytes };
}

function readLayout(kind: 0 | 1 | 2 | 3, layout: StoredLayout, payload: PayloadReader): ChannelValue {
  switch (kind) {
    case 0:
      return { kind: "empty" };
    case 1: {
      const [type, length] = layout as [string, number];
      return { kind: "inline", value: { type, bytes: payload.take(length) } };
    }
    case 2:
      return { kind: "whole", blob: restoreBlobRef(layout as StoredBlobRef) };
    case 3: {
      const [runs, tailLength] = layout as [[number, ...StoredBlobRef][], number];
      return {
        kind: "list",
        runs: runs.map(([count, ...blob]) => ({ count, blob: restoreBlobRef(blob) })),
        tail: unframe(payload.take(tailLength)).map(frame),
      };
    }
    default:
      throw new Error(`it has the unknown layout ${String(kind)}.`);
  }
}
