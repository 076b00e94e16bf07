/** How the tables are made for development and tests. A deployment declares the same (README). */
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";

const SECONDS_TO_ACTIVE = 120;

/** Servers that stand in for DynamoDB may not know this request; nothing expires there. */
const UNKNOWN_REQUEST = "UnknownOperationException";

/**
 * Creates a table of on-demand capacity with time to live on `ttl`, unless it exists, and waits until it can be used.
 * Throws what the SDK throws.
 *
 * @param keys every attribute of a key, the table's and its indexes'; all are strings
 */
export async function createTable(
  client: DynamoDBClient,
  table: Pick<CreateTableCommandInput, "KeySchema" | "GlobalSecondaryIndexes"> & {
    TableName: string;
    keys: Iterable<string>;
  },
): Promise<void> {
  const { keys, ...description } = table;
  const { TableName } = description;
  try {
    await client.send(
      new CreateTableCommand({
        ...description,
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: [...keys].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      }),
    );
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  await waitUntilTableExists(
    { client, maxWaitTime: SECONDS_TO_ACTIVE, minDelay: 1, maxDelay: 2 },
    { TableName },
  );
  try {
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName,
        TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      }),
    );
  } catch (error) {
    if (!(error instanceof Error) || error.name !== UNKNOWN_REQUEST) throw error;
  }
}
