import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import * as root from "../index.ts";
import * as spec from "./index.ts";

test("WF-098 the graph of ./spec reaches zod and picomatch alone, no Node built-in, and shares its bindings with the root", async () => {
  // With neutral rules an import of a Node built-in does not resolve, so the build itself would fail.
  const { metafile, outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("./index.ts", import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    logLevel: "silent",
  });
  const packages = new Set(
    Object.keys(metafile.inputs).flatMap(
      (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
    ),
  );
  expect([...packages].filter((name) => name !== "zod" && name !== "picomatch")).toEqual([]);
  const own = Object.keys(metafile.inputs).filter((path) => !path.includes("node_modules"));
  expect(own.filter((path) => !path.includes("harness/src/spec/"))).toEqual([]);
  const imported = Object.values(metafile.inputs).flatMap((input) => input.imports.map(({ path }) => path));
  expect(imported.filter((path) => path.startsWith("node:"))).toEqual([]);

  // Every read of `process` stands behind a check that there is one.
  const text = outputFiles[0]?.text ?? "";
  const reads = text
    .split("\n")
    .filter((line) => /(^|[^.\w])process\b/.test(line) && !line.trim().startsWith("//"));
  const unguarded = reads.filter((line) => !/typeof process|globalThis\.process|\*/.test(line));
  expect(unguarded).toEqual([]);
  expect(text).not.toMatch(/\b__dirname\b|\b__filename\b/);

  const shared = Object.keys(spec).filter((name) => Object.hasOwn(root, name));
  expect(shared.length).toBeGreaterThan(20);
  for (const name of shared) expect(Reflect.get(root, name)).toBe(Reflect.get(spec, name));
});
