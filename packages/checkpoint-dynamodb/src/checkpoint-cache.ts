/**
 * The latest checkpoints this saver has read or written, without their large values: what the next checkpoint of
 * a thread needs to know of its parent, so that a run reads each parent from the table once at most. A cached
 * checkpoint is what was stored; losing one costs a read, never an answer.
 */
import { inlineBytes } from "./channel-values.ts";
import type { StoredCheckpoint } from "./stored-checkpoint.ts";
import type { ThreadKey } from "./table.ts";

const MOST_BYTES = 16 * 1024 * 1024;
/** For what an entry takes besides its inline values. */
const ENTRY_BYTES = 4 * 1024;

interface Entry {
  readonly namespace: string;
  readonly stored: StoredCheckpoint;
  readonly bytes: number;
}

const namespaceKey = (thread: ThreadKey, ns: string): string => JSON.stringify([thread.pk, ns]);
const entryKey = (namespace: string, id: string): string => `${namespace}${id}`;

export class CheckpointCache {
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  get(thread: ThreadKey, ns: string, id: string): StoredCheckpoint | undefined {
    const key = entryKey(namespaceKey(thread, ns), id);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.stored;
  }

  /** Keeps a checkpoint; one that is known already is kept with what is known beyond its item. */
  set(thread: ThreadKey, ns: string, stored: StoredCheckpoint): void {
    const namespace = namespaceKey(thread, ns);
    const key = entryKey(namespace, stored.id);
    if (this.#entries.get(key)?.stored.digest === stored.digest) return;
    this.#remove(key);
    const inline = [...stored.channels.values()].reduce((sum, each) => sum + inlineBytes(each.value), 0);
    const entry = { namespace, stored, bytes: ENTRY_BYTES + stored.stem.length + inline };
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#remove(oldest);
    }
  }

  /** The cached checkpoints of a namespace, the last used first. */
  ofNamespace(thread: ThreadKey, ns: string): StoredCheckpoint[] {
    const namespace = namespaceKey(thread, ns);
    const found = [...this.#entries.values()].filter((entry) => entry.namespace === namespace);
    return found.reverse().map((entry) => entry.stored);
  }

  deleteThread(thread: ThreadKey): void {
    const start = `[${JSON.stringify(thread.pk)},`;
    for (const key of [...this.#entries.keys()]) if (key.startsWith(start)) this.#remove(key);
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
