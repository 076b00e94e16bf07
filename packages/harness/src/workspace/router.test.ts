import { describe, expect, test } from "vitest";
import { createFilesystemSessionStore } from "./filesystem-session-store.ts";
import { createMemorySessionStore } from "./memory-session-store.ts";
import { bare, filesIn, memoryBackend, pathsOf, recorded } from "./testing-fixtures/backends.ts";
import { bound, contextOf, rootDirectory, temporaryDirectory } from "./testing-fixtures/root.ts";

const root = await rootDirectory();

describe("spellings", () => {
  test("WS-028 every spelling of a path is one file, and a folder lists under one prefix", async () => {
    const context = contextOf(root);
    await bound(context, async () => {
      for (const spelling of ["/skills/notes/assets", "./skills/notes/assets", "//skills//notes/assets"]) {
        expect(await context.workspace.readText(`${spelling}/list.json`)).toBe('[{"id":"A-1"}]');
        expect(pathsOf(await context.backend.ls(spelling))).toEqual([
          "/skills/notes/assets/list.json",
          "/skills/notes/assets/logo.png",
        ]);
      }
    });
  });

  test("WS-029 a path that climbs out is refused before any backend is called", async () => {
    const store = createMemorySessionStore();
    const session = recorded(store.backend);
    const mounted = recorded(await memoryBackend());
    const context = contextOf(root, {
      sessionStore: { ...store, backend: session.backend },
      mounts: { "/a/": { backend: mounted.backend, readOnly: false } },
    });
    const refused = { name: "WorkspacePathEscapeError" };
    await bound(context, async () => {
      await expect(context.backend.read("../x")).rejects.toMatchObject({ ...refused, path: "../x" });
      await expect(context.backend.write("a/../../x", "")).rejects.toMatchObject(refused);
      await expect(context.backend.ls("../")).rejects.toMatchObject(refused);
      await expect(context.backend.readRaw("a/../../x")).rejects.toMatchObject(refused);
      await expect(context.backend.edit("../x", "a", "b")).rejects.toMatchObject(refused);
      await expect(context.backend.delete("../x")).rejects.toMatchObject(refused);
      await expect(context.backend.grep("x", "..")).rejects.toMatchObject(refused);
      await expect(context.backend.glob("x", "..")).rejects.toMatchObject(refused);
      await expect(context.backend.downloadFiles(["ok", "../x"])).rejects.toMatchObject(refused);
      await expect(context.backend.uploadFiles?.([["../x", new Uint8Array()]])).rejects.toMatchObject(
        refused,
      );
      expect(await context.workspace.readText("../x")).toBeNull();
    });
    expect([...session.calls, ...mounted.calls]).toEqual([]);
  });
});

describe("the session zone", () => {
  test("WS-036 a bound path lands in the session's folder and comes back without it", async () => {
    const context = contextOf(root);
    await bound(context, async () => {
      expect((await context.backend.write("scratchpad/n.txt", "n")).path).toBe("/scratchpad/n.txt");
    });
    expect((await context.sessionStore.backend.readRaw("/s1/scratchpad/n.txt")).data?.content).toBe("n");
    expect(await context.workspace.readText("s1/scratchpad/n.txt")).toBe("n");
  });

  test("WS-038 a path that names its session, or _specs, passes as it is", async () => {
    const context = contextOf(root);
    const { backend: store } = context.sessionStore;
    await bound(context, async () => {
      expect((await context.backend.write("s1/checkpoints/x.json", "{}")).path).toBe(
        "/s1/checkpoints/x.json",
      );
      await context.backend.write("_specs/h.json", "{}");
    });
    expect(await filesIn(store)).toEqual(["/_specs/h.json", "/s1/checkpoints/x.json"]);
  });

  test("WS-039 a bound root lists the session without the runtime's areas, and the mounts", async () => {
    const context = contextOf(root);
    await bound(context, async () => {
      for (const path of ["scratchpad/a", "artifacts/a", "checkpoints/a"])
        await context.backend.write(path, "x");
      expect(pathsOf(await context.backend.ls("/"))).toEqual(["/AGENTS.md", "/scratchpad/", "/skills/"]);
    });
    expect(pathsOf(await context.backend.ls("/"))).toEqual(["/AGENTS.md", "/s1/", "/skills/"]);
  });

  test("WS-053 what a host writes on its own handle is the agent's file", async () => {
    const sessionStore = createFilesystemSessionStore({ dir: await temporaryDirectory() });
    const context = contextOf(root, { sessionStore });
    await sessionStore.backend.write("/s1/scratchpad/in.txt", "from the host");
    await bound(context, async () => {
      expect(await context.workspace.readText("scratchpad/in.txt")).toBe("from the host");
    });
  });

  test("a session's file under a mount's name is neither listed nor found", async () => {
    const store = createMemorySessionStore();
    await store.backend.write("/s1/skills/notes/own.md", "needle");
    await store.backend.write("/s1/AGENTS.md", "needle");
    const context = contextOf(root, { sessionStore: store });
    await bound(context, async () => {
      expect(pathsOf(await context.backend.ls("/"))).toEqual(["/AGENTS.md", "/skills/"]);
      expect(pathsOf(await context.backend.ls("skills/notes"))).not.toContain("/skills/notes/own.md");
      expect(await context.workspace.readText("AGENTS.md")).toBe("persona");
    });
  });

  test("no error names the session's folder", async () => {
    const store = createMemorySessionStore();
    const failing = bare(store.backend);
    failing.readRaw = async (path) => ({ error: `Access to ${path} denied` });
    failing.write = async (path) => {
      throw new Error(`No space left at ${path}`);
    };
    failing.grep = async (_pattern, path) => ({ error: `Cannot search ${path}` });
    const context = contextOf(root, { sessionStore: { ...store, backend: failing } });
    await bound(context, async () => {
      expect((await context.backend.readRaw("out/x")).error).toBe("Access to /out/x denied");
      expect((await context.backend.write("out/x", "")).error).toBe("No space left at /out/x");
      expect((await context.backend.grep("x", "out")).error).toBe("Cannot search /out");
      expect((await context.backend.grep("x")).error).toBe("Cannot search /");
    });
  });

  test("Deep Agents' own offload paths land in the session's folder", async () => {
    const context = contextOf(root);
    await bound(context, async () => {
      await context.backend.write("/large_tool_results/call_1", "big");
      await context.backend.write("/conversation_history/s1.md", "old");
    });
    expect(await filesIn(context.sessionStore.backend)).toEqual([
      "/s1/conversation_history/s1.md",
      "/s1/large_tool_results/call_1",
    ]);
  });
});
