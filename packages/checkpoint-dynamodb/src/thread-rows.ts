/** The rows of a thread's namespaces, decoded. */
import { CheckpointCorruptError } from "./errors.ts";
import { checkpointKey, checkpointPrefix, parseNamespaceRow } from "./keys.ts";
import { readWrites, type StoredWrite } from "./pending-writes.ts";
import type { Storage } from "./storage.ts";
import { decodeCheckpoint, type StoredCheckpoint } from "./stored-checkpoint.ts";
import { bytesOf, type Item, numberOf, stringOf, type ThreadKey } from "./table.ts";

export type Row =
  | { readonly kind: "head" | "checkpoint"; readonly ns: string; readonly stored: StoredCheckpoint }
  | {
      readonly kind: "writes";
      readonly ns: string;
      readonly id: string;
      readonly writes: readonly StoredWrite[];
    };

export const sortKeyOf = (item: Item): string => stringOf(item, "sk") ?? "";

/**
 * @returns undefined for an item past its expiry
 * @throws CheckpointCorruptError
 */
export function readRow(storage: Storage, thread: ThreadKey, item: Item): Row | undefined {
  const row = parseNamespaceRow(sortKeyOf(item));
  const ttl = numberOf(item, "ttl");
  if (row === undefined || storage.expiry.isPast(ttl)) return undefined;
  const id = row.kind === "head" ? (stringOf(item, "cp") ?? "") : row.id;
  try {
    if (row.kind === "writes")
      return { kind: "writes", ns: row.ns, id, writes: readWrites(item, row.taskId) };
    const place = { id, ttl, fence: numberOf(item, "f") };
    const encoded = bytesOf(item, "d") ?? new Uint8Array();
    const known = storage.cache.ofBytes(thread, row.ns, id, encoded);
    const stored = known === undefined ? decodeCheckpoint(encoded, place) : { ...known, ...place };
    return { kind: row.kind, ns: row.ns, stored };
  } catch (error) {
    const place = { threadId: thread.threadId, checkpointNs: row.ns, checkpointId: id };
    throw new CheckpointCorruptError(place, reasonOf(error), { cause: error });
  }
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** One checkpoint by its id: from the cache, or from the table. */
export async function storedCheckpoint(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
  id: string,
): Promise<StoredCheckpoint | undefined> {
  const cached = storage.cache.get(thread, ns, id);
  if (cached !== undefined && !storage.expiry.isPast(cached.ttl)) return cached;
  const item = await storage.table.get(thread, checkpointKey(ns, id));
  const row = item === undefined ? undefined : readRow(storage, thread, item);
  if (row?.kind !== "checkpoint") return undefined;
  storage.cache.set(thread, ns, row.stored);
  return row.stored;
}

/** The pending writes of a checkpoint. */
export async function writesOfCheckpoint(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
  id: string,
): Promise<StoredWrite[]> {
  const writes: StoredWrite[] = [];
  const range = { from: checkpointPrefix(ns, id), to: checkpointKey(ns, id) };
  for await (const items of storage.table.pages(thread, range))
    for (const item of items) {
      const row = readRow(storage, thread, item);
      if (row?.kind === "writes") writes.push(...row.writes);
    }
  return writes;
}
