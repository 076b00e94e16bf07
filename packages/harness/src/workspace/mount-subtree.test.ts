import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mountSubtree } from "./mount-subtree.ts";
import { bare, filesIn, memoryBackend, pathsOf } from "./testing-fixtures/backends.ts";
import { bound, contextOf, rootDirectory } from "./testing-fixtures/root.ts";

const root = await rootDirectory();

test("WS-033 a mounted subtree answers under its mount once, each path readable as listed", async () => {
  const backend = await memoryBackend({
    "/policies/a.md": "needle one",
    "/policies/eu/b.md": "needle two",
    "/other/c.md": "needle",
  });
  const context = contextOf(root, { mounts: { "/policies/": mountSubtree(backend, "policies") } });
  await bound(context, async () => {
    expect(pathsOf(await context.backend.ls("policies"))).toEqual(["/policies/a.md", "/policies/eu/"]);
    const both = ["/policies/a.md", "/policies/eu/b.md"];
    expect(pathsOf(await context.backend.glob("**/*.md", "/policies")).sort()).toEqual(both);
    expect(pathsOf(await context.backend.grep("needle", "policies"))).toEqual(both);
    for (const path of both) expect(await context.workspace.readText(path)).toMatch(/^needle/);
  });
});

describe("a subtree alone", () => {
  test("keeps a leading slash iff it was given, and lets paths outside pass", async () => {
    const inner = await memoryBackend({ "/p/a.md": "x" });
    const subtree = mountSubtree(
      { ...bare(inner), ls: async () => ({ files: [{ path: "p/a" }, { path: "/p/b" }, { path: "/q/c" }] }) },
      "/p/",
    );
    expect(pathsOf(await subtree.ls("/"))).toEqual(["a", "/b", "/q/c"]);
  });

  test("has the optional methods its backend has, no others", async () => {
    const whole = mountSubtree(await memoryBackend(), "p");
    const least = mountSubtree(bare(await memoryBackend()), "p");
    for (const method of ["uploadFiles", "downloadFiles", "delete"] as const) {
      expect(typeof whole[method]).toBe("function");
      expect(method in least).toBe(false);
    }
  });

  test("refuses a path that climbs out, and a prefix that does", async () => {
    const subtree = mountSubtree(await memoryBackend({ "/secret": "s" }), "p");
    await expect((async () => subtree.read("../secret"))()).rejects.toMatchObject({
      name: "WorkspacePathEscapeError",
    });
    expect(() => mountSubtree(bare(subtree), "../p")).toThrow(
      expect.objectContaining({ name: "WorkspacePathEscapeError" }),
    );
  });

  test("names the caller's path in an error, reported or thrown", async () => {
    const failing = bare(await memoryBackend());
    failing.readRaw = async (path) => ({ error: `Access to '${path}' denied in tenants/a` });
    failing.write = async (path) => {
      throw new Error(`disk full at ${path}`);
    };
    const subtree = mountSubtree(failing, "tenants/a");
    expect((await subtree.readRaw("/x.md")).error).toBe("Access to '/x.md' denied in ");
    expect((await subtree.write("/x.md", "")).error).toBe("disk full at /x.md");
  });
});

const segment = fc.constantFrom("a", "b.md", "p", "tenants", "x y", "p~1", "_", "ä");
const canonical = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));

test("whatever is written through a subtree is at its prefix inside and comes back by every path it lists", async () => {
  await fc.assert(
    fc.asyncProperty(canonical, canonical, fc.string(), async (prefix, path, text) => {
      const inner = await memoryBackend();
      const subtree = mountSubtree(inner, prefix);
      expect((await subtree.write(`/${path}`, text)).path).toBe(`/${path}`);
      expect((await inner.readRaw(`/${prefix}/${path}`)).data?.content).toBe(text);
      const listed = await filesIn(subtree);
      expect(listed).toEqual([`/${path}`]);
      expect((await subtree.readRaw(listed[0] ?? "")).data?.content).toBe(text);
      let folder = "";
      for (const part of path.split("/").slice(0, -1)) {
        expect(pathsOf(await subtree.ls(folder === "" ? "/" : folder))).toEqual([`${folder}/${part}/`]);
        folder = `${folder}/${part}`;
      }
      expect((await subtree.delete?.(`/${path}`))?.path).toBe(`/${path}`);
      expect(await filesIn(inner)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test("a subtree of a subtree is the subtree of both prefixes", async () => {
  await fc.assert(
    fc.asyncProperty(canonical, canonical, canonical, async (outer, inner, path) => {
      const backend = await memoryBackend();
      await mountSubtree(mountSubtree(backend, outer), inner).write(`/${path}`, "x");
      expect(await mountSubtree(backend, `${outer}/${inner}`).readRaw(`/${path}`)).toHaveProperty(
        "data.content",
        "x",
      );
    }),
    { numRuns: 40 },
  );
});
