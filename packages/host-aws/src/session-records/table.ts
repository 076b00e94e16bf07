/** The table: its indexes, and how it is made for development and tests. A deployment declares the same (README). */
import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { named } from "./requests.ts";

/** The indexes: each holds the record's body beside its keys, so that a page is read from the index alone. */
export const INDEXES = {
  byWorkflow: { partition: "workflowPk", order: "recency" },
  byStatus: { partition: "statusPk", order: "recency" },
  byAttention: { partition: "attentionPk", order: "attention" },
} as const;

export type IndexName = keyof typeof INDEXES;

const SECONDS_TO_ACTIVE = 120;

/** Servers that stand in for DynamoDB may not know this request; nothing expires there. */
const UNKNOWN_REQUEST = "UnknownOperationException";

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
  await named({ operation: "CreateTable", tableName }, async () => {
    try {
      await client.send(new CreateTableCommand(description(tableName)));
    } catch (error) {
      if (error instanceof ResourceInUseException) return;
      throw error;
    }
    await waitUntilTableExists(
      { client, maxWaitTime: SECONDS_TO_ACTIVE, minDelay: 1, maxDelay: 2 },
      { TableName: tableName },
    );
    try {
      await client.send(
        new UpdateTimeToLiveCommand({
          TableName: tableName,
          TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
        }),
      );
    } catch (error) {
      if (!(error instanceof Error) || error.name !== UNKNOWN_REQUEST) throw error;
    }
  });
}

function description(TableName: string): CreateTableCommand["input"] {
  const indexes = Object.entries(INDEXES);
  const names = new Set(["pk", ...indexes.flatMap(([, { partition, order }]) => [partition, order])]);
  return {
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [...names].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    GlobalSecondaryIndexes: indexes.map(([IndexName, { partition, order }]) => ({
      IndexName,
      KeySchema: [
        { AttributeName: partition, KeyType: "HASH" },
        { AttributeName: order, KeyType: "RANGE" },
      ],
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["body"] },
    })),
  };
}
