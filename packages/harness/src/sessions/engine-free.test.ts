import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

const ENGINE = [
  /node_modules\/deepagents\//,
  /node_modules\/langchain\//,
  /node_modules\/@langchain\/langgraph\//,
  /node_modules\/@langchain\/openai\//,
  /quickjs/,
];

test("a bundle of the engine-free sessions holds no engine", async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL("./engine-free.ts", import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    conditions: ["source"],
    logLevel: "silent",
  });
  const bundled = new Set(Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs)));
  expect(bundled.size).toBeGreaterThan(10);
  expect(Object.keys(metafile.inputs).filter((path) => ENGINE.some((engine) => engine.test(path)))).toEqual(
    [],
  );
});
