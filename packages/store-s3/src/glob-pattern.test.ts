import { describe, expect, test } from "vitest";
import { compileGlob, GlobError } from "./glob-pattern.ts";

const NAMES = [
  "x.md",
  ".h.md",
  "a",
  "a/x.md",
  "a/b/x.md",
  "a/b/y.txt",
  "2.md",
  "*.md",
  "a(b)+c@d|e",
  "$^.md",
];

describe("a glob", () => {
  test.each<[string, string[]]>([
    ["*.md", ["x.md", ".h.md", "a/x.md", "a/b/x.md", "2.md", "*.md", "$^.md"]],
    ["x.md", ["x.md", "a/x.md", "a/b/x.md"]],
    ["/x.md", ["x.md"]],
    ["a/*.md", ["a/x.md"]],
    ["a/**", ["a/x.md", "a/b/x.md", "a/b/y.txt"]],
    ["**/x.md", ["x.md", "a/x.md", "a/b/x.md"]],
    ["**/*", NAMES],
    ["**", NAMES],
    ["*/b/*.{md,txt}", ["a/b/x.md", "a/b/y.txt"]],
    ["!*.md", ["a", "a/b/y.txt", "a(b)+c@d|e"]],
    ["[!x2$*.].md", []],
    ["[^x].md", ["2.md", "*.md"]],
    ["[!x].md", ["2.md", "*.md"]],
    ["[0-9].md", ["2.md"]],
    ["?", ["a"]],
    ["\\*.md", ["*.md"]],
    ["a(b)+c@d|e", ["a(b)+c@d|e"]],
    ["$^.md", ["$^.md"]],
    ["+(a)", []],
    ["X.MD", []],
    ["../x.md", []],
  ])("%s", (glob, expected) => {
    expect(NAMES.filter(compileGlob(glob))).toEqual(expected);
  });

  test("matches across a line break in a name", () => {
    expect(compileGlob("a*c")("a\nc")).toBe(true);
  });

  test.each([
    "",
    "!",
    "a".repeat(1025),
    "*a*a*a*b",
    "**/a/**/a/**/a/**/b",
    "{a,b}{a,b}{a,b}{a,b}",
    `{${"a,".repeat(40)}}`,
  ])("%s is refused", (glob) => {
    expect(() => compileGlob(glob)).toThrow(GlobError);
  });

  test.each(["[a", "{a", "a}", "(", ")(", "\\", "[]", "[!]", "{,}", "***", "a//b"])("%s is taken", (glob) => {
    expect(typeof compileGlob(glob)("a")).toBe("boolean");
  });
});
