/** Requests to the host's table: errors with names, pages, whole batches. */
import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  paginateQuery,
  type QueryCommandInput,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { conditionalWrite, type WriteOutcome } from "../tables/conditional-write.ts";
import { type HostTablePlace, HostTableStorageError } from "./errors.ts";

/** One stored item. */
export type Item = Record<string, AttributeValue>;

/** The table, and what the requests to it are about. */
export interface TableAccess {
  readonly client: DynamoDBClient;
  readonly tableName: string;
}

/** Runs a request. @throws HostTableStorageError around whatever it throws */
export async function named<T>(place: HostTablePlace, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw new HostTableStorageError(place, error);
  }
}

/** Runs a conditional write. @throws HostTableStorageError */
export async function conditional(
  place: HostTablePlace,
  request: () => Promise<unknown>,
): Promise<WriteOutcome> {
  return named(place, () => conditionalWrite(request));
}

/** Which rows of a partition to read. */
export interface Rows {
  readonly pk: string;
  /** Sort keys from here, inclusive. */
  readonly from: string;
  /** Sort keys up to here, inclusive. */
  readonly to: string;
  /** The most items of one page. */
  readonly pageSize?: number;
  /** The attributes wanted; all unless given. */
  readonly attributes?: readonly string[];
}

/** The pages of some rows, in order, strongly consistent. @throws HostTableStorageError */
export async function* pagesOf(
  { client, tableName }: TableAccess,
  rows: Rows,
  subject: string,
): AsyncGenerator<Item[]> {
  const { pk, from, to, pageSize, attributes } = rows;
  const names = { "#pk": "pk", "#sk": "sk" };
  const query: QueryCommandInput = {
    TableName: tableName,
    ConsistentRead: true,
    KeyConditionExpression: "#pk = :pk AND #sk BETWEEN :from AND :to",
    ExpressionAttributeNames: {
      ...names,
      ...Object.fromEntries((attributes ?? []).map((name) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: { ":pk": { S: pk }, ":from": { S: from }, ":to": { S: to } },
    ...(attributes === undefined
      ? {}
      : { ProjectionExpression: attributes.map((name) => `#${name}`).join(", ") }),
  };
  const config = { client, ...(pageSize === undefined ? {} : { pageSize }) };
  try {
    for await (const page of paginateQuery(config, query)) yield page.Items ?? [];
  } catch (error) {
    throw new HostTableStorageError({ operation: "Query", tableName, subject }, error);
  }
}

/** BatchWriteItem takes no more. */
const BATCH = 25;
/** The waits between the sendings of what a batch left undone, in ms, doubled each time. */
const FIRST_PAUSE_MS = 25;
const SENDINGS = 10;

/**
 * Removes rows of a partition, whatever a batch leaves undone again.
 *
 * @throws HostTableStorageError, where DynamoDB leaves some undone for good too
 */
export async function removeRows(
  { client, tableName }: TableAccess,
  pk: string,
  sortKeys: readonly string[],
  subject: string,
): Promise<void> {
  await named({ operation: "BatchWriteItem", tableName, subject }, async () => {
    for (let at = 0; at < sortKeys.length; at += BATCH) {
      let left: WriteRequest[] = sortKeys
        .slice(at, at + BATCH)
        .map((sk) => ({ DeleteRequest: { Key: { pk: { S: pk }, sk: { S: sk } } } }));
      for (let sending = 0; left.length > 0; sending += 1) {
        if (sending === SENDINGS) throw new Error(`${left.length} rows were left unprocessed`);
        if (sending > 0) {
          await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (sending - 1)));
        }
        const answer = await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: left } }));
        left = answer.UnprocessedItems?.[tableName] ?? [];
      }
    }
  });
}
