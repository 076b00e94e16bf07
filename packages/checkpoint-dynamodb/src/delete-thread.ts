/** Deletes all of a thread. */
import { ALL_NAMESPACES, ALL_VALUES, endOf, FENCE_KEY, indexKey, indexPartition } from "./keys.ts";
import type { Storage } from "./storage.ts";
import type { ThreadKey } from "./table.ts";
import { sortKeyOf } from "./thread-rows.ts";

/**
 * Checkpoints go first, so that nobody reads half a conversation, then their values, the objects in S3, the
 * fence, and last the entry in the index of threads: a deletion that was cut off is found and taken up again.
 */
export async function deleteThread(storage: Storage, thread: ThreadKey): Promise<void> {
  storage.cache.deleteThread(thread);
  for (const room of [ALL_NAMESPACES, ALL_VALUES])
    for await (const items of storage.table.pages(thread, { from: room, to: endOf(room), keysOnly: true }))
      await storage.table.deleteMany(thread, items.map(sortKeyOf));
  await storage.overflow?.deleteThread(thread);
  await storage.table.deleteMany(thread, [FENCE_KEY]);
  const index = { threadId: thread.threadId, pk: indexPartition(storage.keyPrefix) };
  await storage.table.deleteMany(index, [indexKey(thread.threadId)]);
}
