/**
 * The keys of the table. One thread is one partition; its sort keys, in the order DynamoDB keeps them:
 *
 *     N#<namespace>#!<checkpoint>#A#<task>#<group>   pending writes of a checkpoint
 *     N#<namespace>#!<checkpoint>#C                  the checkpoint, after its writes: first in descending order
 *     N#<namespace>#~                                the head of a fenced namespace, above all its checkpoints
 *     V#<digest>#<part>                              a value or a run of list elements
 *     Y                                              the thread's fence
 *
 * One more partition for each key prefix, with the empty thread id, is the index of threads: its sort keys are the
 * threads' ids.
 *
 * Namespaces, checkpoint ids and task ids are escaped so that no part can contain a separator, and so that
 * escaped ids sort as the ids do, by code point.
 */

/** Sort keys may hold 1,024 bytes and partition keys 2,048; these bounds keep every combination below that. */
const LIMITS = { thread: 1000, namespace: 600, checkpoint: 160, task: 160 } as const;
const PARTITION_KEY_BYTES = 2048;

const LAST = "\u{10ffff}";

/** Every character up to `%` becomes `%XX`, which sorts below all other characters and among its like. */
const escaped = (text: string): string =>
  text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be escaped
    /[\u0000-%]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );

const unescaped = (text: string): string =>
  text.replaceAll(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

function keyPart(kind: keyof typeof LIMITS, text: unknown): string {
  if (typeof text !== "string") throw new TypeError(`The ${kind} id must be a string, not ${typeof text}.`);
  if (!text.isWellFormed()) throw new TypeError(`The ${kind} id holds half of a surrogate pair.`);
  const part = escaped(text);
  if (Buffer.byteLength(part) > LIMITS[kind])
    throw new RangeError(`The ${kind} id is longer than ${LIMITS[kind]} bytes: ${text.slice(0, 40)}...`);
  return part;
}

/** The partition of a thread. Distinct (prefix, thread) pairs have distinct keys, each starting with its prefix. */
export function partitionKey(keyPrefix: string, threadId: unknown): string {
  if (threadId === "") throw new TypeError("The thread id must not be empty.");
  const key = `${keyPrefix}#${keyPart("thread", threadId)}`;
  if (Buffer.byteLength(key) > PARTITION_KEY_BYTES)
    throw new RangeError(
      `The key prefix and the thread id together are longer than ${PARTITION_KEY_BYTES} bytes.`,
    );
  return key;
}

/** The partition that lists the threads of a prefix; no thread has it, as no thread id is empty. */
export const indexPartition = (keyPrefix: string): string => `${keyPrefix}#`;
/** A thread's row in the index. */
export const indexKey = (threadId: string): string => keyPart("thread", threadId);
/** The thread of a row in the index. */
export const indexedThread = (sk: string): string => unescaped(sk);

/** All checkpoints, heads and writes of a thread. */
export const ALL_NAMESPACES = "N#";
/** All values and runs of a thread. */
export const ALL_VALUES = "V#";

export const namespacePrefix = (ns: string): string => `${ALL_NAMESPACES}${keyPart("namespace", ns)}#`;
/** Without the head. */
export const checkpointsPrefix = (ns: string): string => `${namespacePrefix(ns)}!`;
export const headKey = (ns: string): string => `${namespacePrefix(ns)}~`;
/** Everything of one checkpoint starts with this; of an older checkpoint, nothing reaches it. */
export const checkpointPrefix = (ns: string, id: string): string => {
  if (id === "") throw new TypeError("The checkpoint id must not be empty.");
  return `${checkpointsPrefix(ns)}${keyPart("checkpoint", id)}#`;
};
export const checkpointKey = (ns: string, id: string): string => `${checkpointPrefix(ns, id)}C`;
/** The upper end of everything that starts with a prefix. */
export const endOf = (prefix: string): string => `${prefix}${LAST}`;

/** The item of a task's pending writes; `group` counts items of 64 indexes. */
export const writesKey = (ns: string, checkpointId: string, taskId: string, group: number): string =>
  `${checkpointPrefix(ns, checkpointId)}A#${keyPart("task", taskId)}#${String(group).padStart(5, "0")}`;

export const valueKey = (digest: string, part: number): string =>
  `${ALL_VALUES}${digest}#${String(part).padStart(5, "0")}`;

export const FENCE_KEY = "Y";

/** What a sort key of the `N#` range stands for. */
export type NamespaceRow =
  | { readonly kind: "head"; readonly ns: string }
  | { readonly kind: "checkpoint"; readonly ns: string; readonly id: string }
  | { readonly kind: "writes"; readonly ns: string; readonly id: string; readonly taskId: string };

/** @returns undefined for a key this version does not know */
export function parseNamespaceRow(sk: string): NamespaceRow | undefined {
  const [room, nsPart, idPart, kind, taskPart] = sk.split("#");
  if (room !== "N" || nsPart === undefined || idPart === undefined) return undefined;
  const ns = unescaped(nsPart);
  if (idPart === "~") return { kind: "head", ns };
  const id = unescaped(idPart.slice(1));
  if (kind === "C") return { kind: "checkpoint", ns, id };
  if (kind === "A" && taskPart !== undefined) return { kind: "writes", ns, id, taskId: unescaped(taskPart) };
  return undefined;
}
