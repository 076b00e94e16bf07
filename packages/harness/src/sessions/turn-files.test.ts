import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BackendProtocolV2 } from "deepagents";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFilesystemSessionStore } from "../workspace/filesystem-session-store.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { Workspace } from "../workspace/workspace.ts";
import type { TurnFile } from "./shapes.ts";
import { assertTurnFiles, placeTurnFiles, refuseFilesInReply } from "./turn-files.ts";

const TEXT = new TextEncoder().encode("hello\n");
const ZIP = Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0xff, 0xfe, 0x00, 0x80);

/** Only the required methods of a backend. */
function bare(backend: BackendProtocolV2): BackendProtocolV2 {
  return {
    ls: (path) => backend.ls(path),
    read: (path, offset, limit) => backend.read(path, offset, limit),
    readRaw: (path) => backend.readRaw(path),
    write: (path, content) => backend.write(path, content),
    edit: (path, before, after, all) => backend.edit(path, before, after, all),
    grep: (pattern, path, glob, max) => backend.grep(pattern, path, glob, max),
    glob: (pattern, path) => backend.glob(pattern, path),
  };
}

let dir: string;
let disk: Workspace;
let memory: Workspace;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "turn-files-"));
  disk = new Workspace(createFilesystemSessionStore({ dir }).backend);
  memory = new Workspace(createMemorySessionStore().backend);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function stored(name: string): Promise<Uint8Array> {
  return readFile(join(dir, "s1/scratchpad/attachments", name)).then((buffer) => Uint8Array.from(buffer));
}

describe("placing", () => {
  test("WS-086 the bytes lie under scratchpad/attachments, a second file of the name beside the first", async () => {
    const first = await placeTurnFiles(disk, {
      sessionId: "s1",
      files: { invoice: { name: "i.pdf", content: ZIP } },
    });
    expect(first).toEqual({ invoice: "scratchpad/attachments/i.pdf" });
    expect(await stored("i.pdf")).toEqual(ZIP);
    const second = await placeTurnFiles(disk, {
      sessionId: "s1",
      files: { invoice: { name: "i.pdf", content: TEXT } },
    });
    expect(second).toEqual({ invoice: "scratchpad/attachments/i-1.pdf" });
    expect(await stored("i.pdf")).toEqual(ZIP);
    expect(await stored("i-1.pdf")).toEqual(TEXT);
  });

  test("RUN-013 a.pdf in two turns is a.pdf, then a-1.pdf, whatever the store", async () => {
    for (const store of [disk, memory]) {
      const files = { inv: { name: "a.pdf", content: ZIP } };
      expect(await placeTurnFiles(store, { sessionId: "s1", files })).toEqual({
        inv: "scratchpad/attachments/a.pdf",
      });
      expect(await placeTurnFiles(store, { sessionId: "s1", files })).toEqual({
        inv: "scratchpad/attachments/a-1.pdf",
      });
    }
  });

  test("two files of one name in one turn are placed in key order", async () => {
    const file = { name: "a.txt", content: TEXT };
    expect(await placeTurnFiles(memory, { sessionId: "s1", files: { one: file, two: file } })).toEqual({
      one: "scratchpad/attachments/a.txt",
      two: "scratchpad/attachments/a-1.txt",
    });
  });

  test("a store with the required methods alone takes text, an empty file and a replacement character", async () => {
    const store = new Workspace(bare(memory.backend));
    const files: Record<string, TurnFile> = {
      text: { name: "a.txt", content: TEXT },
      empty: { name: "b.txt", content: new Uint8Array() },
      mark: { name: "c.txt", content: new TextEncoder().encode("\uFEFFa\uFFFDb") },
    };
    assertTurnFiles(store, { sessionId: "s1", files, variables: {} });
    await placeTurnFiles(store, { sessionId: "s1", files });
    expect(await store.readText("s1/scratchpad/attachments/a.txt")).toBe("hello\n");
    expect(await store.readText("s1/scratchpad/attachments/c.txt")).toBe("\uFEFFa\uFFFDb");
  });

  test("a store that changes the bytes: everything placed is removed and the turn is refused", async () => {
    const files = { text: { name: "a.txt", content: TEXT }, doc: { name: "b.docx", content: ZIP } };
    assertTurnFiles(memory, { sessionId: "s1", files, variables: {} });
    await expect(placeTurnFiles(memory, { sessionId: "s1", files })).rejects.toMatchObject({
      name: "InvalidTurnFileError",
      sessionId: "s1",
      variable: "doc",
      reason: expect.stringContaining("bytes"),
    });
    expect(await memory.listDir("s1/scratchpad/attachments")).toEqual([]);
  });

  test("a store that refuses the upload, or fails: what was placed is removed", async () => {
    const files = { one: { name: "a.txt", content: TEXT }, two: { name: "b.txt", content: TEXT } };
    const upload = disk.backend.uploadFiles?.bind(disk.backend);
    const spy = vi.spyOn(disk.backend, "uploadFiles" as never) as unknown as ReturnType<typeof vi.fn>;
    spy.mockImplementation(async (batch: [string, Uint8Array][]) =>
      batch[0]?.[0].endsWith("b.txt") ? [{ path: "b", error: "permission_denied" }] : upload?.(batch),
    );
    await expect(placeTurnFiles(disk, { sessionId: "s1", files })).rejects.toMatchObject({
      name: "InvalidTurnFileError",
      variable: "two",
      reason: expect.stringContaining("permission_denied"),
    });
    expect(await readdir(join(dir, "s1/scratchpad/attachments"))).toEqual([]);
    spy.mockRejectedValue(new Error("connection reset"));
    await expect(placeTurnFiles(disk, { sessionId: "s1", files })).rejects.toThrow("connection reset");
  });

  test("no files, no call to the store", async () => {
    const ls = vi.spyOn(memory.backend, "ls");
    expect(await placeTurnFiles(memory, { sessionId: "s1", files: undefined })).toEqual({});
    expect(ls).not.toHaveBeenCalled();
  });
});

describe("checking", () => {
  function check(store: Workspace, files: Record<string, unknown>, variables: Record<string, unknown> = {}) {
    assertTurnFiles(store, { sessionId: "s1", files: files as Record<string, TurnFile>, variables });
  }

  function refusalOf(
    store: Workspace,
    files: Record<string, unknown>,
    variables?: Record<string, unknown>,
  ): string {
    try {
      check(store, files, variables);
    } catch (error) {
      expect(error).toMatchObject({ name: "InvalidTurnFileError", sessionId: "s1" });
      return (error as { reason: string }).reason;
    }
    throw new Error("the files were accepted");
  }

  test("WS-087 a variable also in variables, a name a/b, a docx on a bare store are refused", () => {
    const store = new Workspace(bare(memory.backend));
    const write = vi.spyOn(memory.backend, "write");
    const text = { name: "a.txt", content: TEXT };
    expect(refusalOf(memory, { invoice: text }, { invoice: 1 })).toContain("variables");
    expect(refusalOf(memory, { invoice: { ...text, name: "a/b" } })).toContain("plain file name");
    expect(refusalOf(store, { invoice: { name: "a.docx", content: ZIP } })).toContain("uploadFiles");
    expect(write).not.toHaveBeenCalled();
  });

  test("WS-087 a session a person holds takes no files", () => {
    const files = { invoice: { name: "a.txt", content: TEXT } };
    expect(() => refuseFilesInReply({ sessionId: "s1", files })).toThrow(
      expect.objectContaining({ name: "InvalidTurnFileError", variable: "invoice" }),
    );
    expect(() => refuseFilesInReply({ sessionId: "s1", files: undefined })).not.toThrow();
    expect(() => refuseFilesInReply({ sessionId: "s1", files: {} })).not.toThrow();
  });

  test("RUN-014 a name ../a, or a variable also in variables, is refused and nothing is written", () => {
    const write = vi.spyOn(disk.backend, "write");
    const upload = vi.spyOn(disk.backend, "uploadFiles" as never);
    refusalOf(disk, { inv: { name: "../a", content: TEXT } });
    refusalOf(disk, { inv: { name: "a", content: TEXT } }, { inv: "x" });
    expect(write).not.toHaveBeenCalled();
    expect(upload).not.toHaveBeenCalled();
  });

  test.each(["", ".", "..", "a..b", "a/b", "a\\b", "a\u0000b", 7, undefined])(
    "the name %j is refused",
    (name) => {
      refusalOf(memory, { inv: { name, content: TEXT } });
    },
  );

  test.each(["Bad-Name", "_x", "trigger", "title", "__proto__x"])(
    "the variable %s is refused",
    (variable) => {
      refusalOf(memory, { [variable]: { name: "a", content: TEXT } });
    },
  );

  test.each(["text", [1, 2], { 0: 1 }, null, undefined])("content %j is refused", (content) => {
    expect(refusalOf(memory, { inv: { name: "a", content } })).toContain("Uint8Array");
  });

  test("a missing file is refused", () => {
    refusalOf(memory, { inv: undefined });
  });

  test("a binary-typed name needs uploadFiles even for text", () => {
    const store = new Workspace(bare(memory.backend));
    expect(refusalOf(store, { inv: { name: "a.pdf", content: TEXT } })).toContain("uploadFiles");
    check(memory, { inv: { name: "a.pdf", content: TEXT } });
    check(store, { inv: { name: "a.docx", content: TEXT } });
  });
});
