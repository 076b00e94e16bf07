/** The one place that talks to DynamoDB: requests with named errors, whole batches, pages. */
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { untilProcessed } from "./batches.ts";
import { CheckpointStorageError } from "./errors.ts";

/** One stored item. */
export type Item = Record<string, AttributeValue>;

/** A partition, and the thread a request to it concerns, for errors. */
export interface Partition {
  readonly threadId: string | undefined;
  readonly pk: string;
}

/** The partition of a thread. */
export interface ThreadKey extends Partition {
  readonly threadId: string;
}

/** Which rows of a partition to read, and in which direction. */
export interface Range {
  readonly from: string;
  readonly to: string;
  readonly descending?: boolean;
  /** The most items of one page; DynamoDB ends a page at 1 MB in any case. */
  readonly pageSize?: number | undefined;
  /** Continue after the row with this sort key. */
  readonly after?: string | undefined;
  readonly keysOnly?: boolean;
}

export interface Page {
  readonly items: Item[];
  /** The sort key after which the next page begins; undefined on the last. */
  readonly after: string | undefined;
}

const BATCH_GET_KEYS = 100;
const BATCH_WRITE_ITEMS = 25;
/** A request may hold 16 MB; the encoded body is a third larger than the bytes in it. */
const BATCH_WRITE_BYTES = 8 * 1024 * 1024;
/** Batches of one operation that are under way at once. */
const CONCURRENCY = 4;

export const stringOf = (item: Item, attribute: string): string | undefined => item[attribute]?.S;
export const bytesOf = (item: Item, attribute: string): Uint8Array | undefined => item[attribute]?.B;
export const numberOf = (item: Item, attribute: string): number | undefined => {
  const value = item[attribute]?.N;
  return value === undefined ? undefined : Number(value);
};
export const isConditionFailure = (error: unknown): boolean =>
  error instanceof ConditionalCheckFailedException;

export class Table {
  readonly name: string;
  readonly #client: DynamoDBClient;

  constructor(client: DynamoDBClient, name: string) {
    this.#client = client;
    this.name = name;
  }

  async get(partition: Partition, sk: string): Promise<Item | undefined> {
    const input = { TableName: this.name, Key: key(partition, sk), ConsistentRead: true };
    return (
      await this.#named("GetItem", partition.threadId, () => this.#client.send(new GetItemCommand(input)))
    ).Item;
  }

  /** @throws what `isConditionFailure` recognizes when the condition does not hold */
  async put(partition: Partition, item: Item, condition?: Condition): Promise<void> {
    const input = { TableName: this.name, Item: item, ...condition };
    await this.#named("PutItem", partition.threadId, () => this.#client.send(new PutItemCommand(input)));
  }

  /** @throws what `isConditionFailure` recognizes when the condition does not hold */
  async update(
    partition: Partition,
    sk: string,
    change: Omit<UpdateItemCommandInput, "TableName" | "Key">,
  ): Promise<void> {
    const input = { TableName: this.name, Key: key(partition, sk), ...change };
    await this.#named("UpdateItem", partition.threadId, () =>
      this.#client.send(new UpdateItemCommand(input)),
    );
  }

  /** One page of a thread's rows, strongly consistent. */
  async page(partition: Partition, range: Range): Promise<Page> {
    const input: QueryCommandInput = {
      TableName: this.name,
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      ExpressionAttributeValues: {
        ":pk": { S: partition.pk },
        ":from": { S: range.from },
        ":to": { S: range.to },
      },
      ConsistentRead: true,
      ScanIndexForward: range.descending !== true,
      ...(range.pageSize !== undefined && { Limit: range.pageSize }),
      ...(range.after !== undefined && { ExclusiveStartKey: key(partition, range.after) }),
      ...(range.keysOnly === true && { ProjectionExpression: "pk, sk" }),
    };
    const answer = await this.#named("Query", partition.threadId, () =>
      this.#client.send(new QueryCommand(input)),
    );
    return { items: answer.Items ?? [], after: answer.LastEvaluatedKey?.sk?.S };
  }

  /** The pages of a range, one after another. */
  async *pages(partition: Partition, range: Range): AsyncGenerator<Item[]> {
    let after = range.after;
    do {
      const page = await this.page(partition, { ...range, after });
      yield page.items;
      after = page.after;
    } while (after !== undefined);
  }

  /** The items with these sort keys; one that does not exist is left out. */
  async getMany(partition: Partition, sortKeys: Iterable<string>): Promise<Map<string, Item>> {
    const found = new Map<string, Item>();
    const batches = chunks([...new Set(sortKeys)], BATCH_GET_KEYS);
    await inParallel(batches, async (batch) => {
      const keys = batch.map((sk) => key(partition, sk));
      await this.#named("BatchGetItem", partition.threadId, () =>
        untilProcessed(keys, async (rest) => {
          const answer = await this.#client.send(
            new BatchGetItemCommand({ RequestItems: { [this.name]: { Keys: rest, ConsistentRead: true } } }),
          );
          for (const item of answer.Responses?.[this.name] ?? []) found.set(stringOf(item, "sk") ?? "", item);
          return answer.UnprocessedKeys?.[this.name]?.Keys ?? [];
        }),
      );
    });
    return found;
  }

  /** Writes items, in any order; done when all are stored. A single one is a plain put. */
  async putMany(partition: Partition, items: readonly Item[]): Promise<void> {
    const [only] = items;
    if (items.length === 1 && only !== undefined) return this.put(partition, only);
    await inParallel(writeBatches(items), (batch) =>
      this.#writeBatch(
        partition,
        batch.map((item) => ({ PutRequest: { Item: item } })),
      ),
    );
  }

  async deleteMany(partition: Partition, sortKeys: readonly string[]): Promise<void> {
    await inParallel(chunks(sortKeys, BATCH_WRITE_ITEMS), (batch) =>
      this.#writeBatch(
        partition,
        batch.map((sk) => ({ DeleteRequest: { Key: key(partition, sk) } })),
      ),
    );
  }

  async #writeBatch<Request extends object>(partition: Partition, requests: Request[]): Promise<void> {
    await this.#named("BatchWriteItem", partition.threadId, () =>
      untilProcessed(requests, async (rest) => {
        const answer = await this.#client.send(
          new BatchWriteItemCommand({ RequestItems: { [this.name]: rest } }),
        );
        return (answer.UnprocessedItems?.[this.name] ?? []) as Request[];
      }),
    );
  }

  async #named<T>(operation: string, threadId: string | undefined, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (isConditionFailure(error)) throw error;
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      throw new CheckpointStorageError({ operation, tableName: this.name, threadId }, reason, {
        cause: error,
      });
    }
  }
}

/** The parts of a request that state a condition. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, AttributeValue>;
}

const key = (partition: Partition, sk: string): Item => ({ pk: { S: partition.pk }, sk: { S: sk } });

function chunks<T>(all: readonly T[], size: number): T[][] {
  const out: T[][] = [];
  for (let at = 0; at < all.length; at += size) out.push(all.slice(at, at + size));
  return out;
}

/** Batches within both of a request's limits, items and bytes. */
function writeBatches(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const size = bytesOf(item, "d")?.byteLength ?? 0;
    const open = batches.at(-1);
    if (open === undefined || open.length === BATCH_WRITE_ITEMS || bytes + size > BATCH_WRITE_BYTES) {
      batches.push([item]);
      bytes = size;
    } else {
      open.push(item);
      bytes += size;
    }
  }
  return batches;
}

/** Runs the work of all, a few at a time; waits for those under way before it throws. */
export async function inParallel<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  if (all.length === 0) return;
  const queue = all.values();
  const workers = Array.from({ length: Math.min(CONCURRENCY, all.length) }, async () => {
    for (const each of queue) await work(each);
  });
  const failed = (await Promise.allSettled(workers)).find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
