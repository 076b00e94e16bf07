import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "deepagents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyFile, moveFile, removeFile } from "./file-copy.ts";
import { createFilesystemSessionStore } from "./filesystem-session-store.ts";
import { createMemorySessionStore } from "./memory-session-store.ts";
import { mountSubtree } from "./mount-subtree.ts";
import { createWorkspaceContext, type WorkspaceContext } from "./workspace-context.ts";

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);
let root: string;
let files: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "archmax-ws-"));
  files = join(root, "skills/notes/assets");
  await mkdir(files, { recursive: true });
  await mkdir(join(root, "workflows/desk"), { recursive: true });
  await writeFile(join(root, "AGENTS.md"), "persona");
  await writeFile(join(root, ".env"), "SECRET=1");
  await writeFile(join(root, "skills/notes/SKILL.md"), "---\ndescription: Notes.\n---\nText\n");
  await writeFile(join(files, "list.json"), '[{"id":"A-1"}]');
  await writeFile(join(files, "logo.png"), PNG);
  await writeFile(join(root, "workflows/desk/workflow.yaml"), "states: {}\n");
});
afterAll(() => rm(root, { recursive: true, force: true }));

const at = (): WorkspaceContext =>
  createWorkspaceContext({ rootDir: root, sessionStore: createMemorySessionStore() });
const bound = <T>(context: WorkspaceContext, run: () => Promise<T>, id = "s1"): Promise<T> =>
  context.sessionZone.sessionScoped(id, run);

describe("the workspace context", () => {
  test("WS-022 a default that still needs a root is refused by name", () => {
    const option = (options: object) => {
      try {
        createWorkspaceContext(options);
      } catch (error) {
        return (error as { name: string; option: string }).option;
      }
      return undefined;
    };
    expect(option({ mounts: {} })).toBe("sessionStore");
    expect(option({ sessionStore: createMemorySessionStore() })).toBe("mounts");
  });

  test("WS-024 a backend without a session store names the three factories", () => {
    expect(() => createWorkspaceContext({ backend: createMemorySessionStore().backend })).toThrow(
      /createFilesystemSessionStore.*createBackendSessionStore.*createMemorySessionStore/,
    );
  });

  test("WS-025 GOV-100 a writable mount on the authoring backend is refused, a read-only one is fine", () => {
    const shared = createMemorySessionStore().backend;
    const options = { authoring: shared, sessionStore: createMemorySessionStore() };
    expect(() =>
      createWorkspaceContext({ ...options, mounts: { "/a/": { backend: shared, readOnly: false } } }),
    ).toThrow(expect.objectContaining({ name: "AuthoringBackendExposedError", key: "/a/" }));
    expect(() => createWorkspaceContext({ ...options, mounts: { "/a/": shared } })).not.toThrow();
  });

  test.each(["/scratchpad/", "checkpoints/", "/_specs/x/", "/workflows/desk/"])(
    "WS-026 GOV-099 the mount %s collides",
    (key) => {
      const { backend } = createMemorySessionStore();
      expect(() => createWorkspaceContext({ rootDir: root, mounts: { [key]: backend } })).toThrow(
        expect.objectContaining({ name: "MountCollisionError" }),
      );
    },
  );

  test("WS-027 WS-035 the authoring plane and secrets are in no route", async () => {
    const context = at();
    expect(await context.authoring.readText("workflows/desk/workflow.yaml")).toBe("states: {}\n");
    await bound(context, async () => {
      expect(await context.workspace.readText("workflows/desk/workflow.yaml")).toBeNull();
      expect(await context.workspace.readText(".env")).toBeNull();
      const listed = (await context.backend.ls("/")).files?.map(({ path }) => path);
      expect(listed).not.toContain("/workflows/");
    });
  });

  test("WS-028 every spelling of a path is one file, listed under one prefix", async () => {
    const context = at();
    await bound(context, async () => {
      for (const spelling of ["/skills/notes/assets", "./skills/notes/assets", "//skills//notes/assets"]) {
        expect(await context.workspace.readText(`${spelling}/list.json`)).toBe('[{"id":"A-1"}]');
        const listed = (await context.backend.ls(spelling)).files?.map(({ path }) => path);
        expect(listed).toEqual(["/skills/notes/assets/list.json", "/skills/notes/assets/logo.png"]);
      }
    });
  });

  test("WS-029 a path that climbs out is refused before any backend is called", async () => {
    const context = at();
    await bound(context, async () => {
      const refused = { name: "WorkspacePathEscapeError" };
      await expect(context.backend.read("../x")).rejects.toMatchObject(refused);
      await expect(context.backend.write("a/../../x", "")).rejects.toMatchObject(refused);
      await expect(context.backend.ls("../")).rejects.toMatchObject(refused);
      expect(await context.workspace.readText("../x")).toBeNull();
    });
  });

  test("WS-030 a read-only mount refuses every write, naming the path as the agent wrote it", async () => {
    const context = at();
    const path = "skills/notes/assets/list.json";
    await bound(context, async () => {
      for (const answer of [
        await context.backend.write(path, "x"),
        await context.backend.edit(path, "A-1", "B"),
        await context.backend.delete(path),
      ]) {
        expect(answer.error).toContain("read-only mount");
        expect(answer.error).toContain(path);
      }
      expect(await context.backend.uploadFiles?.([[path, PNG]])).toMatchObject([
        { error: "permission_denied" },
      ]);
    });
    expect(await readFile(join(files, "list.json"), "utf8")).toBe('[{"id":"A-1"}]');
    expect((await context.sessionStore.backend.readRaw(`/s1/${path}`)).data).toBeUndefined();
  });

  test("WS-031 a file mount is one exact path", async () => {
    const context = at();
    await bound(context, async () => {
      expect(await context.workspace.readText("AGENTS.md")).toBe("persona");
      await context.workspace.writeText("AGENTS.md.bak", "copy");
    });
    expect((await context.sessionStore.backend.readRaw("/s1/AGENTS.md.bak")).data?.content).toBe("copy");
  });

  test("WS-033 a mounted subtree lists and reads under its mount", async () => {
    const store = createMemorySessionStore();
    await store.backend.write("/policies/a.md", "needle");
    const context = createWorkspaceContext({
      rootDir: root,
      sessionStore: createMemorySessionStore(),
      mounts: { "/policies/": mountSubtree(store.backend, "policies") },
    });
    await bound(context, async () => {
      expect((await context.backend.ls("policies")).files?.map(({ path }) => path)).toEqual([
        "/policies/a.md",
      ]);
      const matches = (await context.backend.grep("needle")).matches?.map(({ path }) => path);
      expect(matches).toEqual(["/policies/a.md"]);
      expect(await context.workspace.readText("/policies/a.md")).toBe("needle");
    });
  });

  test("WS-036 WS-037 a session's paths are its own, however many run at once", async () => {
    const context = at();
    await Promise.all(
      ["s1", "s2"].map((id) =>
        bound(
          context,
          async () => {
            const written = await context.backend.write("scratchpad/who.txt", id);
            expect(written.path).toBe("/scratchpad/who.txt");
            await new Promise((resolve) => setTimeout(resolve, 5));
            expect(await context.workspace.readText("scratchpad/who.txt")).toBe(id);
          },
          id,
        ),
      ),
    );
    expect(await context.workspace.readText("s1/scratchpad/who.txt")).toBe("s1");
    expect(await context.workspace.readText("s2/scratchpad/who.txt")).toBe("s2");
  });

  test("WS-039 WS-040 a bound listing hides the runtime's areas, and a search stays in the session", async () => {
    const context = at();
    for (const id of ["s1", "s2"]) {
      await bound(
        context,
        async () => {
          await context.workspace.writeText("scratchpad/n.txt", "needle");
          await context.workspace.writeText(`${id}/checkpoints/c.json`, "needle");
        },
        id,
      );
    }
    await bound(context, async () => {
      expect((await context.backend.ls("/")).files?.map(({ path }) => path)).toEqual([
        "/AGENTS.md",
        "/scratchpad/",
        "/skills/",
      ]);
      const found = (await context.backend.grep("needle", "/scratchpad")).matches?.map(({ path }) => path);
      expect(found).toEqual(["/scratchpad/n.txt"]);
    });
  });

  test("WS-048 a reserved id is a rejection, and nothing runs", async () => {
    const context = at();
    let ran = false;
    await expect(
      bound(
        context,
        async () => {
          ran = true;
        },
        "scratchpad",
      ),
    ).rejects.toMatchObject({ name: "SessionStoreIdError" });
    expect(ran).toBe(false);
  });

  test("WS-049 a filesystem store deletes below its folder alone", async () => {
    const folder = await mkdtemp(join(tmpdir(), "archmax-store-"));
    await mkdir(join(folder, "v"));
    const store = createFilesystemSessionStore({ dir: join(folder, "run") });
    for (const id of ["../v", "/../v", "a/../../v", ""]) {
      await expect((async () => store.deleteSession(id))()).rejects.toMatchObject({
        name: "SessionStoreIdError",
      });
    }
    await store.backend.write("/s1/a.txt", "a");
    expect(await store.deleteSession("s1")).toBe(true);
    expect(await store.deleteSession("s1")).toBe(false);
    await rm(folder, { recursive: true });
  });

  test("WS-058 an image is answered with a notice and no content", async () => {
    const context = at();
    await bound(context, async () => {
      const answer = await context.backend.read("skills/notes/assets/logo.png");
      expect(answer.error).toContain("'skills/notes/assets/logo.png' is a binary file (image/png, 12 B)");
      expect(answer.content).toBeUndefined();
    });
  });
});

describe("file operations", () => {
  const onDisk = async () => {
    const dir = await mkdtemp(join(tmpdir(), "archmax-run-"));
    const context = createWorkspaceContext({
      rootDir: root,
      sessionStore: createFilesystemSessionStore({ dir }),
    });
    return { context, dir };
  };
  const ZIP = Uint8Array.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0, 1]);

  test("WS-066 WS-067 a copy is byte for byte, answered in one line", async () => {
    const { context, dir } = await onDisk();
    await bound(context, async () => {
      expect(
        await copyFile(context.backend, "skills/notes/assets/list.json", "./scratchpad//out/l.json", false),
      ).toBe("Copied 'skills/notes/assets/list.json' to 'scratchpad/out/l.json' (14 B).");
      await copyFile(context.backend, "skills/notes/assets/logo.png", "scratchpad/l.png", false);
      await context.backend.uploadFiles?.([["/scratchpad/a.docx", ZIP]]);
      await copyFile(context.backend, "scratchpad/a.docx", "drafts/b.docx", false);
    });
    expect(new Uint8Array(await readFile(join(dir, "s1/scratchpad/l.png")))).toEqual(PNG);
    expect(new Uint8Array(await readFile(join(dir, "s1/drafts/b.docx")))).toEqual(ZIP);
    await rm(dir, { recursive: true });
  });

  test("WS-068 WS-069 WS-070 what is there stays, authored files stay, and a move takes its source away", async () => {
    const { context, dir } = await onDisk();
    const { backend, mountPrefixes } = context;
    await bound(context, async () => {
      await context.workspace.writeText("a.md", "a");
      await context.workspace.writeText("b.md", "b");
      expect(await copyFile(backend, "a.md", "b.md", false)).toMatch(/^Error: 'b.md' already exists/);
      expect(await context.workspace.readText("b.md")).toBe("b");
      expect(await copyFile(backend, "a.md", "b.md", true)).toMatch(/^Copied/);
      expect(await copyFile(backend, "a.md", "/a.md", true)).toMatch(/^Error: .*same file/);
      expect(await copyFile(backend, "a.md", "skills/x.md", false)).toMatch(/^Error: .*read-only mount/);
      expect(await moveFile(backend, mountPrefixes, "skills/notes/SKILL.md", "x.md", false)).toMatch(
        /^Error: .*copy_file/,
      );
      expect(await context.workspace.exists("x.md")).toBe(false);
      expect(await moveFile(backend, mountPrefixes, "a.md", "drafts/c.md", false)).toMatch(/^Moved/);
      expect(await context.workspace.exists("a.md")).toBe(false);
      expect(await removeFile(backend, "nothing.md")).toMatch(/^Error: .*does not exist/);
      expect(await removeFile(backend, "drafts")).toMatch(/^Error: .*directory/);
      expect(await removeFile(backend, "drafts/c.md")).toBe("Removed 'drafts/c.md'.");
    });
    await rm(dir, { recursive: true });
  });
});

test("the zero-config backends of a root are Deep Agents' own", () => {
  expect(at().authoring.backend).toBeInstanceOf(FilesystemBackend);
});
