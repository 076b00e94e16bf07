/** What a checkpoint stores of each channel, and how a new version's value is laid out. */
import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import type { Blob, BlobRef, BlobStore, LoadedBlobs } from "./blobs.ts";
import { openBlob } from "./blobs.ts";
import { digestOf } from "./digest.ts";
import { detached, frame, frameAll, type Typed, unframe } from "./framing.ts";
import { countOf, planList, type Run, sizeOf, TAIL_BYTES } from "./list-runs.ts";

/** The value of one channel in one version. */
export type ChannelValue =
  /** The version has no value, as the channel was emptied. */
  | { readonly kind: "empty" }
  /** Inside the checkpoint. */
  | { readonly kind: "inline"; readonly value: Typed }
  /** On its own. */
  | { readonly kind: "whole"; readonly blob: BlobRef }
  /** A list: runs on their own, the last elements, framed, inside the checkpoint. */
  | { readonly kind: "list"; readonly runs: readonly Run[]; readonly tail: readonly Uint8Array[] };

/** A value with whether this very checkpoint's step wrote it. */
export interface StoredChannel {
  readonly value: ChannelValue;
  readonly fresh: boolean;
  /** Of a list: runs that were written together with the checkpoint, for the next one to refer to. Not stored. */
  readonly ahead?: readonly Run[];
}

/** A value up to this size rides inside every checkpoint. */
const SMALL_BYTES = 512;
/** A value that changes at every step rides inside its checkpoint, which nobody else needs, up to this size. */
const HOT_BYTES = 64 * 1024;

/** New elements up to this size ride inside the checkpoint once, while their run is written beside it. */
const RIDE_BYTES = 16 * 1024;

export interface ChannelLayout {
  readonly value: ChannelValue;
  /** To be written before the checkpoint. */
  readonly blobs: readonly Blob[];
  /** Runs for the next checkpoint to refer to, and what of them is to be written together with this one. */
  readonly ahead?: { readonly runs: readonly Run[]; readonly blobs: readonly Blob[] };
}

const without = (value: ChannelValue): ChannelLayout => ({ value, blobs: [] });

/** Everything a value needs outside its checkpoint. */
export function blobsOf(value: ChannelValue): readonly BlobRef[] {
  if (value.kind === "whole") return [value.blob];
  if (value.kind === "list") return value.runs.map((run) => run.blob);
  return [];
}

/** Bytes a value takes inside its checkpoint, uncompressed. */
export function inlineBytes(value: ChannelValue): number {
  if (value.kind === "inline") return value.value.bytes.byteLength;
  if (value.kind === "list") return sizeOf(value.tail);
  return 0;
}

/**
 * Lays out a new value.
 * @param previous the channel in the checkpoint this one follows
 */
export async function layOut(
  store: BlobStore,
  serde: SerializerProtocol,
  value: unknown,
  previous: StoredChannel | undefined,
): Promise<ChannelLayout> {
  if (value === undefined) return without({ kind: "empty" });
  if (Array.isArray(value)) {
    const list = await layOutList(store, serde, value, previous);
    if (list !== undefined) return list;
  }
  const typed = await serialize(serde, value);
  const size = typed.bytes.byteLength;
  if (size <= SMALL_BYTES || (size <= HOT_BYTES && previous?.fresh === true))
    return without({ kind: "inline", value: kept(typed) });
  return onItsOwn(store, typed, previous?.value);
}

/** A value that this step did not change; one too large to ride along at every step moves out. */
export function carryOver(store: BlobStore, { value, ahead }: StoredChannel): ChannelLayout {
  if (value.kind === "inline" && value.value.bytes.byteLength > SMALL_BYTES)
    return onItsOwn(store, value.value, undefined);
  if (value.kind !== "list") return without(value);
  if (ahead !== undefined) {
    const tail = value.tail.slice(countOf(ahead) - countOf(value.runs));
    return without({ kind: "list", runs: ahead, tail });
  }
  return sizeOf(value.tail) > TAIL_BYTES ? moveOut(store, without(value)) : without(value);
}

/** The same layout with nothing left inside the checkpoint. */
export function moveOut(store: BlobStore, layout: ChannelLayout): ChannelLayout {
  const { value, blobs } = layout;
  if (value.kind === "inline") return onItsOwn(store, value.value, undefined);
  if (value.kind !== "list" || value.tail.length === 0) return layout;
  const blob = store.prepare(value.tail);
  const runs = [...value.runs, { count: value.tail.length, blob: blob.ref }];
  return { value: { kind: "list", runs, tail: [] }, blobs: [...blobs, blob] };
}

function onItsOwn(store: BlobStore, typed: Typed, previous: ChannelValue | undefined): ChannelLayout {
  const content = [frame(typed)];
  const digest = digestOf(content);
  if (previous?.kind === "whole" && previous.blob.digest === digest) return without(previous);
  const blob = store.prepare(content, digest);
  return { value: { kind: "whole", blob: blob.ref }, blobs: [blob] };
}

/** @returns undefined when an element cannot be serialized on its own: the list is then one value like others */
async function layOutList(
  store: BlobStore,
  serde: SerializerProtocol,
  list: readonly unknown[],
  previous: StoredChannel | undefined,
): Promise<ChannelLayout | undefined> {
  const elements = await Promise.all(Array.from(list, (element) => serde.dumpsTyped(element)));
  if (elements.some(([, bytes]) => bytes.byteLength === 0)) return undefined;
  const frames = frameAll(elements.map(([type, bytes]) => ({ type, bytes })));
  const known = previous?.value.kind === "list" ? (previous.ahead ?? previous.value.runs) : [];
  const plan = planList(frames, known);
  const blobs: Blob[] = [];
  const runs = plan.runs.map((planned): Run => {
    if (planned.kind === "stored") return planned.run;
    const blob = store.prepare(planned.elements, planned.digest);
    blobs.push(blob);
    return { count: planned.elements.length, blob: blob.ref };
  });
  const riding = frames.slice(countOf(known));
  // Another saver wrote the parent: what rode there has ridden long enough.
  const overdue = previous?.ahead === undefined && tailBytes(previous?.value) > TAIL_BYTES;
  if (blobs.length > 0 && plan.continues && !overdue && sizeOf(riding) <= RIDE_BYTES)
    return {
      value: { kind: "list", runs: known, tail: detached(riding) },
      blobs: [],
      ahead: { runs, blobs },
    };
  return { value: { kind: "list", runs, tail: detached(plan.tail) }, blobs };
}

const tailBytes = (value: ChannelValue | undefined): number =>
  value?.kind === "list" ? sizeOf(value.tail) : 0;

/** A serializer may return raw bytes as they were given, and who gave them may change them later. */
const kept = ({ type, bytes }: Typed): Typed =>
  type === "json" ? { type, bytes } : { type, bytes: new Uint8Array(bytes) };

export async function serialize(serde: SerializerProtocol, value: unknown): Promise<Typed> {
  const [type, bytes] = await serde.dumpsTyped(value);
  return { type, bytes };
}

/** Raw bytes are copied: a serializer may return what it is given, and the reader may change it. */
export function deserialize(serde: SerializerProtocol, { type, bytes }: Typed): Promise<unknown> {
  return serde.loadsTyped(type, type === "json" ? bytes : new Uint8Array(bytes));
}

/**
 * The value itself.
 * @throws when a part of it is missing or damaged
 */
export async function readValue(
  serde: SerializerProtocol,
  value: Exclude<ChannelValue, { kind: "empty" }>,
  loaded: LoadedBlobs,
): Promise<unknown> {
  if (value.kind === "inline") return deserialize(serde, value.value);
  if (value.kind === "whole") return readTyped(serde, value.blob, loaded);
  const frames = value.runs.flatMap(({ count, blob }) => {
    const run = unframe(openBlob(blob, loaded));
    if (run.length !== count)
      throw new Error(`its run ${blob.digest} has ${run.length} elements, not ${count}.`);
    return run;
  });
  frames.push(...value.tail.flatMap(unframe));
  return Promise.all(frames.map((typed) => deserialize(serde, typed)));
}

/** A single value stored on its own, or at its place among others. */
export async function readTyped(
  serde: SerializerProtocol,
  blob: BlobRef,
  loaded: LoadedBlobs,
  place = 0,
): Promise<unknown> {
  const typed = unframe(openBlob(blob, loaded))[place];
  if (typed === undefined) throw new Error(`its value ${blob.digest} is not where it should be.`);
  return deserialize(serde, typed);
}
