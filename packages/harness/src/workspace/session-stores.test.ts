import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { FilesystemBackend } from "deepagents";
import { describe, expect, test } from "vitest";
import { sessionStoreContract } from "../contracts/session-store.ts";
import { createBackendSessionStore } from "./backend-session-store.ts";
import { createFilesystemSessionStore } from "./filesystem-session-store.ts";
import { createMemorySessionStore } from "./memory-session-store.ts";
import { filesIn, memoryBackend, pathsOf } from "./testing-fixtures/backends.ts";
import { bound, contextOf, rootDirectory, temporaryDirectory, writeFiles } from "./testing-fixtures/root.ts";

describe("in memory", () => {
  sessionStoreContract({ describe, test }, "memory", async () => ({ subject: createMemorySessionStore() }));
});

describe("on a filesystem", () => {
  sessionStoreContract({ describe, test }, "filesystem", async () => ({
    subject: createFilesystemSessionStore({ dir: join(await temporaryDirectory(), "run") }),
  }));
});

describe("over a backend, below a prefix", () => {
  sessionStoreContract({ describe, test }, "backend", async () => {
    const backend = await memoryBackend({ "/tenants/b/s1/a.md": "the neighbour's needle" });
    const deleteSession = async (id: string) =>
      (await backend.delete?.(`/tenants/a/${id}`))?.error === undefined;
    return { subject: createBackendSessionStore({ backend, prefix: "/tenants/a/", deleteSession }) };
  });
});

describe("on a filesystem", () => {
  test("WS-049 deletes strictly below its directory", async () => {
    const d = await temporaryDirectory();
    await writeFiles(d, { "v/keep.txt": "kept", "run/s1/a.txt": "a" });
    const store = createFilesystemSessionStore({ dir: join(d, "run") });
    for (const id of ["../v", "/../v", "a/../../v", ""]) {
      await expect((async () => store.deleteSession(id))(), id).rejects.toMatchObject({
        name: "SessionStoreIdError",
      });
    }
    expect(await readFile(join(d, "v/keep.txt"), "utf8")).toBe("kept");
    expect(await store.deleteSession("s1")).toBe(true);
    expect(await store.deleteSession("s1")).toBe(false);
  });

  test("does not follow a link out of it", async () => {
    const d = await temporaryDirectory();
    await writeFiles(d, { "v/s1/keep.txt": "kept" });
    await mkdir(join(d, "run"));
    await symlink(join(d, "v"), join(d, "run/linked"));
    const store = createFilesystemSessionStore({ dir: join(d, "run") });
    await expect(store.deleteSession("linked/s1")).rejects.toMatchObject({ name: "SessionStoreIdError" });
    expect(await store.deleteSession("linked")).toBe(true);
    expect(await readFile(join(d, "v/s1/keep.txt"), "utf8")).toBe("kept");
  });

  test("a folder that cannot be listed is an error, not an empty one", async () => {
    const d = await temporaryDirectory();
    await symlink(join(d, "loop"), join(d, "loop"));
    const store = createFilesystemSessionStore({ dir: d });
    expect((await store.backend.ls("/loop")).error).toMatch(/could not be listed/);
    expect(await store.backend.ls("/none")).toEqual({ files: [] });
  });

  test("makes its directory on the first write, not before", async () => {
    const d = await temporaryDirectory();
    const store = createFilesystemSessionStore({ dir: join(d, "run") });
    expect(await store.backend.ls("/")).toEqual({ files: [] });
    expect(await new FilesystemBackend({ rootDir: d, virtualMode: true }).ls("/")).toEqual({ files: [] });
  });
});

describe("over a backend", () => {
  test("WS-050 the prefix is inside alone: no path of any call shows it", async () => {
    const backend = await memoryBackend();
    const sessionStore = createBackendSessionStore({ backend, prefix: "/tenants/a/" });
    const context = contextOf(await rootDirectory(), { sessionStore });
    await bound(context, async () => {
      const written = await context.backend.write("scratchpad/n.txt", "needle");
      const shown = [
        written.path,
        ...pathsOf(await context.backend.ls("/")),
        ...pathsOf(await context.backend.ls("scratchpad")),
        ...pathsOf(await context.backend.glob("**/*", "/")),
        ...pathsOf(await context.backend.grep("needle")),
      ];
      expect(shown.join(" ")).not.toContain("tenants");
      expect(shown).toContain("/scratchpad/n.txt");
    });
    expect(await filesIn(backend)).toEqual(["/tenants/a/s1/scratchpad/n.txt"]);
    expect(pathsOf(await sessionStore.backend.ls("/"))).toEqual(["/s1/"]);
  });

  test("no error shows the prefix either", async () => {
    const backend = await memoryBackend();
    backend.readRaw = async (path) => ({
      error: `NoSuchKey: bucket/tenants/a${path.slice("/tenants/a".length)}`,
    });
    const sessionStore = createBackendSessionStore({ backend, prefix: "tenants/a" });
    const context = contextOf(await rootDirectory(), { sessionStore });
    await bound(context, async () => {
      const { error } = await context.backend.readRaw("scratchpad/n.txt");
      expect(error).toContain("scratchpad/n.txt");
      expect(error).not.toMatch(/tenants|s1/);
    });
  });

  test("can delete iff told how, and hands on the logical id", async () => {
    const backend = await memoryBackend();
    const without = createBackendSessionStore({ backend, prefix: "p" });
    expect(without.capabilities).toEqual({ list: true, delete: false });
    await expect(without.deleteSession("s1")).rejects.toMatchObject({
      name: "SessionStoreCapabilityError",
      storeKind: "backend",
      capability: "delete",
    });
    const asked: string[] = [];
    const told = createBackendSessionStore({
      backend,
      prefix: "p",
      list: false,
      deleteSession: async (id) => {
        asked.push(id);
        return true;
      },
    });
    expect(told.capabilities).toEqual({ list: false, delete: true });
    expect(await told.deleteSession("/s1")).toBe(true);
    expect(asked).toEqual(["s1"]);
  });
});

test("WS-052 in memory, deleting s1 leaves s10 and the definitions", async () => {
  const MEM = createMemorySessionStore();
  for (const path of ["/s1/a", "/s10/a", "/_specs/h.json"]) await MEM.backend.write(path, "x");
  expect(await MEM.deleteSession("s1")).toBe(true);
  expect(await filesIn(MEM.backend)).toEqual(["/_specs/h.json", "/s10/a"]);
});
