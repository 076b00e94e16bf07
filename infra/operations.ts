import type { Queues } from "./queue.ts";
import type { Storage } from "./storage.ts";

/**
 * What the scripts of docs/operate.md work on. `sst shell` gives it to them; they act with the rights of whoever runs
 * them, so this grants none.
 */
export function linkOperations({ storage, queues }: { storage: Storage; queues: Queues }): void {
  new sst.Linkable("Operations", {
    properties: {
      hostTable: storage.host.name,
      bucket: storage.files.name,
      queueUrl: queues.commands.url,
      deadLetterQueueUrl: queues.deadLetters.url,
      undeliveredQueueUrl: queues.undelivered.url,
    },
  });
}
