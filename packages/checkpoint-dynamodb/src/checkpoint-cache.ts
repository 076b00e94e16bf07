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
const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
const entryKey = (namespace: string, id: string): string => `${namespace}${id}`;

export class CheckpointCache {
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  /** The highest id kept of each namespace. */
  readonly #highest = new Map<string, string>();
  #bytes = 0;

  get(thread: ThreadKey, ns: string, id: string): StoredCheckpoint | undefined {
    const key = entryKey(namespaceKey(thread, ns), id);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.stored;
  }

  /** The checkpoint these bytes were made of, where it is kept; with what is known beyond its item. */
  ofBytes(thread: ThreadKey, ns: string, id: string, encoded: Uint8Array): StoredCheckpoint | undefined {
    const stored = this.#entries.get(entryKey(namespaceKey(thread, ns), id))?.stored;
    return stored !== undefined && isSame(stored.encoded, encoded) ? stored : undefined;
  }

  /** The highest id kept of a namespace: its latest checkpoint is this one or above it, unless it was deleted. */
  highest(thread: ThreadKey, ns: string): string | undefined {
    return this.#highest.get(namespaceKey(thread, ns));
  }

  /** Keeps a checkpoint; one that is known already is kept with what is known beyond its item. */
  set(thread: ThreadKey, ns: string, stored: StoredCheckpoint): void {
    const namespace = namespaceKey(thread, ns);
    const key = entryKey(namespace, stored.id);
    const known = this.#entries.get(key)?.stored;
    if (known !== undefined && isSame(known.encoded, stored.encoded)) return;
    this.#remove(key);
    let bytes = ENTRY_BYTES + stored.stem.length + stored.encoded.byteLength;
    for (const { value } of stored.channels.values()) bytes += inlineBytes(value);
    this.#entries.set(key, { namespace, stored, bytes });
    this.#bytes += bytes;
    const highest = this.#highest.get(namespace);
    if (highest === undefined || highest < stored.id) this.#highest.set(namespace, stored.id);
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

  /** Forgets a namespace in which nothing is stored any more. */
  deleteNamespace(thread: ThreadKey, ns: string): void {
    const namespace = namespaceKey(thread, ns);
    if (!this.#highest.has(namespace)) return;
    for (const [key, entry] of [...this.#entries]) if (entry.namespace === namespace) this.#remove(key);
  }

  deleteThread(thread: ThreadKey): void {
    const start = `[${JSON.stringify(thread.pk)},`;
    for (const key of [...this.#entries.keys()]) if (key.startsWith(start)) this.#remove(key);
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#bytes -= entry.bytes;
    this.#entries.delete(key);
    if (this.#highest.get(entry.namespace) === entry.stored.id) this.#highest.delete(entry.namespace);
  }
}
