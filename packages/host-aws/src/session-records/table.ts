/** The table: its indexes, and how it is made for development and tests. A deployment declares the same (README). */
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createTable } from "../tables/create-table.ts";
import { named } from "./requests.ts";

/** The indexes: each holds the record's body beside its keys, so that a page is read from the index alone. */
export const INDEXES = {
  byWorkflow: { partition: "workflowPk", order: "recency" },
  byStatus: { partition: "statusPk", order: "recency" },
  byAttention: { partition: "attentionPk", order: "attention" },
} as const;

export type IndexName = keyof typeof INDEXES;

/**
 * Creates the table with its indexes and its time to live unless it exists, and waits until it can be used. For
 * development and tests.
 *
 * @throws SessionRecordsStorageError
 */
export async function createSessionRecordsTable(
  client: DynamoDBClient,
  { tableName }: { tableName: string },
): Promise<void> {
  const indexes = Object.entries(INDEXES);
  await named({ operation: "CreateTable", tableName }, () =>
    createTable(client, {
      TableName: tableName,
      keys: new Set(["pk", ...indexes.flatMap(([, { partition, order }]) => [partition, order])]),
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      GlobalSecondaryIndexes: indexes.map(([IndexName, { partition, order }]) => ({
        IndexName,
        KeySchema: [
          { AttributeName: partition, KeyType: "HASH" },
          { AttributeName: order, KeyType: "RANGE" },
        ],
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["body"] },
      })),
    }),
  );
}
