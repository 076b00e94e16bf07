/** The policies in the READMEs allow what the packages ask of AWS, and nothing else. */
import { DynamoDBSaver } from "@archmax-ai/checkpoint-dynamodb";
import { createS3SessionStore, S3Backend } from "@archmax-ai/store-s3";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { S3Client } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { all, Conversation } from "../../packages/checkpoint-dynamodb/src/testing-fixtures/conversation.ts";
import {
  type Database,
  startDatabase,
} from "../../packages/checkpoint-dynamodb/src/testing-fixtures/database.ts";
import { seeded } from "../../packages/checkpoint-dynamodb/src/testing-fixtures/prose.ts";
import { injectFault } from "../../packages/store-s3/src/testing-fixtures/faults.ts";
import { useS3Server } from "../../packages/store-s3/src/testing-fixtures/s3-server.ts";
import { codeBlocks } from "./code-blocks.ts";

const server = useS3Server();
let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());
afterEach(() => {
  vi.useRealTimers();
});

/**
 * The permissions each request needs, by AWS's service authorization reference. A conditional put reads, so it needs
 * GetObject too; a copy reads its source.
 */
const NEEDS: Record<string, readonly string[]> = {
  GetItem: ["dynamodb:GetItem"],
  BatchGetItem: ["dynamodb:BatchGetItem"],
  Query: ["dynamodb:Query"],
  PutItem: ["dynamodb:PutItem"],
  UpdateItem: ["dynamodb:UpdateItem"],
  BatchWriteItem: ["dynamodb:BatchWriteItem"],
  GetObject: ["s3:GetObject"],
  HeadObject: ["s3:GetObject"],
  PutObject: ["s3:PutObject"],
  CopyObject: ["s3:GetObject", "s3:PutObject"],
  CreateMultipartUpload: ["s3:PutObject"],
  UploadPart: ["s3:PutObject"],
  CompleteMultipartUpload: ["s3:PutObject"],
  AbortMultipartUpload: ["s3:AbortMultipartUpload"],
  DeleteObjects: ["s3:DeleteObject"],
  ListObjectsV2: ["s3:ListBucket"],
};

const policySchema = z.object({
  Statement: z.array(
    z.object({
      Action: z.union([z.string(), z.array(z.string())]),
      Resource: z.string(),
      Condition: z.object({ StringLike: z.object({ "s3:prefix": z.string() }) }).optional(),
    }),
  ),
});

/** One permission used, and on what: the resource's ARN, and what a listing was narrowed to. */
type Use = readonly [action: string, resource: string, prefix: string | undefined];

/** The policies use `*` at the end alone. */
const matches = (pattern: string, text: string): boolean =>
  pattern.endsWith("*") ? text.startsWith(pattern.slice(0, -1)) : text === pattern;

/** Holds what was used against a README's policies, its placeholders filled in. */
function expectExactly(packageName: string, placeholders: Record<string, string>, used: readonly Use[]) {
  let blocks = codeBlocks(packageName, "json").filter((block) => block.includes("Statement"));
  for (const [name, value] of Object.entries(placeholders))
    blocks = blocks.map((block) => block.replaceAll(name, value));
  const statements = blocks.flatMap((block) => policySchema.parse(JSON.parse(block)).Statement);
  const allowed = new Set(statements.flatMap(({ Action }) => Action));
  expect([...new Set(used.map(([action]) => action))].sort()).toEqual([...allowed].sort());
  for (const [action, resource, prefix] of used) {
    const allowing = statements.filter(
      ({ Action, Resource, Condition }) =>
        [Action].flat().includes(action) &&
        matches(Resource, resource) &&
        (Condition === undefined || matches(Condition.StringLike["s3:prefix"], prefix ?? "")),
    );
    expect([action, resource, prefix, allowing.length > 0]).toEqual([action, resource, prefix, true]);
  }
}

interface Input {
  readonly TableName?: string;
  readonly RequestItems?: Record<string, unknown>;
  readonly Bucket?: string;
  /** Of an object, its name; of an item, its attributes. */
  readonly Key?: string | object;
  readonly Prefix?: string;
  readonly Delete?: { readonly Objects: readonly { readonly Key: string }[] };
}

function note(uses: Use[], command: string | undefined, input: Input): void {
  const request = (command ?? "").replace(/Command$/, "");
  const tables = [input.TableName ?? [], Object.keys(input.RequestItems ?? {})].flat();
  const keys = [
    typeof input.Key === "string" ? input.Key : [],
    (input.Delete?.Objects ?? []).map(({ Key }) => Key),
  ].flat();
  const bucket = `arn:aws:s3:::${input.Bucket}`;
  const resources = [
    ...tables.map((table) => `arn:aws:dynamodb:REGION:ACCOUNT:table/${table}`),
    ...keys.map((key) => `${bucket}/${key}`),
    ...(request.startsWith("List") ? [bucket] : []),
  ];
  for (const action of NEEDS[request] ?? [`unknown:${request}`])
    for (const resource of resources) uses.push([action, resource, input.Prefix]);
}

/** Notes what these clients ask for from now on. */
function watch({ dynamo, s3 }: { dynamo?: DynamoDBClient; s3: S3Client }): Use[] {
  const uses: Use[] = [];
  const options = { step: "initialize", name: "watch" } as const;
  dynamo?.middlewareStack.add((next, context) => {
    return (args) => {
      note(uses, context.commandName, args.input as Input);
      return next(args);
    };
  }, options);
  s3.middlewareStack.add((next, context) => {
    return (args) => {
      note(uses, context.commandName, args.input as Input);
      return next(args);
    };
  }, options);
  return uses;
}

test("the checkpointer asks for exactly what its README's policies allow", { timeout: 60_000 }, async () => {
  const dynamo = database.newClient();
  const { client: s3, bucket } = await server.bucket();
  const uses = watch({ dynamo, s3 });
  const { tableName } = database;
  const options = {
    client: dynamo,
    tableName,
    keyPrefix: "TENANT",
    ttlSeconds: 86_400,
    overflow: { client: s3, bucket, prefix: "large/" },
    fence: () => 1,
  };
  const random = seeded(3);
  const noise = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(33 + Math.floor(random() * 90))).join("");
  const saver = new DynamoDBSaver(options);
  const thread = new Conversation(saver, "t1");
  vi.useFakeTimers({ toFake: ["Date"] });
  for (let step = 0; step < 8; step += 1) {
    // Hours pass, so that shared values are prolonged.
    vi.setSystemTime(1_900_000_000_000 + step * 3 * 3_600_000);
    await thread.put({ step, text: noise(5_000), ...(step === 0 && { huge: noise(600_000) }) });
    await saver.putWrites(
      thread.config,
      [
        ["out", noise(9_000)],
        ["__interrupt__", noise(10)],
      ],
      "task",
    );
  }
  const reader = new DynamoDBSaver(options);
  expect((await thread.latest(reader))?.checkpoint.channel_values).toEqual(thread.values);
  expect(await reader.getTuple(thread.config)).toBeDefined();
  expect((await all(reader.list({}))).length).toBe(8);
  await reader.getDeltaChannelHistory({ config: thread.config, channels: ["step"] });
  await reader.deleteThread("t1");
  const placeholders = { BUCKET: bucket, PREFIX: "large/", "table/checkpoints": `table/${tableName}` };
  expectExactly("checkpoint-dynamodb", placeholders, uses);
});

test("the S3 backend and session store ask for exactly what their README's policy allows", {
  timeout: 60_000,
}, async () => {
  const { client: s3, bucket } = await server.bucket();
  const uses = watch({ s3 });
  const files = new S3Backend({ client: s3, bucket, prefix: "tenants/a" });
  await files.write("/a/x.txt", "one");
  await files.write("/a/y.txt", "two", { createOnly: true });
  await files.write("/a/y.txt", "two", { createOnly: true });
  await files.edit("/a/x.txt", "one", "two");
  await files.append("/a/x.txt", "three");
  await files.uploadFiles([["/large.bin", new Uint8Array(9 * 1024 * 1024)]]);
  expect(await files.downloadFiles(["/large.bin", "/a", "/none"])).toHaveLength(3);
  expect((await files.ls("/")).files).toHaveLength(2);
  await files.read("/a/x.txt");
  await files.readRaw("/a/x.txt");
  expect((await files.grep("two")).matches).toHaveLength(2);
  expect((await files.glob("**/*.txt")).files).toHaveLength(2);
  await files.delete("/a");
  const sessions = createS3SessionStore({ client: s3, bucket, prefix: "tenants/a" });
  await sessions.backend.write("/s1/x.txt", "x");
  expect(await sessions.deleteSession("s1")).toBe(true);
  injectFault(s3, (command) => (command === "UploadPartCommand" ? "fail" : undefined));
  await files.uploadFiles([["/large.bin", new Uint8Array(9 * 1024 * 1024)]]);
  expectExactly("store-s3", { "my-agents": bucket }, uses);
});
