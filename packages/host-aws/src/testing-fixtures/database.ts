/** Tables of session records on the DynamoDB server that the checkpointer's tests use too. */
import { randomUUID } from "node:crypto";
import type { DynamoDBClient, DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll } from "vitest";
import { type Database, startDatabase } from "../../../checkpoint-dynamodb/src/testing-fixtures/database.ts";
import { createSessionRecordsTable } from "../session-records/table.ts";

/** The server of a test file. */
export interface TestDatabase {
  /** A client of its own, so that a middleware reaches no other. */
  client(config?: DynamoDBClientConfig): DynamoDBClient;
  /** A new, empty table for session records. */
  table(): Promise<string>;
}

/** Starts the server before a file's tests and stops it after them. */
export function useDatabase(): TestDatabase {
  let database: Database | undefined;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database?.stop());
  const client = (config?: DynamoDBClientConfig) => {
    if (database === undefined) throw new Error("The server is started before the first test, not earlier.");
    return database.newClient(config);
  };
  return {
    client,
    async table() {
      const tableName = `sessions-${randomUUID()}`;
      await createSessionRecordsTable(client(), { tableName });
      return tableName;
    },
  };
}
