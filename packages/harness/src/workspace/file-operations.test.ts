import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { FilesystemBackend } from "deepagents";
import { describe, expect, test } from "vitest";
import { createFileOperationTools } from "./file-operations.ts";
import { createFilesystemSessionStore } from "./filesystem-session-store.ts";
import { bare, bareStore, filesIn, memoryBackend } from "./testing-fixtures/backends.ts";
import { bound, contextOf, PNG, rootDirectory, temporaryDirectory, ZIP } from "./testing-fixtures/root.ts";
import type { WorkspaceContext, WorkspaceContextOptions } from "./workspace-context.ts";

const LONG = Array.from({ length: 900 }, (_, line) => `line ${line}\n`).join("");
const root = await rootDirectory({ "skills/notes/assets/long.md": LONG, "skills/notes/assets/a.docx": ZIP });
const assets = "skills/notes/assets";

/** A context over a fresh directory, and what its three tools answer. */
async function desk(options: WorkspaceContextOptions = {}) {
  const dir = await temporaryDirectory();
  const context = contextOf(root, { sessionStore: createFilesystemSessionStore({ dir }), ...options });
  return { dir, context, ...operationsOf(context) };
}

function operationsOf(context: WorkspaceContext) {
  const [copy, move, remove] = createFileOperationTools(context.backend, context.mountPrefixes);
  const answer = (entry: typeof copy, input: object) =>
    bound(context, async () => String(await entry?.invoke(input as never)));
  return {
    copy: (source: string, destination: string, more: object = {}) =>
      answer(copy, { source, destination, ...more }),
    move: (source: string, destination: string, more: object = {}) =>
      answer(move, { source, destination, ...more }),
    remove: (file_path: string) => answer(remove, { file_path }),
    bytes: (path: string) =>
      bound(context, async () => (await context.backend.downloadFiles([path]))[0]?.content ?? null),
    text: (path: string) => bound(context, async () => context.workspace.readText(path)),
    put: (path: string, content: string | Uint8Array) =>
      bound(context, async () => {
        if (typeof content === "string") await context.workspace.writeText(path, content);
        else await context.backend.uploadFiles?.([[path, content]]);
      }),
  };
}

describe("copy_file", () => {
  test("WS-066 900 lines are the same bytes, told in one line by their canonical path", async () => {
    const { copy, text } = await desk();
    const answer = await copy(`${assets}/long.md`, "./scratchpad//out/r.md");
    expect(answer).toBe(`Copied '${assets}/long.md' to 'scratchpad/out/r.md' (7.8 KB).`);
    expect(answer).not.toContain("line 1");
    expect(await text("scratchpad/out/r.md")).toBe(LONG);
  });

  test("WS-067 an image and a document keep every byte, and their sources stay", async () => {
    const { copy, bytes } = await desk();
    for (const [source, destination, content] of [
      [`${assets}/logo.png`, "scratchpad/l.png", PNG],
      [`${assets}/a.docx`, "drafts/a.docx", ZIP],
    ] as const) {
      expect(await copy(source, destination)).toMatch(/^Copied /);
      expect(new Uint8Array((await bytes(destination)) ?? [])).toEqual(content);
      expect(new Uint8Array((await bytes(source)) ?? [])).toEqual(content);
    }
  });

  test("WS-068 what is there stays unless overwrite is given; a file is not its own destination", async () => {
    const { copy, put, text } = await desk();
    await put("a.md", "a");
    await put("b.md", "b");
    expect(await copy("a.md", "b.md")).toMatch(/^Error: 'b\.md' already exists/);
    expect(await text("b.md")).toBe("b");
    expect(await copy("a.md", "b.md", { overwrite: true })).toMatch(/^Copied /);
    expect(await text("b.md")).toBe("a");
    expect(await copy("a.md", "/a.md")).toMatch(/^Error: .*same file/);
    expect(await copy("a.md", "/a.md", { overwrite: true })).toMatch(/^Error: .*same file/);
  });

  test.each(["long.md", "a.docx"])("WS-069 %s is not copied into a read-only mount", async (name) => {
    const { copy, text, dir } = await desk();
    expect(await copy(`${assets}/${name}`, "skills/x/y")).toMatch(/^Error: 'skills\/x\/y' .*read-only mount/);
    expect(await text("skills/x/y")).toBeNull();
    expect(await filesIn(new FilesystemBackend({ rootDir: dir, virtualMode: true }))).toEqual([]);
  });

  test.each([
    ["../x", "leaves the workspace"],
    ["a/../../x", "leaves the workspace"],
    ["/", "root"],
    ["", "root"],
    ["./.", "root"],
  ])("%j is no file to copy from or to", async (path, reason) => {
    const { copy, put } = await desk();
    await put("a.md", "a");
    expect(await copy(path, "b.md")).toMatch(new RegExp(`^Error: .*${reason}`));
    expect(await copy("a.md", path)).toMatch(new RegExp(`^Error: .*${reason}`));
  });

  test("a byte-order mark and an empty file are kept", async () => {
    const { copy, put, bytes } = await desk();
    await put("bom.txt", Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]));
    await put("empty.txt", new Uint8Array());
    await copy("bom.txt", "out/bom.txt");
    await copy("empty.txt", "out/empty.txt");
    expect([...((await bytes("out/bom.txt")) ?? [])]).toEqual([0xef, 0xbb, 0xbf, 0x61]);
    expect(await bytes("out/empty.txt")).toHaveLength(0);
  });

  test("a link is neither followed nor written through", async () => {
    const { copy, remove, put, dir } = await desk();
    await put("a.md", "a");
    await symlink(join(root, "AGENTS.md"), join(dir, "s1/out"));
    await symlink(join(dir, "s1/a.md"), join(dir, "s1/inside"));
    for (const link of ["out", "inside"]) {
      expect(await copy(link, "b.md")).toMatch(/^Error: /);
      expect(await copy("a.md", link, { overwrite: true })).toMatch(/^Error: /);
      expect(await remove(link)).toMatch(/^Error: /);
    }
  });
});

describe("move_file and remove_file", () => {
  test("WS-069 an authored file is not moved, and nothing is written", async () => {
    const { move, text } = await desk();
    expect(await move(`${assets}/list.json`, "scratchpad/l.json")).toMatch(/^Error: .*copy_file/);
    expect(await text("scratchpad/l.json")).toBeNull();
    expect(await text(`${assets}/list.json`)).toBe('[{"id":"A-1"}]');
  });

  test("WS-070 a move takes its source away; what is no file is told by its class", async () => {
    const { move, remove, put, bytes } = await desk();
    await put("scratchpad/a.docx", ZIP);
    expect(await move("scratchpad/a.docx", "drafts/b.docx")).toBe(
      "Moved 'scratchpad/a.docx' to 'drafts/b.docx' (8 B).",
    );
    expect(new Uint8Array((await bytes("drafts/b.docx")) ?? [])).toEqual(ZIP);
    expect(await bytes("scratchpad/a.docx")).toBeNull();
    expect(await remove("none.md")).toMatch(/^Error: 'none\.md' .*does not exist/);
    expect(await remove("drafts")).toMatch(/^Error: 'drafts' .*directory/);
    expect(await remove("./drafts//b.docx")).toBe("Removed 'drafts/b.docx'.");
    expect(await bytes("drafts/b.docx")).toBeNull();
  });

  test("a source that cannot be removed leaves both files, and says so", async () => {
    const backend = bare(await memoryBackend({ "/a.md": "a" }));
    const { move, text } = await desk({ mounts: { "/m/": { backend, readOnly: false } } });
    expect(await move("m/a.md", "b.md")).toMatch(/^Error: 'm\/a\.md' .*'b\.md'.*Both files are there/);
    expect([await text("m/a.md"), await text("b.md")]).toEqual(["a", "a"]);
  });
});

describe("stores that keep less", () => {
  test("WS-071 a memory store refuses a document, leaving nothing, and keeps an image", async () => {
    const { copy, bytes } = operationsOf(contextOf(root));
    expect(await copy(`${assets}/a.docx`, "drafts/a.docx")).toMatch(/^Error: .*byte for byte/);
    expect(await bytes("drafts/a.docx")).toBeNull();
    expect(await copy(`${assets}/logo.png`, "drafts/l.png")).toMatch(/^Copied /);
    expect(new Uint8Array((await bytes("drafts/l.png")) ?? [])).toEqual(PNG);
  });

  test("WS-072 a bare store copies text and images, removes nothing, and never throws", async () => {
    const sessionStore = bareStore(createFilesystemSessionStore({ dir: await temporaryDirectory() }));
    const { copy, move, remove, put, text, bytes } = await desk({ sessionStore });
    await put("a.md", "grüße");
    expect(await copy("a.md", "b.md")).toMatch(/^Copied /);
    expect(await text("b.md")).toBe("grüße");
    expect(await copy(`${assets}/logo.png`, "l.png")).toMatch(/^Copied /);
    expect(new Uint8Array((await bytes("l.png")) ?? [])).toEqual(PNG);
    expect(await remove("a.md")).toMatch(/^Error: 'a\.md' .*cannot do that/);
    expect(await move("a.md", "c.md")).toMatch(/^Error: .*cannot do that.*Both files are there/);
    expect(await copy(`${assets}/a.docx`, "a.docx")).toMatch(/^Error: /);
  });

  test("a store's own error text never reaches the answer", async () => {
    const backend = bare(await memoryBackend());
    backend.readRaw = async () => ({ error: "Access to /srv/tenants/9 denied" });
    backend.write = async () => {
      throw new Error("disk /dev/sda1 is full");
    };
    const { copy, put } = await desk({ mounts: { "/m/": { backend, readOnly: false } } });
    await put("a.md", "a");
    const answers = [await copy("m/x", "b.md"), await copy("a.md", "m/x")];
    expect(answers.join(" ")).not.toMatch(/srv|sda1/);
    for (const answer of answers) expect(answer).toMatch(/^Error: 'm\/x' .*the store refused/);
  });

  test("an overwritten file the store garbles is left as it wrote it, and that is said", async () => {
    const { copy, put, text } = operationsOf(contextOf(root));
    await put("drafts/a.docx", "old");
    expect(await copy(`${assets}/a.docx`, "drafts/a.docx", { overwrite: true })).toMatch(
      /^Error: .*byte for byte.*left as the store wrote it/,
    );
    expect(await text("drafts/a.docx")).not.toBeNull();
  });
});
