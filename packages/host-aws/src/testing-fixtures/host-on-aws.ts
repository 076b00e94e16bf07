/** Every verb of the host over the stores of this package; queue, schedules and bus in memory. */
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Authenticator,
  createCommandWorker,
  createHostApp,
  createTurnRunner,
  createWorkspaceCatalog,
  finishDeletion,
  type HostPorts,
  SCOPES,
  silentLogger,
  sweep,
  systemClock,
} from "@archmax-ai/host";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll } from "vitest";
import { createMemoryQueue, createMemoryScheduler } from "../../../host/src/testing-fixtures/memory-queue.ts";
import { createMemoryPublisher } from "../../../host/src/testing-fixtures/memory-stores.ts";
import { type AgentOptions, createAwsAgentProvider } from "../agents/agent-provider.ts";
import { createDynamoIdempotencyStore } from "../host-table/idempotency-store.ts";
import { createDynamoSessionEventLog } from "../host-table/session-event-log.ts";
import { createS3FileLinks } from "../session-data/file-links.ts";
import { createAwsSessionData } from "../session-data/session-data.ts";
import { createDynamoSessionRecords } from "../session-records/records.ts";
import type { TestDatabase } from "./database.ts";

/** A workflow with a note, a decision and an end. */
export const DESK = `
instructions: Handle the request.
states:
  intake:
    instructions: Write the note, then go on.
    triggers: { manual: null }
    tools: { allow: [write_file, read_file] }
    transitions: [{ to: review, description: it is written }]
  review:
    type: human
    transitions: [{ to: done, description: fine, type: approve }]
  done: {}
`;

/** Where one host's things are; two hosts on one place share all but what is in memory. */
export interface AwsPlace {
  readonly dynamo: DynamoDBClient;
  readonly s3: S3Client;
  readonly bucket: string;
  readonly recordsTable: string;
  readonly checkpointsTable: string;
  readonly hostTable: string;
}

/** New, empty tables and a bucket. */
export async function newPlace(
  database: TestDatabase,
  server: { bucket(): Promise<{ client: S3Client; bucket: string }> },
): Promise<AwsPlace> {
  const { client: s3, bucket } = await server.bucket();
  const [recordsTable, checkpointsTable, hostTable] = await Promise.all([
    database.table(),
    database.checkpointsTable(),
    database.hostTable(),
  ]);
  return { dynamo: database.client(), s3, bucket, recordsTable, checkpointsTable, hostTable };
}

/** A workspace folder with the workflow `desk`, for a file's tests. */
export function useWorkspace(document = DESK): { readonly dir: string } {
  const workspace = { dir: "" };
  beforeAll(async () => {
    workspace.dir = await mkdtemp(join(tmpdir(), "archmax-aws-workspace-"));
    await mkdir(join(workspace.dir, "workflows", "desk"), { recursive: true });
    await writeFile(join(workspace.dir, "workflows", "desk", "workflow.yaml"), document);
  });
  afterAll(() => rm(workspace.dir, { recursive: true, force: true }));
  return workspace;
}

/** Lets everybody be this tenant, with every scope. */
const everybody: Authenticator = {
  authenticate: async () => ({ tenant: "acme", subject: "test", scopes: SCOPES }),
};

/** A host on a place. */
export function hostOn(
  place: AwsPlace,
  workspaceDir: string,
  agent: AgentOptions,
  part: Partial<HostPorts> = {},
) {
  const { dynamo, s3, bucket, recordsTable, checkpointsTable, hostTable } = place;
  const { clock = systemClock } = part;
  const queue = createMemoryQueue(clock);
  const storage = { dynamo, checkpointsTable, s3, bucket };
  const shared = {
    records: createDynamoSessionRecords({ client: dynamo, tableName: recordsTable }),
    eventLog: createDynamoSessionEventLog({ client: dynamo, tableName: hostTable, clock }),
    queue,
    scheduler: createMemoryScheduler(clock, queue),
    publisher: createMemoryPublisher(),
    clock,
    logger: silentLogger,
    newId: randomUUID,
  };
  const agents = createAwsAgentProvider({ ...storage, workspaceDir }, agent);
  const runner = createTurnRunner({ ...shared, agents });
  const ports: HostPorts = {
    ...shared,
    runner,
    idempotency: createDynamoIdempotencyStore({
      client: dynamo,
      tableName: hostTable,
      overflow: { client: s3, bucket },
      clock,
    }),
    data: createAwsSessionData(storage),
    fileLinks: createS3FileLinks({ client: s3, bucket }),
    catalog: createWorkspaceCatalog(workspaceDir),
    authenticator: everybody,
    ...part,
  };
  const app = createHostApp(ports);
  const worker = createCommandWorker({ ...shared, runner });
  return {
    ports,
    app,
    async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const answer = await app.fetch(
        new Request(`https://host.example/workflows/desk${path}`, {
          method,
          headers: { "content-type": "application/json", ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      const text = await answer.text();
      const isJson = /json/.test(answer.headers.get("content-type") ?? "");
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        body: isJson ? JSON.parse(text) : undefined,
      };
    },
    /** Looks after what a crash has left, and carries out what is queued. */
    async tend() {
      await sweep({ ...shared, finishDeletion: (record) => finishDeletion(ports, record) });
      for (let delivery = await queue.receive(); delivery !== null; delivery = await queue.receive()) {
        await worker.handle(delivery);
      }
    },
  };
}
