import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createTable } from "../tables/create-table.ts";
import { named } from "./requests.ts";

/**
 * Creates the host's table with its time to live unless it exists, and waits until it can be used. For development
 * and tests; a deployment declares the same.
 *
 * @throws HostTableStorageError
 */
export async function createHostTable(
  client: DynamoDBClient,
  { tableName }: { tableName: string },
): Promise<void> {
  await named({ operation: "CreateTable", tableName }, () =>
    createTable(client, {
      TableName: tableName,
      keys: ["pk", "sk"],
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
    }),
  );
}
