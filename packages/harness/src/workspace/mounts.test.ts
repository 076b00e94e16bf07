import { FilesystemBackend } from "deepagents";
import { describe, expect, test } from "vitest";
import { classifyWorkspacePath } from "../spec/paths.ts";
import { createMemorySessionStore } from "./memory-session-store.ts";
import { defaultMounts, type MountSpec, mountPrefixesOf, resolveMounts } from "./mounts.ts";
import { filesIn, memoryBackend, pathsOf, recorded } from "./testing-fixtures/backends.ts";
import { bound, contextOf, PNG, rootDirectory, temporaryDirectory } from "./testing-fixtures/root.ts";

const root = await rootDirectory();
const backend = await memoryBackend();
const prefixes = (table: Record<string, MountSpec>) => mountPrefixesOf(resolveMounts(table));

describe("the table", () => {
  test.each([
    ["WS-026", "/scratchpad/"],
    ["WS-026", "checkpoints/"],
    ["WS-026", "/_specs/x/"],
    ["WS-026", "/workflows/desk/"],
    ["GOV-099", "/workflows/w/"],
    ["GOV-099", "/scratchpad/n/"],
  ])("%s the key %s collides", (_id, key) => {
    expect(() => contextOf(root, { mounts: { [key]: backend } })).toThrow(
      expect.objectContaining({ name: "MountCollisionError", key }),
    );
  });

  test("WS-026 the message for workflows says what it holds and names the option", () => {
    expect(() => prefixes({ "/workflows/desk/": backend })).toThrow(/workflow definitions.*authoring/);
    expect(() => prefixes({ "/scratchpad/": backend })).toThrow(/scratchpad/);
  });

  test.each(["WS-026", "GOV-099"])("%s /subagents/ is served", async () => {
    const mounts = { "/subagents/": await memoryBackend({ "/a.md": "hi" }) };
    const context = contextOf(root, { mounts });
    await bound(context, async () => expect(await context.workspace.readText("subagents/a.md")).toBe("hi"));
  });

  test("keys are canonicalized: the root is ignored, an escaping one collides, the last spelling wins", () => {
    expect(prefixes({ "/": backend, "./": backend, "": backend })).toMatchObject({ dirs: [], files: [] });
    expect(() => prefixes({ "/../a/": backend })).toThrow(
      expect.objectContaining({ name: "MountCollisionError", key: "/../a/" }),
    );
    const table = prefixes({ "/a/": backend, ".//a//": { backend, readOnly: false } });
    expect(table).toMatchObject({ dirs: ["a"], writable: ["a"] });
  });

  test("no flag follows from another, and searchable is ignored on a file", () => {
    const table = prefixes({
      "/a/": backend,
      "/b/": { backend, readOnly: false },
      "/c/": { backend, governed: true },
      "/d/": { backend, searchable: false },
      "/e": { backend, searchable: false },
    });
    expect(table).toEqual({
      dirs: ["a", "b", "c", "d"],
      files: ["e"],
      writable: ["b"],
      governed: ["c"],
      unsearchable: ["d"],
    });
  });

  test("WS-034 nested keys: the longest name classifies", () => {
    const { mountPrefixes } = contextOf(root, {
      mounts: { "/catalogs/": backend, "/catalogs/eu/": { backend, readOnly: false } },
    });
    expect(classifyWorkspacePath("catalogs/eu/a", mountPrefixes)).toBe("run");
    expect(classifyWorkspacePath("catalogs/uk/a", mountPrefixes)).toBe("authored");
    expect(classifyWorkspacePath("scratchpad/../checkpoints/x", mountPrefixes)).toBe("run-internal");
  });

  test("nested keys: the longest name routes, and each serves its own", async () => {
    const outer = await memoryBackend({ "/uk.md": "uk", "/eu/hidden.md": "hidden" });
    const inner = await memoryBackend({ "/a.md": "eu" });
    const context = contextOf(root, { mounts: { "/catalogs/": outer, "/catalogs/eu/": inner } });
    await bound(context, async () => {
      expect(await context.workspace.readText("catalogs/eu/a.md")).toBe("eu");
      expect(await context.workspace.readText("catalogs/eu/hidden.md")).toBeNull();
      expect(pathsOf(await context.backend.ls("catalogs"))).toEqual(["/catalogs/eu/", "/catalogs/uk.md"]);
      expect(pathsOf(await context.backend.glob("**/*.md", "/"))).not.toContain("/catalogs/eu/hidden.md");
    });
  });
});

describe("a read-only mount", () => {
  const path = "skills/notes/assets/list.json";

  test("WS-030 refuses every change itself, naming the path as the agent wrote it", async () => {
    const skills = recorded(new FilesystemBackend({ rootDir: `${root}/skills`, virtualMode: true }));
    const context = contextOf(root, { mounts: { "/skills/": skills.backend } });
    await bound(context, async () => {
      const before = await context.workspace.readText(path);
      skills.calls.length = 0;
      for (const answer of [
        await context.backend.write(path, "x"),
        await context.backend.edit(path, "A-1", "B"),
        await context.backend.delete(path),
      ]) {
        expect(answer.error).toContain("read-only mount");
        expect(answer.error).toContain(`'${path}'`);
      }
      expect(await context.backend.uploadFiles?.([[path, PNG]])).toEqual([
        { path: `/${path}`, error: "permission_denied" },
      ]);
      expect(skills.calls).toEqual([]);
      expect(await context.workspace.readText(path)).toBe(before);
    });
    expect(await filesIn(context.sessionStore.backend)).toEqual([]);
  });

  test("keeps its folders, and a folder above it, from being deleted", async () => {
    const context = contextOf(root, { mounts: { "/a/b/": backend } });
    await bound(context, async () => {
      for (const each of ["/", "a", "a/b"]) expect((await context.backend.delete(each)).error).toBeDefined();
    });
  });
});

test("WS-031 a file mount is one exact path", async () => {
  const context = contextOf(root);
  await bound(context, async () => {
    expect(await context.workspace.readText("AGENTS.md")).toBe("persona");
    await context.workspace.writeText("AGENTS.md.bak", "copy");
  });
  expect((await context.sessionStore.backend.readRaw("/s1/AGENTS.md.bak")).data?.content).toBe("copy");
});

test("WS-032 a writable mount keeps what is written, outside the session", async () => {
  const memories = await memoryBackend();
  const sessionStore = createMemorySessionStore();
  const context = contextOf(root, {
    sessionStore,
    mounts: { "/memories/": { backend: memories, readOnly: false } },
  });
  await bound(context, async () => {
    expect((await context.backend.write("memories/a.md", "kept")).path).toBe("/memories/a.md");
  });
  expect((await memories.readRaw("/a.md")).data?.content).toBe("kept");
  expect((await sessionStore.backend.ls("/s1/memories")).files).toEqual([]);
  expect(classifyWorkspacePath("memories/a.md", context.mountPrefixes)).toBe("run");
});

test("what the default table names and a root lacks reads as absent and is not listed", async () => {
  const empty = await temporaryDirectory();
  const context = contextOf(empty);
  expect(Object.keys(defaultMounts(empty))).toEqual(["/skills/", "/.platform/", "/AGENTS.md"]);
  await bound(context, async () => {
    expect(pathsOf(await context.backend.ls("/"))).toEqual([]);
    expect(await context.workspace.readText("AGENTS.md")).toBeNull();
    expect(pathsOf(await context.backend.ls("skills"))).toEqual([]);
    expect((await context.backend.readRaw("skills/x/SKILL.md")).error).toMatch(/not found/i);
  });
});
