/** Tables on the DynamoDB server that the checkpointer's tests use too. */
import { randomUUID } from "node:crypto";
import { DynamoDBSaver } from "@archmax-ai/checkpoint-dynamodb";
import type { AttributeValue, DynamoDBClient, DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll } from "vitest";
import { type Database, startDatabase } from "../../../checkpoint-dynamodb/src/testing-fixtures/database.ts";
import { createHostTable } from "../host-table/table.ts";
import { createSessionRecordsTable } from "../session-records/table.ts";

/** The server of a test file. */
export interface TestDatabase {
  /** A client of its own, so that a middleware reaches no other. */
  client(config?: DynamoDBClientConfig): DynamoDBClient;
  /** A new, empty table for session records. */
  table(): Promise<string>;
  /** A new, empty table of the host's. */
  hostTable(): Promise<string>;
  /** A new, empty table for checkpoints. */
  checkpointsTable(): Promise<string>;
  /** Every item of a table. */
  items(tableName: string): Promise<Record<string, AttributeValue>[]>;
}

/** Starts the server before a file's tests and stops it after them. */
export function useDatabase(): TestDatabase {
  let database: Database | undefined;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database?.stop());
  const started = () => {
    if (database === undefined) throw new Error("The server is started before the first test, not earlier.");
    return database;
  };
  const client = (config?: DynamoDBClientConfig) => started().newClient(config);
  const made =
    (name: string, create: (client: DynamoDBClient, table: { tableName: string }) => Promise<void>) =>
    async () => {
      const tableName = `${name}-${randomUUID()}`;
      await create(client(), { tableName });
      return tableName;
    };
  return {
    client,
    table: made("sessions", createSessionRecordsTable),
    hostTable: made("host", createHostTable),
    checkpointsTable: made("checkpoints", DynamoDBSaver.createTable),
    items: (tableName) => started().scan(tableName),
  };
}
