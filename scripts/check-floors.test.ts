import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkFloors } from "./check-floors.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "archmax-floors-"));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function plant(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** The rules broken, each with the file that breaks it. */
async function broken(): Promise<string[]> {
  return (await checkFloors(root)).map((line) => line.split(" -> ")[0] ?? line);
}

const HARNESS = "packages/harness/src";

describe("the floors", () => {
  test("a tree that only imports downwards passes", async () => {
    plant({
      [`${HARNESS}/spec/slug.ts`]: "export const slug = 1;",
      [`${HARNESS}/kernel/decide.ts`]: 'import { slug } from "../spec/slug.ts";\nexport const decide = slug;',
      [`${HARNESS}/runtime/turn.ts`]:
        'import { decide } from "../kernel/decide.ts";\nexport const turn = decide;',
      "packages/host/src/app.ts":
        'import { turn } from "../../harness/src/runtime/turn.ts";\nexport const app = turn;',
    });
    expect(await checkFloors(root)).toEqual([]);
  });

  test("an upward import between the harness's folders is reported with both files", async () => {
    plant({
      [`${HARNESS}/kernel/decide.ts`]:
        'import { turn } from "../runtime/turn.ts";\nexport const decide = turn;',
      [`${HARNESS}/runtime/turn.ts`]: "export const turn = 1;",
    });
    expect(await checkFloors(root)).toEqual([
      expect.stringMatching(
        /^harness-floor-kernel: packages\/harness\/src\/kernel\/decide\.ts -> packages\/harness\/src\/runtime\/turn\.ts/,
      ),
    ]);
  });

  test("the infrastructure reads workflow documents, and knows nothing else of the packages", async () => {
    plant({
      [`${HARNESS}/spec/slug.ts`]: "export const slug = 1;",
      "packages/host/src/triggers/index.ts": "export const read = 1;",
      "packages/host/src/index.ts": "export const host = 1;",
      "functions/send.ts": "export const handler = 1;",
      "infra/workflows.ts":
        'import { slug } from "../packages/harness/src/spec/slug.ts";\n' +
        'import { read } from "../packages/host/src/triggers/index.ts";\nexport const workflows = [slug, read];',
      "infra/functions.ts":
        'import { host } from "../packages/host/src/index.ts";\nexport const functions = host;',
      "infra/queue.ts": 'import { handler } from "../functions/send.ts";\nexport const queue = handler;',
    });
    expect(await broken()).toEqual(["floor-of-infra: infra/functions.ts", "floor-of-infra: infra/queue.ts"]);
  });

  test("an upward type import counts, an upward import by name of the package too", async () => {
    plant({
      [`${HARNESS}/spec/types.ts`]:
        'import type { Turn } from "../runtime/turn.ts";\nexport type Type = Turn;',
      [`${HARNESS}/runtime/turn.ts`]: "export type Turn = 1;",
      "packages/host/src/app.ts": "export const app = 1;",
      "packages/checkpoint-dynamodb/src/saver.ts":
        'import { app } from "../../host/src/app.ts";\nexport const saver = app;',
    });
    expect((await broken()).sort()).toEqual([
      "floor-of-checkpoint-dynamodb: packages/checkpoint-dynamodb/src/saver.ts",
      "harness-floor-spec: packages/harness/src/spec/types.ts",
    ]);
  });

  test("every floor may throw the typed errors except the pure libraries", async () => {
    plant({
      [`${HARNESS}/errors.ts`]: "export class Wrong extends Error {}",
      [`${HARNESS}/spec/slug.ts`]: 'import { Wrong } from "../errors.ts";\nexport const slug = Wrong;',
      [`${HARNESS}/machine/load.ts`]: 'import { Wrong } from "../errors.ts";\nexport const load = Wrong;',
    });
    expect(await broken()).toEqual([`harness-floor-spec: ${HARNESS}/spec/slug.ts`]);
  });

  test("a cycle is reported", async () => {
    plant({
      [`${HARNESS}/runtime/one.ts`]: 'import { two } from "./two.ts";\nexport const one = () => two;',
      [`${HARNESS}/runtime/two.ts`]: 'import { one } from "./one.ts";\nexport const two = () => one;',
    });
    expect(await broken()).toEqual([`no-cycle: ${HARNESS}/runtime/one.ts`]);
  });

  test.each(["spec", "messages", "kernel"])("a Node built-in inside %s is reported", async (folder) => {
    plant({
      [`${HARNESS}/${folder}/file.ts`]:
        'import { readFileSync } from "node:fs";\nexport const read = readFileSync;',
    });
    expect(await broken()).toEqual([`browser-safe: ${HARNESS}/${folder}/file.ts`]);
  });

  test("an AWS package in the host and a package that spec must not use are reported", async () => {
    plant({
      "node_modules/@aws-sdk/client-s3/package.json": '{"name":"@aws-sdk/client-s3","main":"index.js"}',
      "node_modules/@aws-sdk/client-s3/index.js": "module.exports = {};",
      "node_modules/yaml/package.json": '{"name":"yaml","main":"index.js"}',
      "node_modules/yaml/index.js": "module.exports = {};",
      "packages/host/package.json": '{"dependencies":{"@aws-sdk/client-s3":"1"}}',
      "packages/host/src/app.ts": 'import s3 from "@aws-sdk/client-s3";\nexport const app = s3;',
      "packages/harness/package.json": '{"dependencies":{"yaml":"1"}}',
      [`${HARNESS}/spec/parse.ts`]: 'import yaml from "yaml";\nexport const parse = yaml;',
    });
    expect((await broken()).sort()).toEqual([
      "host-knows-no-cloud: packages/host/src/app.ts",
      `spec-packages: ${HARNESS}/spec/parse.ts`,
    ]);
  });
});
