/** What is the Worker's own: the runtime it needs, and the cache of the data centre it runs in. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { bundleSizes } from "../../scripts/bundle-functions.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { type BothEdges, startBothEdges } from "../support/both-edges.ts";
import { bodyOf, posted } from "../support/validating.ts";
import { machine } from "./documents/document.ts";

let edges: BothEdges;

beforeAll(async () => {
  edges = await startBothEdges();
}, 180_000);
afterAll(() => edges?.stop());
beforeEach(() => {
  edges.store.broken = false;
});

async function metafile(): Promise<Metafile> {
  const all: Record<string, Metafile> = JSON.parse(
    await readFile(join(ROOT, "functions", "dist", "meta.json"), "utf8"),
  );
  const found = all["validate.worker"];
  if (found === undefined) throw new Error("The Worker was not bundled.");
  return found;
}

test("EDGE-003 the bundle runs in workerd with no Node compatibility flag", async () => {
  expect(await edges.worker.surroundings()).toEqual({
    process: "undefined",
    buffer: "undefined",
    require: "undefined",
    node: false,
    evaluates: false,
  });
  const answer = await edges.worker.ask(posted(machine()));
  expect(answer.status).toBe(200);
  expect(bodyOf(answer)).toMatchObject({ ok: true });
  expect(edges.worker.output()).toBe("");
});

test("EDGE-003 the bundle is one file that imports nothing", async () => {
  const { inputs, outputs } = await metafile();
  expect(Object.keys(outputs)).toEqual(["functions/dist/validate.worker/index.mjs"]);
  expect(Object.values(outputs).flatMap(({ imports }) => imports)).toEqual([]);
  expect(Object.keys(inputs).filter((path) => path.startsWith("node:"))).toEqual([]);
});

test("the bundle weighs at most 90 KB on its way to the edge", () => {
  const weight = bundleSizes(ROOT).find(({ name }) => name === "validate.worker");
  expect(weight?.files).toBe(1);
  expect(weight?.gzipped).toBeLessThanOrEqual(90 * 1024);
});

/** One document of its own for each test, so that no other test has left an answer to it. */
const document = (title: string) => posted(machine({ root: `title: ${title}` }));

test("a repeated document is answered from the edge cache", async () => {
  const first = await edges.worker.ask(document("repeated"));
  const key = `/validate/${first.headers.get("etag")?.replaceAll('"', "")}`;
  expect(edges.store.lookedUp.at(-1)).toBe(key);
  expect(first.headers.get("cache-status")).toBe("archmax-validator; fwd=miss");
  // Kept after the answer was given.
  await expect.poll(() => edges.store.kept.get(key)).toBe(first.text);

  // What is kept is what is given, down to a mark that only this cache has.
  edges.store.kept.set(key, '{"ok":"kept"}');
  const second = await edges.worker.ask(document("repeated"));
  expect([second.status, second.text]).toEqual([200, '{"ok":"kept"}']);
  expect(second.headers.get("cache-status")).toBe("archmax-validator; hit");
  expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
  expect(second.headers.get("cache-control")).toBe("private, no-cache");
  expect((await edges.worker.ask(document("another"))).text).not.toContain("kept");
});

test("what is refused is not kept", async () => {
  const before = edges.store.kept.size;
  expect((await edges.worker.ask(posted("title: [never"))).status).toBe(400);
  // Anything kept would have been kept before the next answer is.
  await edges.worker.ask(document("after a refusal"));
  await expect.poll(() => edges.store.kept.size).toBe(before + 1);
});

test("a cache that fails costs no answer", async () => {
  edges.store.broken = true;
  const answer = await edges.worker.ask(document("uncached"));
  expect(answer.status).toBe(200);
  expect(bodyOf(answer)).toMatchObject({ ok: true });
});
