import { expect, test } from "vitest";
import { binaryMimeTypeOf, parseCodeDescription } from "./index.ts";

test("WF-095 a script describes itself and an extension names its media type", () => {
  const source = "/**\n * One.\n *\n * Two.\n * @x\n */";
  expect(parseCodeDescription(source)).toEqual({ description: "One.\n\nTwo." });
  expect(parseCodeDescription("// x")).toBeNull();
  expect(binaryMimeTypeOf("a/L.PNG")).toBe("image/png");
  expect(binaryMimeTypeOf("n.txt")).toBeUndefined();
});

test.each([
  ["/** One line. */ code()", "One line."],
  ["\uFEFF\r\n  /**\r\n   * A.\r\n   * B.\r\n   **/", "A.\nB."],
  ["/**\n * - a\n *   - b\n */", "- a\n  - b"],
])("%j is described as %j", (source, description) => {
  expect(parseCodeDescription(source)).toEqual({ description });
});

test("no leading block, an empty one or an open one describes nothing", () => {
  for (const source of ["", "/**/", "/***/", "/** */", "/** @x */", "/* a */", "/** a", "x() /** a */"]) {
    expect(parseCodeDescription(source)).toBeNull();
  }
});

test("only the last extension of the last segment counts, and a leading dot starts none", () => {
  expect(binaryMimeTypeOf("a.png/b")).toBeUndefined();
  expect(binaryMimeTypeOf("a/.png")).toBeUndefined();
  expect(binaryMimeTypeOf("a.tar.PPTX")).toMatch(/presentation$/);
  expect(binaryMimeTypeOf("")).toBeUndefined();
});
