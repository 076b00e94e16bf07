/** What the bundles are made of. That they do what they are there for is shown in `test/deployed`. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { buildAll } from "../scripts/build-all.mjs";
import { functionNames } from "../scripts/bundle-functions.mjs";
import { ROOT } from "../scripts/root.mjs";

/** What a turn runs on, and no function that runs none may carry. */
const MODEL_RUNTIME = [
  /node_modules\/@langchain\/langgraph\//,
  /node_modules\/deepagents\//,
  /node_modules\/langchain\//,
  /node_modules\/@langchain\/openai\//,
  /node_modules\/openai\//,
  /quickjs/,
];
const LIGHT = ["catalog", "ingest", "resolve", "sessions", "sweep"];
const HEAVY = ["decide", "deliver", "reply", "send", "worker"];
/** Functions of the edge: the validator, made for two of them, and the one that signs what goes to the origin. */
const EDGES = ["sign.edge", "validate.edge", "validate.worker"];

let metafiles: Record<string, Metafile>;

beforeAll(async () => {
  await buildAll(ROOT);
  metafiles = JSON.parse(await readFile(join(ROOT, "functions", "dist", "meta.json"), "utf8"));
}, 120_000);

/** Each file that is in a bundle, with the bytes it takes there. */
const bundled = (name: string): [file: string, bytes: number][] =>
  Object.values(metafiles[name]?.outputs ?? {}).flatMap((output) =>
    Object.entries(output.inputs).map(
      ([file, { bytesInOutput }]) => [file, bytesInOutput] as [string, number],
    ),
  );
const bundledFiles = (name: string): string[] => bundled(name).map(([file]) => file);

test("each verb is one function, each source of events another, and the edge has its own", () => {
  expect(functionNames(ROOT)).toEqual([...LIGHT, ...HEAVY, ...EDGES].sort());
});

test.each(LIGHT)("HOST-020 the bundle of %s contains no model runtime", (name) => {
  const files = bundledFiles(name);
  expect(files.some((file) => file.includes("packages/host/"))).toBe(true);
  expect(files.filter((file) => MODEL_RUNTIME.some((part) => part.test(file)))).toEqual([]);
});

test.each(["validate.edge", "validate.worker"])("HOST-020 neither does the bundle of %s", (name) => {
  expect(bundledFiles(name).filter((file) => MODEL_RUNTIME.some((part) => part.test(file)))).toEqual([]);
});

test.each(HEAVY)("the bundle of %s does contain it, so the checks above mean something", (name) => {
  const files = bundledFiles(name);
  expect(files.some((file) => /node_modules\/@langchain\/langgraph\//.test(file))).toBe(true);
  expect(files.some((file) => /node_modules\/deepagents\//.test(file))).toBe(true);
});

test.each([...LIGHT, ...HEAVY, ...EDGES])("the bundle of %s carries zod's English messages alone", (name) => {
  const locales = bundled(name).filter(([file]) => /zod\/v4\/locales\//.test(file));
  expect(locales.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(20_000);
});

test.each([...LIGHT, ...HEAVY])("no bundle carries the local host: %s", (name) => {
  expect(bundledFiles(name).filter((file) => file.includes("packages/host-local/"))).toEqual([]);
});

test("the workspace lies beside each bundle that reads it, without the workflows' own tests", async () => {
  const workspaceOf = (name: string) => join(ROOT, "functions", "dist", name, "workspace");
  const withOne = functionNames(ROOT).filter((name) => existsSync(workspaceOf(name)));
  expect(withOne).toEqual(
    ["catalog", "decide", "deliver", "ingest", "reply", "resolve", "send", "sessions", "worker"].sort(),
  );
  for (const file of ["workflows/invoice-approval/workflow.yaml", "skills/supplier-terms/SKILL.md"])
    expect(await readFile(join(workspaceOf("send"), file))).toEqual(await readFile(join(ROOT, file)));
  expect(existsSync(join(workspaceOf("send"), "workflows/invoice-approval/tests"))).toBe(false);
});
