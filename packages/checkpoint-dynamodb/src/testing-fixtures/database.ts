/**
 * A DynamoDB server for tests: dynalite in this process, or the moto server that `npm run test:aws` has started
 * and named in `ARCHMAX_MOTO_ENDPOINT`.
 */
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import {
  type AttributeValue,
  DynamoDBClient,
  type DynamoDBClientConfig,
  paginateScan,
} from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";
import { DynamoDBSaver, type DynamoDBSaverOptions } from "../saver.ts";

export const MOTO_ENDPOINT = process.env.ARCHMAX_MOTO_ENDPOINT;

export interface Database {
  readonly client: DynamoDBClient;
  /** A client of its own, for middleware that must not reach the others. */
  newClient(options?: DynamoDBClientConfig): DynamoDBClient;
  /** Creates a table. */
  newTable(): Promise<string>;
  /** The table all savers share that name no other. */
  readonly tableName: string;
  /** A saver that sees nobody else's threads, by a key prefix of its own where the options name none. */
  newSaver(options?: Partial<DynamoDBSaverOptions>): DynamoDBSaver;
  /** Every item of a table. */
  scan(tableName: string): Promise<Record<string, AttributeValue>[]>;
  stop(): Promise<void>;
}

const CREDENTIALS = { accessKeyId: "test", secretAccessKey: "test" };

async function startServer(): Promise<{ endpoint: string; stop(): Promise<void> }> {
  if (MOTO_ENDPOINT !== undefined) return { endpoint: MOTO_ENDPOINT, stop: async () => {} };
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error instanceof Error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

export async function startDatabase(): Promise<Database> {
  const server = await startServer();
  const clients: DynamoDBClient[] = [];
  const newClient = (options: DynamoDBClientConfig = {}) => {
    const client = new DynamoDBClient({
      endpoint: server.endpoint,
      region: "us-east-1",
      credentials: CREDENTIALS,
      maxAttempts: 8,
      ...options,
    });
    clients.push(client);
    return client;
  };
  const client = newClient();
  const newTable = async () => {
    const tableName = `checkpoints-${randomUUID()}`;
    await DynamoDBSaver.createTable(client, { tableName });
    return tableName;
  };
  const tableName = await newTable();
  return {
    client,
    newClient,
    newTable,
    tableName,
    newSaver: (options) => new DynamoDBSaver({ client, tableName, keyPrefix: randomUUID(), ...options }),
    scan: async (tableName) => {
      const items: Record<string, AttributeValue>[] = [];
      for await (const page of paginateScan({ client }, { TableName: tableName, ConsistentRead: true }))
        items.push(...(page.Items ?? []));
      return items;
    },
    stop: async () => {
      for (const each of clients) each.destroy();
      await server.stop();
    },
  };
}
