/** What a tenant's sessions are kept in on AWS, for tests: checkpoints in DynamoDB, files and large values on S3. */
import { randomUUID } from "node:crypto";
import type { DynamoDBSaver, DynamoDBSaverOptions } from "@archmax-ai/checkpoint-dynamodb";
import type { SessionRecords } from "@archmax-ai/host";
import { createDynamoSessionRecords, createSessionRecordsTable } from "@archmax-ai/host-aws";
import { createS3SessionStore, type S3SessionStore } from "@archmax-ai/store-s3";
import type { AttributeValue, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll } from "vitest";
import {
  type Database,
  startDatabase,
} from "../../packages/checkpoint-dynamodb/src/testing-fixtures/database.ts";
import { type Answer, type Desk, desk } from "../../packages/harness/src/runtime/turn-fixture.ts";
import { useS3Server } from "../../packages/store-s3/src/testing-fixtures/s3-server.ts";

/** The clients a process reaches its stores by. */
export interface Reach {
  readonly dynamo: DynamoDBClient;
  readonly s3: S3Client;
}

/** A tenant with a key prefix of its own, so that no test meets another's sessions. */
export interface Tenant {
  readonly name: string;
  readonly keyPrefix: string;
  /** Session files. */
  store(reach?: Partial<Reach>): S3SessionStore;
  /** Checkpoints; nothing that another one remembers. */
  saver(options?: Partial<DynamoDBSaverOptions>, reach?: Partial<Reach>): DynamoDBSaver;
  /** An agent of its own, as a function's process makes it. */
  agent(spec: Record<string, unknown>, ...answers: Answer[]): Promise<Desk>;
  /** The keys of the tenant's objects, in order. */
  objects(): Promise<string[]>;
  /** The tenant's items in the table of checkpoints. */
  items(): Promise<Record<string, AttributeValue>[]>;
}

export interface AwsStores {
  /** Clients of its own, for middleware that must not reach the others. */
  reach(): Reach;
  /** A client whose requests reach no server. */
  unreachable(): DynamoDBClient;
  /** Tenants that share the file's table of checkpoints and a bucket of their own. */
  tenants(...names: string[]): Promise<Tenant[]>;
  /** The records of every tenant of the file. */
  records(reach?: Partial<Reach>): SessionRecords;
}

/** Starts the servers before a file's tests and stops them after. */
export function useAwsStores(): AwsStores {
  const server = useS3Server();
  const recordsTable = `sessions-${randomUUID()}`;
  let database: Database | undefined;
  beforeAll(async () => {
    database = await startDatabase();
    await createSessionRecordsTable(database.client, { tableName: recordsTable });
  });
  afterAll(() => database?.stop());
  const started = () => {
    if (database === undefined)
      throw new Error("The servers are started before the first test, not earlier.");
    return database;
  };

  function tenant(name: string, shared: { client: S3Client; bucket: string }): Tenant {
    const keyPrefix = `${name}-${randomUUID()}`;
    const { bucket } = shared;
    const prefix = `tenants/${name}`;
    const made: Tenant = {
      name,
      keyPrefix,
      store: ({ s3 = shared.client } = {}) =>
        createS3SessionStore({ client: s3, bucket, prefix: `${prefix}/runs` }),
      saver: (options, { dynamo = started().client, s3 = shared.client } = {}) =>
        started().newSaver({
          client: dynamo,
          keyPrefix,
          overflow: { client: s3, bucket, prefix: `${prefix}/overflow/checkpoints/` },
          ...options,
        }),
      agent: (spec, ...answers) => desk(spec, answers, { checkpointer: made.saver() }, made.store()),
      async objects() {
        const page = await shared.client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: `${prefix}/` }),
        );
        return (page.Contents ?? []).map(({ Key = "" }) => Key).sort();
      },
      async items() {
        const items = await started().scan(started().tableName);
        return items.filter((item) => item.pk?.S?.startsWith(`${keyPrefix}#`));
      },
    };
    return made;
  }

  return {
    reach: () => ({ dynamo: started().newClient(), s3: server.client() }),
    unreachable: () => started().newClient({ endpoint: "http://127.0.0.1:1", maxAttempts: 1 }),
    async tenants(...names) {
      const shared = await server.bucket();
      return names.map((name) => tenant(name, shared));
    },
    records: ({ dynamo = started().client } = {}) =>
      createDynamoSessionRecords({ client: dynamo, tableName: recordsTable }),
  };
}
