/** The examples of the packages on AWS are TypeScript that compiles against those packages. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { codeBlocks } from "./code-blocks.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CACHE = join(ROOT, "node_modules", ".cache");

/** What an example takes from the application around it, by its README. */
const SURROUNDINGS = {
  "checkpoint-dynamodb": `
    import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
    import type { StateGraph } from "@langchain/langgraph";
    import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
    declare global {
      const builder: StateGraph<{ messages: string[] }, { messages: string[] }, object, "__start__">;
      const client: DynamoDBClient;
      const tableName: string;
      const leases: { tokenOf(threadId: string): number | undefined };
      const threadIds: string[];
      const oldSaver: BaseCheckpointSaver;
      const newSaver: BaseCheckpointSaver;
    }`,
  "store-s3": `
    import type { S3Backend } from "@archmax-ai/store-s3";
    import type { S3Client } from "@aws-sdk/client-s3";
    declare global {
      const client: S3Client;
      const backend: S3Backend;
      const rootDir: string;
      const pdf: Blob;
      const oldBackend: import("deepagents").BackendProtocolV2 & Required<Pick<import("deepagents").BackendProtocolV2, "downloadFiles">>;
    }`,
  "host-aws": `
    import type { CommandWorker, Logger, SessionRecords, TurnRunner } from "@archmax-ai/host";
    import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
    import type { S3Client } from "@aws-sdk/client-s3";
    declare global {
      const client: DynamoDBClient;
      const dynamo: DynamoDBClient;
      const s3: S3Client;
      const bucket: string;
      const queue: import("@archmax-ai/host").TurnQueue;
      const scheduler: import("@archmax-ai/host").ResumeScheduler;
      const publisher: import("@archmax-ai/host").EventPublisher;
      const runner: TurnRunner;
      const records: SessionRecords;
      const clock: import("@archmax-ai/host").Clock;
      const logger: Logger;
    }`,
} as const;

let folder: string | undefined;
afterEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** What the compiler says of these files; empty when it is content. */
async function complaints(files: Record<string, string>): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  // Below the repository, so that the packages are found; each run its own.
  folder = mkdtempSync(join(CACHE, "readme-"));
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
  const configuration = {
    extends: join(ROOT, "tsconfig.base.json"),
    compilerOptions: { noEmit: true, declaration: false, types: ["node"], noUnusedLocals: false },
    files: Object.keys(files),
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(configuration));
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  try {
    await promisify(execFile)(process.execPath, [tsc, "-p", folder]);
    return "";
  } catch (error) {
    if (error instanceof Error && "stdout" in error) return String(error.stdout);
    throw error;
  }
}

test.each(Object.entries(SURROUNDINGS))(
  "the examples of %s compile",
  { timeout: 120_000 },
  async (packageName, surroundings) => {
    const examples = codeBlocks(packageName, "ts");
    expect(examples.length).toBeGreaterThan(2);
    const modules = examples.map((code, at) => [`example-${at + 1}.ts`, `${code}\nexport {};\n`]);
    const files = { "surroundings.d.ts": surroundings, ...Object.fromEntries(modules) };
    expect(await complaints(files)).toBe("");
  },
);

test("an example that does not compile is noticed", { timeout: 120_000 }, async () => {
  expect(await complaints({ "wrong.ts": 'const one: number = "1";\nexport {};\n' })).toMatch(/TS2322/);
});
