import { FilesystemBackend } from "deepagents";
import { describe, expect, test } from "vitest";
import { createFilesystemSessionStore } from "./filesystem-session-store.ts";
import { createMemorySessionStore } from "./memory-session-store.ts";
import { bare, bareStore, memoryBackend } from "./testing-fixtures/backends.ts";
import {
  bound,
  contextOf,
  PNG,
  rootDirectory,
  temporaryDirectory,
  writeFiles,
} from "./testing-fixtures/root.ts";
import { withoutDelete } from "./without-delete.ts";

const root = await rootDirectory();
const bytes = (text: string) => new TextEncoder().encode(text);

/** A context of which no backend has an optional method. */
async function bareContext() {
  const on = (dir: string) => bare(new FilesystemBackend({ rootDir: dir, virtualMode: true }));
  return contextOf(root, {
    sessionStore: bareStore(createFilesystemSessionStore({ dir: await temporaryDirectory() })),
    mounts: { "/skills/": on(`${root}/skills`), "/AGENTS.md": on(root) },
  });
}

describe("downloads from stores that cannot download", () => {
  test("WS-054 give the exact bytes, or say why not, and never altered ones", async () => {
    const context = await bareContext();
    await bound(context, async () => {
      await context.backend.write("scratchpad/n.txt", "grüße\r\n");
      await context.backend.write("scratchpad/lossy.txt", "a\uFFFDb");
      const skill = await context.workspace.readText("skills/notes/SKILL.md");
      expect(
        await context.backend.downloadFiles([
          "skills/notes/SKILL.md",
          "skills/notes/assets/logo.png",
          "/AGENTS.md",
          "./scratchpad/n.txt",
          "scratchpad/none.txt",
          "scratchpad/lossy.txt",
        ]),
      ).toEqual([
        { path: "/skills/notes/SKILL.md", content: bytes(skill ?? ""), error: null },
        { path: "/skills/notes/assets/logo.png", content: PNG, error: null },
        { path: "/AGENTS.md", content: bytes("persona"), error: null },
        { path: "/scratchpad/n.txt", content: bytes("grüße\r\n"), error: null },
        { path: "/scratchpad/none.txt", content: null, error: "file_not_found" },
        { path: "/scratchpad/lossy.txt", content: null, error: "permission_denied" },
      ]);
    });
  });

  test("sort a refusal by what it says", async () => {
    const answers: Record<string, string> = {
      "/dir": "EISDIR: illegal operation on a directory",
      "/closed": "EACCES: permission denied",
      "/odd": "Path traversal not allowed",
      "/gone": "ENOENT: no such file or directory",
    };
    const backend = bare(await memoryBackend());
    backend.readRaw = async (path) => {
      if (path === "/odd") throw new Error(answers[path]);
      return { error: answers[path] ?? "" };
    };
    const context = contextOf(root, { mounts: { "/m/": backend } });
    await bound(context, async () => {
      const found = await context.backend.downloadFiles(["m/dir", "m/closed", "m/odd", "m/gone"]);
      expect(found.map(({ error }) => error)).toEqual([
        "is_directory",
        "permission_denied",
        "invalid_path",
        "file_not_found",
      ]);
    });
  });
});

describe("uploads", () => {
  test("WS-055 are offered iff the session store takes them", async () => {
    expect("uploadFiles" in (await bareContext()).backend).toBe(false);
    expect((await bareContext()).workspace.backend.uploadFiles).toBeUndefined();
    expect(contextOf(root).backend.uploadFiles).toBeTypeOf("function");
  });

  test("WS-055 to a bare writable mount are refused for that file only", async () => {
    const context = contextOf(root, {
      mounts: { "/m/": { backend: bare(await memoryBackend()), readOnly: false } },
    });
    await bound(context, async () => {
      expect(
        await context.backend.uploadFiles?.([
          ["m/a.png", PNG],
          ["scratchpad/a.png", PNG],
        ]),
      ).toEqual([
        { path: "/m/a.png", error: "permission_denied" },
        { path: "/scratchpad/a.png", error: null },
      ]);
      expect((await context.backend.downloadFiles(["scratchpad/a.png"]))[0]?.content).toEqual(PNG);
    });
  });
});

describe("deletion", () => {
  test("WS-055 on a bare store answers with an error", async () => {
    const context = await bareContext();
    await bound(context, async () => {
      await context.backend.write("scratchpad/n.txt", "n");
      const { error } = await context.backend.delete("scratchpad/n.txt");
      expect(error).toContain("scratchpad/n.txt");
      expect(error).toContain("does not support deletion");
    });
  });

  test("is not there for Deep Agents, by access or by name", async () => {
    const context = contextOf(root);
    const handed = withoutDelete(context.backend);
    expect("delete" in handed).toBe(false);
    expect(handed.delete).toBeUndefined();
    await bound(context, async () => {
      await handed.write("scratchpad/n.txt", "n");
      expect((await context.backend.delete("scratchpad/n.txt")).path).toBe("/scratchpad/n.txt");
      expect((await handed.read("scratchpad/n.txt")).error).toMatch(/not found/i);
    });
  });
});

test("a transfer keeps the order asked, over several routes", async () => {
  const dir = await temporaryDirectory();
  await writeFiles(dir, { "a.txt": "mount a", "b.txt": "mount b" });
  const context = contextOf(root, {
    sessionStore: createMemorySessionStore(),
    mounts: { "/m/": new FilesystemBackend({ rootDir: dir, virtualMode: true }) },
  });
  await bound(context, async () => {
    await context.backend.write("a.txt", "session a");
    const found = await context.backend.downloadFiles(["m/b.txt", "a.txt", "m/none", "m/a.txt", "a.txt"]);
    expect(found.map(({ path }) => path)).toEqual(["/m/b.txt", "/a.txt", "/m/none", "/m/a.txt", "/a.txt"]);
    expect(found.map(({ content }) => content && new TextDecoder().decode(content))).toEqual([
      "mount b",
      "session a",
      null,
      "mount a",
      "session a",
    ]);
  });
});
