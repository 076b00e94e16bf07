import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { contentHash, namesTag } from "./entity-tag.ts";

test("the hash is SHA-256 over the parts in order", async () => {
  const parts = ["release\n", "", "title: é"].map((part) => new TextEncoder().encode(part));
  expect(await contentHash(...parts)).toBe(createHash("sha256").update("release\ntitle: é").digest("hex"));
});

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['"b","a"', true],
  ["*", true],
  [" * ", true],
  [null, false],
  ["", false],
  ["a", false],
  ['"A"', false],
  ['"ab"', false],
  ['"b", W/"c"', false],
])("%j names the tag: %s", (header, named) => {
  expect(namesTag(header, '"a"')).toBe(named);
});
