/** The table for development and tests. A deployment declares the same in its own language (README). */
import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { CheckpointStorageError } from "./errors.ts";

const SECONDS_TO_ACTIVE = 120;

/** Servers that stand in for DynamoDB may not know this request; nothing expires there. */
const UNKNOWN_REQUEST = "UnknownOperationException";

/** Creates the table unless it exists, and waits until it can be used. */
export async function createTable(client: DynamoDBClient, tableName: string): Promise<void> {
  await named("CreateTable", tableName, async () => {
    try {
      await client.send(
        new CreateTableCommand({
          TableName: tableName,
          BillingMode: "PAY_PER_REQUEST",
          AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({
            AttributeName,
            AttributeType: "S",
          })),
          KeySchema: [
            { AttributeName: "pk", KeyType: "HASH" },
            { AttributeName: "sk", KeyType: "RANGE" },
          ],
        }),
      );
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

async function named(operation: string, tableName: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const place = { operation, tableName, threadId: undefined };
    throw new CheckpointStorageError(place, reason, { cause: error });
  }
}
