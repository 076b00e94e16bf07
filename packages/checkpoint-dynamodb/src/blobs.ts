/**
 * Content-addressed values of a thread: written before the checkpoint that needs them, shared by all that do,
 * verified when they are read.
 */
import { type Compression, compress, decompress } from "./compression.ts";
import { digestOf } from "./digest.ts";
import { concat } from "./framing.ts";
import { valueKey } from "./keys.ts";
import { OpenedBlobs } from "./opened-blobs.ts";
import type { Overflow } from "./overflow.ts";
import { bytesOf, type Item, inParallel, isConditionFailure, type Table, type ThreadKey } from "./table.ts";

/** What one item holds at most; DynamoDB's limit of 400 KB counts keys and names too. */
const PART_BYTES = 350 * 1024;

/** Where a value is and what it must be. */
export interface BlobRef {
  /** Of the uncompressed bytes. */
  readonly digest: string;
  /** Uncompressed bytes. */
  readonly size: number;
  /** How many items hold it; 0 when it is an object in S3. */
  readonly parts: number;
  /**
   * Of the compressed bytes, when they are split: parts written by another release of a codec must not be
   * joined with these.
   */
  readonly tag?: string;
}

/** A value ready to be written. */
export interface Blob {
  readonly ref: BlobRef;
  readonly encoded: Uint8Array;
}

/** As a checkpoint stores a reference: an array, for its size. */
export type StoredBlobRef = [digest: string, size: number, parts?: number, tag?: string];

export const storeBlobRef = ({ digest, size, parts, tag }: BlobRef): StoredBlobRef => {
  if (parts === 1) return [digest, size];
  return tag === undefined ? [digest, size, parts] : [digest, size, parts, tag];
};
export const restoreBlobRef = ([digest, size, parts = 1, tag]: StoredBlobRef): BlobRef =>
  tag === undefined ? { digest, size, parts } : { digest, size, parts, tag };

const partName = (ref: BlobRef): string => (ref.tag === undefined ? ref.digest : `${ref.digest}.${ref.tag}`);

const partKeys = (ref: BlobRef): string[] =>
  Array.from({ length: ref.parts }, (_, part) => valueKey(partName(ref), part));

/** Values by reference, opened: their bytes, or why they cannot be read. */
export type LoadedBlobs = ReadonlyMap<string, Uint8Array | Error>;

export class BlobStore {
  readonly #table: Table;
  readonly #compression: Compression;
  readonly #overflow: Overflow | undefined;
  readonly #opened = new OpenedBlobs();

  constructor(table: Table, compression: Compression, overflow: Overflow | undefined) {
    this.#table = table;
    this.#compression = compression;
    this.#overflow = overflow;
  }

  /** Compresses a value and decides where it goes. */
  prepare(content: readonly Uint8Array[], digest = digestOf(content)): Blob {
    const raw = concat(content);
    const encoded = compress(raw, this.#compression);
    const size = raw.byteLength;
    const parts = Math.ceil(encoded.byteLength / PART_BYTES);
    if (parts === 1) return { ref: { digest, size, parts }, encoded };
    if (this.#overflow !== undefined) return { ref: { digest, size, parts: 0 }, encoded };
    return { ref: { digest, size, parts, tag: digestOf([encoded]).slice(0, 8) }, encoded };
  }

  /** The items of values that go into the table. */
  items(thread: ThreadKey, blobs: readonly Blob[], ttl: number | undefined): Item[] {
    const items = new Map<string, Item>();
    for (const { ref, encoded } of blobs)
      for (const [part, sk] of partKeys(ref).entries())
        items.set(sk, {
          pk: { S: thread.pk },
          sk: { S: sk },
          d: { B: encoded.subarray(part * PART_BYTES, (part + 1) * PART_BYTES) },
          ...(ttl !== undefined && { ttl: { N: String(ttl) } }),
        });
    return [...items.values()];
  }

  /** Writes the values that go to S3. */
  async writeObjects(thread: ThreadKey, blobs: readonly Blob[]): Promise<void> {
    const objects = blobs.filter(({ ref }) => ref.parts === 0);
    await inParallel(objects, ({ ref, encoded }) => this.#requireOverflow().put(thread, ref.digest, encoded));
  }

  /** Fetches the values that this saver has not read before, in one round of parallel requests. */
  async load(thread: ThreadKey, refs: readonly BlobRef[]): Promise<LoadedBlobs> {
    const loaded = new Map<string, Uint8Array | Error>();
    const missing = new Map<string, BlobRef>();
    for (const ref of refs) {
      const opened = this.#opened.get(ref.digest);
      if (opened === undefined) missing.set(partName(ref), ref);
      else loaded.set(partName(ref), opened);
    }
    const note = (ref: BlobRef, encoded: Uint8Array) => {
      const opened = open(ref, encoded);
      loaded.set(partName(ref), opened);
      if (opened instanceof Uint8Array) this.#opened.set(ref.digest, opened);
    };
    const fromTable = async (inItems: BlobRef[]) => {
      if (inItems.length === 0) return;
      const items = await this.#table.getMany(thread, inItems.flatMap(partKeys));
      for (const ref of inItems) {
        const parts = partKeys(ref).map((sk) => bytesOf(items.get(sk) ?? {}, "d"));
        if (parts.every((part) => part !== undefined)) note(ref, concat(parts));
      }
    };
    const fromObjects = (inObjects: BlobRef[]) =>
      inParallel(inObjects, async (ref) => {
        const bytes = await this.#requireOverflow().get(thread, ref.digest);
        if (bytes !== undefined) note(ref, bytes);
      });
    const all = [...missing.values()];
    await Promise.all([
      fromTable(all.filter(({ parts }) => parts > 0)),
      fromObjects(all.filter(({ parts }) => parts === 0)),
    ]);
    return loaded;
  }

  /** Gives stored values another expiry, or none. @throws Error when one is no longer there */
  async prolong(thread: ThreadKey, refs: readonly BlobRef[], ttl: number | undefined): Promise<void> {
    await inParallel(refs, async (ref) => {
      if (ref.parts === 0) return this.#requireOverflow().touch(thread, ref.digest);
      for (const sk of partKeys(ref)) await prolongItem(this.#table, thread, sk, ttl);
    });
  }

  #requireOverflow(): Overflow {
    if (this.#overflow === undefined)
      throw new Error("A value of this thread is in S3: the saver needs the `overflow` it was written with.");
    return this.#overflow;
  }
}

/** Gives an existing item another expiry, or none. @throws Error when it is no longer there */
export async function prolongItem(
  table: Table,
  thread: ThreadKey,
  sk: string,
  ttl: number | undefined,
): Promise<void> {
  try {
    await table.update(thread, sk, {
      UpdateExpression: ttl === undefined ? "REMOVE #ttl" : "SET #ttl = :ttl",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ...(ttl !== undefined && { ExpressionAttributeValues: { ":ttl": { N: String(ttl) } } }),
    });
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    throw new Error(`the item ${sk}, which it needs, is no longer there.`, { cause: error });
  }
}

/**
 * The uncompressed bytes of a loaded value.
 * @throws Error saying what is wrong when it is missing or is not what was written
 */
export function openBlob(ref: BlobRef, loaded: LoadedBlobs): Uint8Array {
  const opened = loaded.get(partName(ref));
  if (opened === undefined) throw new Error(`its value ${ref.digest} is missing.`);
  if (opened instanceof Error) throw opened;
  return opened;
}

/** Opens stored bytes and makes sure that they are what was written. */
function open(ref: BlobRef, encoded: Uint8Array): Uint8Array | Error {
  try {
    const raw = decompress(encoded, ref.size);
    if (raw.byteLength === ref.size && digestOf([raw]) === ref.digest) return raw;
    return new Error(`its value ${ref.digest} is not what was written.`);
  } catch (error) {
    return new Error(`its value ${ref.digest} is not what was written.`, { cause: error });
  }
}
