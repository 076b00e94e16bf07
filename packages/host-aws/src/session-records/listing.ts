/** Reads pages of the indexes. */
import { type DynamoDBClient, QueryCommand, type QueryCommandOutput } from "@aws-sdk/client-dynamodb";
import { SessionRecordCorruptError } from "./errors.ts";
import type { Item } from "./items.ts";
import { named } from "./requests.ts";
import { INDEXES, type IndexName } from "./table.ts";

/** Some partitions of one index, read in its order between two keys, both included. */
export interface Slice {
  readonly index: IndexName;
  readonly partitions: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** A page of items, with the key of the last where more follow. */
export interface IndexPage {
  readonly items: Item[];
  readonly last?: string;
}

/**
 * The first `limit` items of a slice. Each partition costs one request, and another for each megabyte of the page.
 *
 * @throws SessionRecordsStorageError
 */
export async function firstOf(
  client: DynamoDBClient,
  tableName: string,
  slice: Slice,
  limit: number,
): Promise<IndexPage> {
  const { order } = INDEXES[slice.index];
  // One more than asked for tells whether there is another page.
  const shares = await Promise.all(
    slice.partitions.map((partition) => share(client, tableName, slice, partition, limit + 1)),
  );
  const rows = shares.flat().map((item) => ({ item, key: keyOf(item, order, tableName) }));
  // Within a partition the order is DynamoDB's, by UTF-8 bytes; so is this one.
  if (shares.length > 1) rows.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const items = page.map(({ item }) => item);
  return rows.length <= limit || last === undefined ? { items } : { items, last: last.key };
}

/** The first `count` items of one partition. */
async function share(
  client: DynamoDBClient,
  tableName: string,
  { index, from, to }: Slice,
  partition: string,
  count: number,
): Promise<Item[]> {
  const { partition: partitionName, order } = INDEXES[index];
  const items: Item[] = [];
  let next: QueryCommandOutput["LastEvaluatedKey"];
  do {
    const query = new QueryCommand({
      TableName: tableName,
      IndexName: index,
      KeyConditionExpression: "#partition = :partition AND #order BETWEEN :from AND :to",
      ExpressionAttributeNames: { "#partition": partitionName, "#order": order },
      ExpressionAttributeValues: { ":partition": { S: partition }, ":from": { S: from }, ":to": { S: to } },
      Limit: count - items.length,
      ...(next !== undefined && { ExclusiveStartKey: next }),
    });
    const answer = await named({ operation: "Query", tableName }, () => client.send(query));
    items.push(...(answer.Items ?? []));
    next = answer.LastEvaluatedKey;
  } while (next !== undefined && items.length < count);
  return items;
}

function keyOf(item: Item, order: string, tableName: string): string {
  const key = item[order]?.S;
  if (key === undefined)
    throw new SessionRecordCorruptError(tableName, item.pk?.S ?? "", `an index gave it without "${order}"`);
  return key;
}
