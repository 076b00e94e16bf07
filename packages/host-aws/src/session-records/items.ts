/** A record as an item of the table: its JSON, its version, and the keys of the indexes it stands in. */
import {
  type SessionKey,
  type SessionRecord,
  type StoredRecord,
  sessionRecordSchema,
} from "@archmax-ai/host";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { SessionRecordCorruptError, SessionRecordTooLargeError } from "./errors.ts";
import {
  attentionKey,
  attentionShard,
  recencyKey,
  recordKey,
  statusPartition,
  workflowPartition,
} from "./keys.ts";

/** One stored item. */
export type Item = Record<string, AttributeValue>;

/** Names of attributes counted. DynamoDB's own bound is 409,600 bytes; servers that stand in for it stop sooner. */
export const MAX_ITEM_BYTES = 400_000;

const FINISHED: ReadonlySet<string> = new Set(["completed", "failed", "rejected"]);

/**
 * The item of a record.
 *
 * @param finishedTtlSeconds how long after its `updatedAt` the record of a finished session may go; undefined: never
 * @throws SessionRecordTooLargeError
 */
export function itemOf(record: SessionRecord, version: string, finishedTtlSeconds: number | undefined): Item {
  const { tenant, workflow, status, attentionAt } = record;
  const item: Item = {
    pk: { S: recordKey(record) },
    version: { S: version },
    body: { S: JSON.stringify(record) },
    workflowPk: { S: workflowPartition(tenant, workflow) },
    statusPk: { S: statusPartition(tenant, workflow, status) },
    recency: { S: recencyKey(record) },
    ...(attentionAt !== undefined && {
      attentionPk: { S: attentionShard(record) },
      attention: { S: attentionKey(record, attentionAt) },
    }),
    ...(finishedTtlSeconds !== undefined &&
      mayGo(record) && {
        ttl: { N: String(Math.ceil(Date.parse(record.updatedAt) / 1_000) + finishedTtlSeconds) },
      }),
  };
  const bytes = sizeOf(item);
  if (bytes > MAX_ITEM_BYTES) throw new SessionRecordTooLargeError(record, bytes, MAX_ITEM_BYTES);
  return item;
}

/** Only what has come to rest goes by itself: no turn in progress, no deletion begun, nothing owed. */
function mayGo({ status, turn, attentionAt, deleting }: SessionRecord): boolean {
  return FINISHED.has(status) && turn === undefined && attentionAt === undefined && deleting !== true;
}

/**
 * What stands in a removed record's place until it is deleted: in no index, and gone by itself should that never
 * come to pass.
 */
export function tombstoneOf(key: SessionKey, version: string, ttl: number): Item {
  return {
    pk: { S: recordKey(key) },
    version: { S: version },
    removed: { BOOL: true },
    ttl: { N: String(ttl) },
  };
}

export const isTombstone = (item: Item): boolean => item.removed?.BOOL === true;

/**
 * The record of an item, from the table or an index.
 *
 * @throws SessionRecordCorruptError
 */
export function recordOf(item: Item, tableName: string): SessionRecord {
  const itemKey = item.pk?.S ?? "";
  const record = parsed(item, tableName, itemKey);
  if (recordKey(record) !== itemKey)
    throw new SessionRecordCorruptError(tableName, itemKey, "it holds the record of another session");
  return record;
}

/** @throws SessionRecordCorruptError */
export function storedRecordOf(item: Item, tableName: string): StoredRecord {
  const version = item.version?.S;
  if (version === undefined)
    throw new SessionRecordCorruptError(tableName, item.pk?.S ?? "", "it has no version");
  return { record: recordOf(item, tableName), version };
}

function parsed(item: Item, tableName: string, itemKey: string): SessionRecord {
  try {
    return sessionRecordSchema.parse(JSON.parse(item.body?.S ?? ""));
  } catch (cause) {
    throw new SessionRecordCorruptError(tableName, itemKey, "its body cannot be read", { cause });
  }
}

/** As DynamoDB counts: names, texts in UTF-8; a number or a truth at most 21 bytes. */
function sizeOf(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) =>
      sum + Buffer.byteLength(name) + (value.S === undefined ? 21 : Buffer.byteLength(value.S)),
    0,
  );
}
