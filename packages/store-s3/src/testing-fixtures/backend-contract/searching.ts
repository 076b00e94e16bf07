/** `glob` and `grep`. */
import type { GrepMatch } from "deepagents";
import { expect, test } from "vitest";
import type { BackendCase } from "./quirks.ts";
import { filling, paths } from "./samples.ts";

/** Declares the tests for one backend. */
export function testSearching({ make, quirks }: BackendCase): void {
  const filled = filling(make);
  const inOrder = (matches: GrepMatch[] | undefined) =>
    quirks.grepOrder === "paths"
      ? matches
      : matches?.toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));

  test("glob with a path's pattern, below a folder, with hidden files", async () => {
    const backend = await filled({
      "/a/x.md": "",
      "/a/b/y.md": "",
      "/a/b/.h.md": "",
      "/z.md": "",
      "/a/n.txt": "",
    });
    const globbed = async (pattern: string, path?: string) =>
      paths(await backend.glob(pattern, path))?.toSorted();
    expect(await globbed("**/*.md")).toEqual(["/a/b/.h.md", "/a/b/y.md", "/a/x.md", "/z.md"]);
    expect(await globbed("b/*.md", "/a")).toEqual(["/a/b/.h.md", "/a/b/y.md"]);
    expect(await globbed("a/**/y.{md,txt}")).toEqual(["/a/b/y.md"]);
    expect(await globbed("a/?.md")).toEqual(["/a/x.md"]);
    expect(await globbed("*.none")).toEqual([]);
    expect(await globbed("**/*", "/none")).toEqual([]);
    expect(await globbed("*.md")).toEqual(
      quirks.plainGlob === "any-depth" ? ["/a/b/.h.md", "/a/b/y.md", "/a/x.md", "/z.md"] : ["/z.md"],
    );
  });

  test("grep finds literal text, line by line", async () => {
    const backend = await filled({ "/a/x.txt": "one\na.c\nabc\n", "/b.txt": "a.c" });
    const { matches, ...rest } = await backend.grep("a.c");
    expect(rest).toEqual({});
    expect(inOrder(matches)).toEqual([
      { path: "/a/x.txt", line: 2, text: "a.c" },
      { path: "/b.txt", line: 1, text: "a.c" },
    ]);
    expect(await backend.grep("a.c", "/a")).toEqual({
      matches: [{ path: "/a/x.txt", line: 2, text: "a.c" }],
    });
    expect(await backend.grep("nowhere")).toEqual({ matches: [] });
    expect(await backend.grep("a.c", "/none")).toEqual({ matches: [] });
  });

  test("grep filters by glob and skips binary files", async () => {
    const png = Buffer.from("k\nk").toString("base64");
    const backend = await filled({ "/a/x.md": "k\nk", "/b.txt": "k", "/c.md": "k", "/p.png": png });
    const found = async (glob: string | null) => {
      const { matches } = await backend.grep("k", "/", glob);
      return inOrder(matches)?.map(({ path, line }) => `${path}:${line}`);
    };
    expect(await found("*.md")).toEqual(["/a/x.md:1", "/a/x.md:2", "/c.md:1"]);
    expect(await found(null)).toEqual(["/a/x.md:1", "/a/x.md:2", "/b.txt:1", "/c.md:1"]);
    if (quirks.pathGlob !== "varies") {
      const relative = quirks.pathGlob === "relative";
      expect(await found("a/*.md")).toEqual(relative ? ["/a/x.md:1", "/a/x.md:2"] : []);
    }
  });

  test("grep stops at maxCount, and says so only where there was more", async () => {
    const backend = await filled({ "/a/x.md": "k\nk", "/b.txt": "k", "/c.md": "k" });
    const capped = await backend.grep("k", null, null, 2);
    expect([capped.matches?.length, capped.truncated]).toEqual([2, true]);
    if (quirks.grepOrder === "paths") {
      expect(capped.matches?.map(({ path, line }) => `${path}:${line}`)).toEqual(["/a/x.md:1", "/a/x.md:2"]);
    }
    const whole = await backend.grep("k", null, null, 4);
    expect([whole.matches?.length, whole.truncated]).toEqual([4, undefined]);
  });
}
