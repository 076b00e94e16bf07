/** Session records on one DynamoDB table (spec 07 §3, 08 C). */
import {
  type Clock,
  SESSION_STATUSES,
  type SessionKey,
  type SessionRecords,
  systemClock,
} from "@archmax-ai/host";
import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { dueCursor, duePosition, listCursor, listPosition } from "./cursors.ts";
import { type Item, isTombstone, itemOf, recordOf, storedRecordOf, tombstoneOf } from "./items.ts";
import {
  ATTENTION_SHARDS,
  dueUntil,
  END,
  justAfter,
  recordKey,
  START,
  statusPartition,
  workflowPartition,
} from "./keys.ts";
import { firstOf, type Slice } from "./listing.ts";
import { conditional, named } from "./requests.ts";
import { descendsFrom, newWriteId, versionAfter } from "./versions.ts";

/** How long a removed record's mark stays where its deletion never came to pass, in seconds. */
const TOMBSTONE_SECONDS = 86_400;

const NEW = "attribute_not_exists(pk) OR attribute_exists(#removed)";
const AT_VERSION = "#version = :version AND attribute_not_exists(#removed)";

/** What the records are kept in. */
export interface DynamoSessionRecordsOptions {
  /**
   * Its retries are all there are: give it `maxAttempts` and, where many share a table, `retryMode: "adaptive"`.
   */
  client: DynamoDBClient;
  /** A table as {@link createSessionRecordsTable} makes it. */
  tableName: string;
  /**
   * How long the record of a finished session stays after its last change, in seconds; DynamoDB removes it some
   * time after that, within days. A session that goes on meanwhile keeps its record. The record alone goes:
   * checkpoints and objects have retentions of their own, which must not be shorter. Absent: records stay until
   * they are deleted.
   */
  finishedTtlSeconds?: number;
  /** Dates the marks of removed records alone. Default: the machine's. */
  clock?: Clock;
}

/**
 * Session records in DynamoDB. Every write is one conditional put; a write whose answer was lost and that the client
 * sends again is recognized as its own. `get` is strongly consistent; `list` and `due` read an index alone, in a
 * number of requests that follows the page and not the table.
 *
 * Besides what the port says, every method throws `SessionRecordsStorageError` where DynamoDB fails for good, and
 * the reading ones `SessionRecordCorruptError`. `create` and `replace` throw `SessionRecordTooLargeError` for a
 * record above 400 KB, storing nothing.
 *
 * @throws RangeError for a retention that is not a whole number of seconds above zero
 */
export function createDynamoSessionRecords(options: DynamoSessionRecordsOptions): SessionRecords {
  const { client, tableName, finishedTtlSeconds, clock = systemClock } = options;
  if (
    finishedTtlSeconds !== undefined &&
    !(Number.isSafeInteger(finishedTtlSeconds) && finishedTtlSeconds > 0)
  )
    throw new RangeError(`finishedTtlSeconds must be a whole number above zero, not ${finishedTtlSeconds}.`);

  async function read(key: SessionKey): Promise<Item | undefined> {
    const request = new GetItemCommand({
      TableName: tableName,
      Key: { pk: { S: recordKey(key) } },
      ConsistentRead: true,
    });
    const { Item: item } = await named({ operation: "GetItem", tableName, key }, () => client.send(request));
    return item;
  }

  /** Puts an item under a condition. Whether it was stored, answers that were lost included. */
  async function put(key: SessionKey, item: Item, writeId: string, replaced?: string): Promise<boolean> {
    const request = new PutItemCommand({
      TableName: tableName,
      Item: item,
      ...(replaced === undefined
        ? { ConditionExpression: NEW, ExpressionAttributeNames: { "#removed": "removed" } }
        : {
            ConditionExpression: AT_VERSION,
            ExpressionAttributeNames: { "#removed": "removed", "#version": "version" },
            ExpressionAttributeValues: { ":version": { S: replaced } },
          }),
    });
    const outcome = await conditional({ operation: "PutItem", tableName, key }, () => client.send(request));
    if (outcome !== "unsure") return outcome === "stored";
    const version = (await read(key))?.version?.S;
    return version !== undefined && descendsFrom(version, writeId);
  }

  return {
    async get(key) {
      const item = await read(key);
      return item === undefined || isTombstone(item) ? null : storedRecordOf(item, tableName);
    },

    async create(record) {
      const writeId = newWriteId();
      const version = versionAfter(writeId);
      return (await put(record, itemOf(record, version, finishedTtlSeconds), writeId)) ? version : null;
    },

    async replace(record, version) {
      const writeId = newWriteId();
      const next = versionAfter(writeId, version);
      return (await put(record, itemOf(record, next, finishedTtlSeconds), writeId, version)) ? next : null;
    },

    async remove(key, version) {
      // A plain conditional delete leaves nothing by which a lost answer could be told from a lost race.
      const writeId = newWriteId();
      const mark = versionAfter(writeId, version);
      const ttl = Math.ceil(clock.now() / 1_000) + TOMBSTONE_SECONDS;
      if (!(await put(key, tombstoneOf(key, mark, ttl), writeId, version))) return false;
      const request = new DeleteItemCommand({
        TableName: tableName,
        Key: { pk: { S: recordKey(key) } },
        ConditionExpression: "#version = :version",
        ExpressionAttributeNames: { "#version": "version" },
        ExpressionAttributeValues: { ":version": { S: mark } },
      });
      // Where the mark is not there any more, a new record has taken its place, or an earlier sending took it away.
      await conditional({ operation: "DeleteItem", tableName, key }, () => client.send(request));
      return true;
    },

    async list({ tenant, workflow, statuses, limit, cursor }) {
      const position = cursor === undefined ? undefined : listPosition(cursor, tenant, workflow);
      const wanted = new Set(statuses ?? SESSION_STATUSES);
      if (wanted.size === 0) return { records: [] };
      const range = { from: position === undefined ? START : justAfter(position), to: END };
      const slice: Slice =
        wanted.size === SESSION_STATUSES.length
          ? { index: "byWorkflow", partitions: [workflowPartition(tenant, workflow)], ...range }
          : {
              index: "byStatus",
              partitions: [...wanted].map((status) => statusPartition(tenant, workflow, status)),
              ...range,
            };
      const { items, last } = await firstOf(client, tableName, slice, limit);
      const records = items.map((item) => recordOf(item, tableName));
      return last === undefined ? { records } : { records, cursor: listCursor(tenant, workflow, last) };
    },

    async due({ until, limit, cursor }) {
      const from = cursor === undefined ? START : justAfter(duePosition(cursor));
      const to = dueUntil(until);
      // DynamoDB refuses a range whose ends are the wrong way round.
      if (to < from) return { records: [] };
      const slice: Slice = { index: "byAttention", partitions: ATTENTION_SHARDS, from, to };
      const { items, last } = await firstOf(client, tableName, slice, limit);
      const records = items.map((item) => recordOf(item, tableName));
      return last === undefined ? { records } : { records, cursor: dueCursor(last) };
    },
  };
}
