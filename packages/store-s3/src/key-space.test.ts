import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeySpace } from "./key-space.ts";
import { compareUtf8 } from "./utf8-order.ts";

const keys = new KeySpace("tenants/a");

describe("paths and keys", () => {
  test.each([
    ["/x.md", "tenants/a/x.md"],
    ["x.md", "tenants/a/x.md"],
    ["//d//./e/../x.md", "tenants/a/d/x.md"],
    ["/100% ~é+&.md", "tenants/a/100% ~é+&.md"],
    ["/a..b/...", "tenants/a/a..b/..."],
    ["/a\\..\\..\\b", "tenants/a/a\\..\\..\\b"],
  ])("%s is the key %s", (path, key) => {
    expect(keys.fileKey(path)).toBe(key);
  });

  test("the prefix may be spelled with slashes around it, or be none", () => {
    expect(new KeySpace("/tenants/a//").root).toBe("tenants/a/");
    expect(new KeySpace().fileKey("/x")).toBe("x");
    expect(new KeySpace("").pathOf("x/y")).toBe("/x/y");
  });

  test.each(["a/../b", "..", "a//b", "./a", "a\u0000b"])("the prefix %j is refused", (prefix) => {
    expect(() => new KeySpace(prefix)).toThrow(expect.objectContaining({ name: "S3PathError" }));
  });

  test.each(["../ab/x", "/..", "a/../../ab/x", "/a\u0000b", "/a\nb", "/a\ud800b", `/${"é".repeat(508)}`])(
    "the path %j is invalid",
    (path) => {
      expect(() => keys.locate(path)).toThrow(expect.objectContaining({ code: "invalid_path", path }));
    },
  );

  test("a key of exactly 1,024 bytes is taken", () => {
    expect(keys.fileKey(`/${"é".repeat(507)}`)).toHaveLength(517);
  });

  test.each(["/", "", "/a/", "a/.", "a/b/..", "."])("the path %j names a folder", (path) => {
    expect(() => keys.fileKey(path)).toThrow(expect.objectContaining({ code: "is_directory" }));
  });

  test.each([
    "tenants/ab/x",
    "tenants/a",
    "tenants/a/",
    "tenants/a/d/",
    "tenants/a//x",
    "tenants/a/../x",
    "x",
  ])("the key %s has no path", (key) => {
    expect(keys.pathOf(key)).toBeUndefined();
  });

  test("AWS-026 whatever the path, its key is inside the prefix or the path is refused, and it leads back", () => {
    const piece = fc.oneof(
      fc.constantFrom("..", ".", "", "a", "ab", "%2e%2e", "..\\"),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        let key: string;
        try {
          key = keys.fileKey(pieces.join("/"));
        } catch {
          return;
        }
        expect(key.startsWith("tenants/a/")).toBe(true);
        const path = keys.pathOf(key);
        expect(path).toBeDefined();
        expect(keys.fileKey(path ?? "")).toBe(key);
      }),
      { numRuns: 2000 },
    );
  });

  test("keys are ordered by the bytes of their UTF-8", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const byBytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(compareUtf8(left, right))).toBe(byBytes);
      }),
      { numRuns: 2000 },
    );
    expect(["\u{1f389}", "\uffee", "a"].toSorted(compareUtf8)).toEqual(["a", "\uffee", "\u{1f389}"]);
  });
});
