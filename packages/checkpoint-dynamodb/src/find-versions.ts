/** Finds channel versions in the other checkpoints of a namespace. */
import { checkpointsPrefix, endOf } from "./keys.ts";
import type { Storage } from "./storage.ts";
import type { StoredCheckpoint } from "./stored-checkpoint.ts";
import type { ThreadKey } from "./table.ts";
import { readRow } from "./thread-rows.ts";

/**
 * A copy of a checkpoint (LangGraph's fork) names the versions of the one it was copied from, which is not its
 * parent. That one was read a moment before and is in the cache; otherwise the namespace is read, newest first.
 * @returns for each channel a checkpoint that holds the wanted version of it
 */
export async function findVersions(
  storage: Storage,
  thread: ThreadKey,
  ns: string,
  wanted: ReadonlyMap<string, number | string>,
): Promise<Map<string, StoredCheckpoint>> {
  const found = new Map<string, StoredCheckpoint>();
  const note = (stored: StoredCheckpoint) => {
    for (const [channel, version] of wanted)
      if (!found.has(channel) && holds(stored, channel, version)) found.set(channel, stored);
  };
  for (const stored of storage.cache.ofNamespace(thread, ns)) note(stored);
  if (found.size === wanted.size) return found;
  const prefix = checkpointsPrefix(ns);
  const range = { from: prefix, to: endOf(prefix), descending: true };
  for await (const items of storage.table.pages(thread, range))
    for (const item of items) {
      const row = readRow(storage, thread, item);
      if (row?.kind === "checkpoint") note(row.stored);
      if (found.size === wanted.size) return found;
    }
  return found;
}

function holds(stored: StoredCheckpoint, channel: string, version: number | string): boolean {
  const value = stored.channels.get(channel)?.value;
  return value !== undefined && value.kind !== "empty" && stored.versions.get(channel) === version;
}
