import { expect, test } from "vitest";
import { foreignImports, scriptImports } from "./script-imports.ts";

test("finds the specifiers of declarations, over several lines too", () => {
  const source = `import {
  ok,
  veto,
} from "@archmax-ai/harness/sandbox";
import fs from "node:fs";
import "./side.js";
export { x } from "other";
export * from 'more';
export const y = 1;
export default async function hook() { return ok(); }
`;
  expect(scriptImports(source)).toEqual([
    "@archmax-ai/harness/sandbox",
    "node:fs",
    "./side.js",
    "other",
    "more",
  ]);
  expect(foreignImports(source)).toEqual(["node:fs", "./side.js", "other", "more"]);
});

test("takes no text for a declaration", () => {
  const source = `// import a from "a"
/* import b from "b" */
const text = 'import c from "c"', template = \`import d from "d" \${"import e from 'e'"}\`;
const loaded = import("f");
`;
  expect(scriptImports(source)).toEqual([]);
});

test("the bare package name is foreign", () => {
  expect(foreignImports('import { createAgent } from "@archmax-ai/harness";')).toEqual([
    "@archmax-ai/harness",
  ]);
});

test("takes a top-level return and await, and says where a source stops parsing", () => {
  expect(scriptImports("const x = await 1; return x;")).toEqual([]);
  expect(() => scriptImports("const = 1;")).toThrow(/\(1:6\)/);
});
