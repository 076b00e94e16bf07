import type { BackendProtocolV2, ReadResult } from "deepagents";
import { describe, expect, test } from "vitest";
import { binaryNotice } from "./binary-notice.ts";
import { formatByteSize } from "./byte-size.ts";
import { createFilesystemSessionStore } from "./filesystem-session-store.ts";
import { bare, memoryBackend } from "./testing-fixtures/backends.ts";
import {
  bound,
  contextOf,
  PNG,
  rootDirectory,
  temporaryDirectory,
  writeFiles,
  ZIP,
} from "./testing-fixtures/root.ts";

const root = await rootDirectory();

async function answering(result: ReadResult): Promise<BackendProtocolV2> {
  const backend = bare(await memoryBackend());
  backend.read = async () => result;
  return backend;
}

test("WS-058 a read of an image is a notice without content", async () => {
  const context = contextOf(root);
  await bound(context, async () => {
    const answer = await context.backend.read("/skills/notes/assets/logo.png");
    expect(answer.content).toBeUndefined();
    expect(answer.error).toContain("'skills/notes/assets/logo.png' is a binary file (image/png, 12 B)");
    expect(answer.error).toMatch(/not read/);
    expect(answer.error).toMatch(/only text files/);
    expect(JSON.stringify(answer)).not.toContain(Buffer.from(PNG).toString("base64").slice(0, 8));
  });
});

describe("WS-059 what the content tells", () => {
  async function withFiles(files: Record<string, string | Uint8Array>) {
    const dir = await temporaryDirectory();
    await writeFiles(
      dir,
      Object.fromEntries(Object.entries(files).map(([name, content]) => [`s1/${name}`, content])),
    );
    return contextOf(root, { sessionStore: createFilesystemSessionStore({ dir }) });
  }

  test.each(["x.zip", "blob"])(
    "WS-059 zip bytes under %s are an octet stream without a size",
    async (name) => {
      const context = await withFiles({ [name]: ZIP });
      await bound(context, async () => {
        const { error, content } = await context.backend.read(name);
        expect(error).toContain(`'${name}' is a binary file (application/octet-stream).`);
        expect(content).toBeUndefined();
      });
    },
  );

  test("WS-059 svg, json and Latin-1 text are text", async () => {
    const context = await withFiles({
      "a.svg": "<svg/>",
      "a.json": "{}",
      "latin.txt": Uint8Array.from([0x67, 0x72, 0xfc, 0xdf, 0x65]),
    });
    await bound(context, async () => {
      expect((await context.backend.read("a.svg")).content).toBe("<svg/>");
      expect((await context.backend.read("a.json")).content).toBe("{}");
      const latin = await context.backend.read("latin.txt");
      expect(latin.error).toBeUndefined();
      expect(latin.content).toMatch(/^gr.+e$/s);
    });
  });

  test("WS-059 a missing image is the route's own error", async () => {
    const context = await withFiles({});
    await bound(context, async () => {
      const { error } = await context.backend.read("none.png");
      expect(error).toMatch(/no such file|not found/i);
      expect(error).not.toContain("binary file");
    });
  });
});

test("WS-060 a route's own type and bytes decide, and readRaw is the data as stored", async () => {
  const content = Uint8Array.from([1, 2, 3]);
  const scans = await answering({ content, mimeType: "image/png" });
  const stored = { content, mimeType: "image/png", created_at: "t0", modified_at: "t1" };
  scans.readRaw = async () => ({ data: stored });
  const context = contextOf(root, { mounts: { "/up/": scans } });
  await bound(context, async () => {
    expect((await context.backend.read("up/scan")).error).toContain(
      "'up/scan' is a binary file (image/png, 3 B)",
    );
    expect(await context.backend.readRaw("up/scan")).toEqual({ data: stored });
  });
});

describe("a read's result", () => {
  const read = async (result: ReadResult, path = "m/a.txt") => {
    const context = contextOf(root, { mounts: { "/m/": await answering(result) } });
    return bound(context, async () => context.backend.read(path));
  };

  test("counts the bytes of the object they serialize to", async () => {
    const serialized = JSON.parse(JSON.stringify(PNG)) as Uint8Array;
    expect((await read({ content: serialized }, "m/a.png")).error).toContain("(image/png, 12 B)");
  });

  test("is binary for a NUL in text, whatever the name", async () => {
    expect((await read({ content: "a\0b" })).error).toContain("(application/octet-stream)");
  });

  test.each(["text/html; charset=utf-8", "application/json", "application/javascript", "image/svg+xml"])(
    "of the type %s is text",
    async (mimeType) => expect((await read({ content: "x", mimeType }, "m/a.png")).content).toBe("x"),
  );

  test("passes unchanged when it is an error, or an older backend's bare string", async () => {
    expect(await read({ error: "Access denied" })).toEqual({ error: "Access denied" });
    const older = await read("     1\tline" as unknown as ReadResult);
    expect(older.content).toBe("     1\tline");
  });
});

test.each([
  [0, "0 B"],
  [512, "512 B"],
  [24_678, "24.1 KB"],
  [3_355_443, "3.2 MB"],
])("a size of %i bytes reads %s", (bytes, text) => {
  expect(formatByteSize(bytes)).toBe(text);
  expect(binaryNotice("a", "image/png", bytes)).toContain(`(image/png, ${text})`);
});
