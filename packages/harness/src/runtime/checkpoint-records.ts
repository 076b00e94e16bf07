import { createHash, randomUUID } from "node:crypto";
import * as z from "zod";

/** Longest key a record's file name spells out; a longer one ends in its hash, so that names fit 255 bytes. */
const LONGEST_KEY = 200;
/** Characters of a long key that stay readable. */
const KEPT_OF_LONG_KEY = 156;

/** The end of the key of an error, scheduled, interrupt or resume write. */
const SPECIAL_INDEX = /,-\d+$/;

const bytes = z.base64().transform((text): Uint8Array => Uint8Array.from(Buffer.from(text, "base64")));

const checkpointRecordSchema = z.object({
  k: z.literal("cp"),
  ns: z.string(),
  id: z.string().min(1),
  parent: z.string().nullable(),
  cp: bytes,
  md: bytes,
});

const writeRecordSchema = z.object({
  k: z.literal("w"),
  ns: z.string(),
  id: z.string().min(1),
  ik: z.string().regex(/^.+,-?\d+$/s),
  taskId: z.string(),
  channel: z.string(),
  val: bytes,
  path: z.string().default(""),
  /** The call it was stored by, and how many records that call stored; absent where it stored one. */
  batch: z.object({ id: z.string().min(1), size: z.int().min(2) }).optional(),
});

const recordSchema = z.discriminatedUnion("k", [checkpointRecordSchema, writeRecordSchema]);

/** A checkpoint as it is kept: `cp` and `md` are the serialized bytes of the checkpoint and its metadata. */
export type CheckpointRecord = z.output<typeof checkpointRecordSchema>;

/** A pending write as it is kept: `ik` is `<taskId>,<index>`, `path` the task path that orders writes. */
export type WriteRecord = z.output<typeof writeRecordSchema>;

/**
 * One call's records, its regular writes marked as belonging together: each is a file of its own, and a process may
 * die between two of them. The special writes (negative indices) stand for themselves.
 */
export function inOneBatch(records: readonly WriteRecord[]): WriteRecord[] {
  const regular = records.filter(({ ik }) => !SPECIAL_INDEX.test(ik));
  if (regular.length < 2) return [...records];
  const batch = { id: randomUUID(), size: regular.length };
  return records.map((record) => (regular.includes(record) ? { ...record, batch } : record));
}

/**
 * The records without the writes of a call that was cut off before all of them were stored. LangGraph takes a task
 * for done as soon as one write of it is there, so half a task's writes would lose the other half.
 */
export function withoutPartialBatches(
  records: readonly (CheckpointRecord | WriteRecord)[],
): (CheckpointRecord | WriteRecord)[] {
  const stored = new Map<string, number>();
  for (const record of records) {
    if (record.k === "w" && record.batch) {
      stored.set(record.batch.id, (stored.get(record.batch.id) ?? 0) + 1);
    }
  }
  return records.filter(
    (record) => record.k === "cp" || !record.batch || (stored.get(record.batch.id) ?? 0) >= record.batch.size,
  );
}

/**
 * A record read back from its file.
 *
 * @throws when the value is no record: a damaged file must not read as an absent one.
 */
export function parseCheckpointRecord(value: unknown): CheckpointRecord | WriteRecord {
  return recordSchema.parse(value);
}

/** The line a record's file holds. */
export function checkpointRecordLine(record: CheckpointRecord | WriteRecord): string {
  const kept =
    record.k === "cp"
      ? { ...record, cp: base64(record.cp), md: base64(record.md) }
      : { ...record, val: base64(record.val) };
  return `${JSON.stringify(kept)}\n`;
}

/** The file name of a record (spec 04 §11). Nothing decodes a name; it only has to be the record's own. */
export function checkpointRecordName(record: CheckpointRecord | WriteRecord): string {
  if (record.k === "cp") return `cp-${recordKey(`${record.ns}\0${record.id}`)}.json`;
  return `w-${recordKey(`${record.ns}\0${record.id}\0${record.ik}`)}.json`;
}

function recordKey(key: string): string {
  const encoded = Buffer.from(key, "utf8").toString("base64url");
  if (encoded.length <= LONGEST_KEY) return encoded;
  const digest = createHash("sha256").update(key, "utf8").digest("base64url");
  return `${encoded.slice(0, KEPT_OF_LONG_KEY)}~${digest}`;
}

function base64(content: Uint8Array): string {
  return Buffer.from(content).toString("base64");
}
