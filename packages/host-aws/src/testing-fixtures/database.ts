/**
 * A DynamoDB server for tests: dynalite in this process, or the moto server that `npm run test:aws` has started and
 * named in `ARCHMAX_MOTO_ENDPOINT`.
 */
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";
import { afterAll, beforeAll } from "vitest";
import { createSessionRecordsTable } from "../session-records/table.ts";

export const MOTO_ENDPOINT = process.env.ARCHMAX_MOTO_ENDPOINT;

/** The server of a test file. */
export interface TestDatabase {
  /** A client of its own, so that a middleware reaches no other. */
  client(config?: DynamoDBClientConfig): DynamoDBClient;
  /** A new, empty table for session records. */
  table(): Promise<string>;
}

/** Starts the server before a file's tests and stops it after them. */
export function useDatabase(): TestDatabase {
  let endpoint = MOTO_ENDPOINT;
  const clients: DynamoDBClient[] = [];
  if (MOTO_ENDPOINT === undefined) {
    const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(
      () =>
        new Promise<void>((resolve, reject) => {
          server.close((error) => (error instanceof Error ? reject(error) : resolve()));
          server.closeAllConnections();
        }),
    );
  }
  afterAll(() => {
    for (const client of clients) client.destroy();
  });
  const client = (config: DynamoDBClientConfig = {}) => {
    if (endpoint === undefined) throw new Error("The server is started before the first test, not earlier.");
    const made = new DynamoDBClient({
      endpoint,
      region: "us-east-1",
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
      maxAttempts: 8,
      ...config,
    });
    clients.push(made);
    return made;
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
