/** What a function takes in that imports these ports. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

const ENGINE = [
  /node_modules\/deepagents\//,
  /node_modules\/langchain\//,
  /node_modules\/@langchain\/langgraph\//,
  /node_modules\/@langchain\/openai\//,
  /node_modules\/aws-xray-sdk-core\//,
  /quickjs/,
];

/** Bundles a program as a function is, the AWS SDK left to the runtime. */
async function bundle(program: string) {
  const { metafile } = await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL(".", import.meta.url)), loader: "ts" },
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: "node",
    format: "esm",
    mainFields: ["module", "main"],
    conditions: ["source"],
    external: ["@aws-sdk/*", "@smithy/*"],
    logLevel: "silent",
  });
  const [output] = Object.values(metafile.outputs);
  const used = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return { bytes: output?.bytes ?? 0, files: used.map(([file]) => file) };
}

const heavy = (files: readonly string[]) => files.filter((file) => ENGINE.some((part) => part.test(file)));

test("HOST-020 every port but the agents' comes without a model runtime", async () => {
  const { files } = await bundle(
    'export * from "@archmax-ai/host-aws"; export * from "@archmax-ai/host-aws/observability";',
  );
  expect(files.some((file) => file.includes("packages/host-aws/src/session-data/"))).toBe(true);
  expect(heavy(files)).toEqual([]);
});

test("HOST-020 records, events, idempotency and authentication come without the checkpointer either", async () => {
  const { bytes, files } = await bundle(`
    export {
      createAuthenticator, createDynamoApiKeys, createDynamoIdempotencyStore, createDynamoSessionEventLog,
      createDynamoSessionRecords,
    } from "@archmax-ai/host-aws";
  `);
  expect(heavy(files)).toEqual([]);
  expect(files.filter((file) => /checkpoint-dynamodb|@langchain/.test(file))).toEqual([]);
  expect(bytes).toBeLessThan(300_000);
});

test("the agents' port does bring one, so the checks above mean something", async () => {
  const { files } = await bundle('export * from "@archmax-ai/host-aws/agents";');
  expect(heavy(files).length).toBeGreaterThan(10);
});
