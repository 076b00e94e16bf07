import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFilesystemSessionStore } from "@archmax-ai/harness";
import { sessionStoreContract } from "@archmax-ai/harness/internal/contracts";
import { type BackendProtocolV2, FilesystemBackend } from "deepagents";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withAtomicWrites } from "./atomic-writes.ts";
import { createFilesBackend } from "./files-backend.ts";
import type { FileArea } from "./placed-file.ts";
import { tenantFiles } from "./tenant-files.ts";

let folder: string;
let area: Required<FileArea>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "archmax-files-"));
  area = { dir: join(folder, "runs"), incoming: join(folder, "incoming") };
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d);

describe.each<[string, () => BackendProtocolV2]>([
  [
    "the agent's backend",
    () => withAtomicWrites(new FilesystemBackend({ rootDir: area.dir, virtualMode: true }), area),
  ],
  ["the light backend", () => createFilesBackend(area)],
])("%s", (_, make) => {
  test("writes, overwrites, edits and reads text", async () => {
    const backend = make();
    expect(await backend.write("/s1/scratchpad/n.txt", "one")).toEqual({
      path: "/s1/scratchpad/n.txt",
      filesUpdate: null,
    });
    await backend.write("/s1/scratchpad/n.txt", "one two");
    expect(await backend.edit("/s1/scratchpad/n.txt", "two", "$& three")).toMatchObject({ occurrences: 1 });
    expect((await backend.readRaw("/s1/scratchpad/n.txt")).data?.content).toBe("one $& three");
    expect(await backend.edit("/s1/scratchpad/n.txt", "absent", "x")).toMatchObject({
      error: expect.any(String),
    });
    expect(await backend.edit("/s1/none.txt", "a", "b")).toMatchObject({
      error: expect.stringMatching(/not found/),
    });
    expect(await readFile(join(area.dir, "s1/scratchpad/n.txt"), "utf8")).toBe("one $& three");
  });

  test("keeps uploaded bytes exact and tells what is missing", async () => {
    const backend = make();
    expect(await backend.uploadFiles?.([["/s1/a.png", PNG]])).toEqual([{ path: "/s1/a.png", error: null }]);
    const [there, absent, isFolder] =
      (await backend.downloadFiles?.(["/s1/a.png", "/s1/b.png", "/s1"])) ?? [];
    expect(new Uint8Array(there?.content ?? [])).toEqual(PNG);
    expect(absent?.error).toBe("file_not_found");
    expect(isFolder?.error).toBe("is_directory");
  });

  test("decodes the base64 that is written under a binary name", async () => {
    const backend = make();
    await backend.write("/s1/a.png", Buffer.from(PNG).toString("base64"));
    expect(new Uint8Array(await readFile(join(area.dir, "s1/a.png")))).toEqual(PNG);
  });

  test("lists a folder, and nothing where there is none", async () => {
    const backend = make();
    expect(await backend.ls("/")).toEqual({ files: [] });
    await backend.write("/s1/b.txt", "b");
    await backend.write("/s1/a/c.txt", "c");
    expect((await backend.ls("/s1")).files?.map((file) => file.path)).toEqual(["/s1/a/", "/s1/b.txt"]);
    expect((await backend.ls("/")).files?.map((file) => file.path)).toEqual(["/s1/"]);
    expect(await backend.ls("/s2")).toEqual({ files: [] });
  });

  test("deletes a file and a folder, and says what was not there", async () => {
    const backend = make();
    await backend.write("/s1/a/c.txt", "c");
    expect((await backend.delete?.("/s1"))?.error).toBeUndefined();
    expect(await readdir(area.dir)).toEqual([]);
    expect((await backend.delete?.("/s1"))?.error).toMatch(/not found/);
  });

  test("writes nothing outside its folder, by a path or through a link", async () => {
    const backend = make();
    await mkdir(area.dir, { recursive: true });
    await mkdir(join(folder, "elsewhere"));
    await symlink(join(folder, "elsewhere"), join(area.dir, "link"));
    for (const path of ["/../x.txt", "/s1/../../x.txt", "/link/x.txt", "/a\0b.txt", "/"]) {
      const written = await Promise.resolve(backend.write(path, "x"));
      expect(written.error, path).toEqual(expect.any(String));
      expect((await backend.uploadFiles?.([[path, PNG]]))?.[0]?.error, path).toBe("invalid_path");
    }
    expect(await readdir(join(folder, "elsewhere"))).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual(["elsewhere", "incoming", "runs"]);
  });

  test("leaves nothing behind in the incoming folder", async () => {
    const backend = make();
    await backend.write("/s1/a.txt", "a");
    await backend.edit("/s1/a.txt", "a", "b");
    await backend.edit("/s1/a.txt", "never", "b");
    await backend.uploadFiles?.([["/s1/a.png", PNG]]);
    expect(await readdir(area.incoming)).toEqual([]);
  });
});

describe("the agent's session store", () => {
  sessionStoreContract({ describe, test }, "filesystem", async () => {
    const store = createFilesystemSessionStore({ dir: area.dir });
    return { subject: { ...store, backend: withAtomicWrites(store.backend, area) } };
  });
});

test("the agent's backend writes what Deep Agents' own would", async () => {
  const plain = new FilesystemBackend({ rootDir: join(folder, "plain"), virtualMode: true });
  const atomic = withAtomicWrites(new FilesystemBackend({ rootDir: area.dir, virtualMode: true }), area);
  const content = Buffer.from(PNG).toString("base64");
  for (const backend of [plain, atomic]) {
    await backend.write("/a.png", content);
    await backend.write("/a.txt", "ü\r\n");
    await backend.write("/plain", "");
  }
  for (const name of ["a.png", "a.txt", "plain"]) {
    expect(await readFile(join(area.dir, name))).toEqual(await readFile(join(folder, "plain", name)));
  }
});

test("an area without an incoming folder is only read", async () => {
  await mkdir(area.dir);
  await writeFile(join(area.dir, "a.txt"), "a");
  const backend = createFilesBackend({ dir: area.dir });
  expect((await backend.readRaw("/a.txt")).data?.content).toBe("a");
  expect((await backend.write("/a.txt", "b")).error).toMatch(/only read/);
  expect(await readFile(join(area.dir, "a.txt"), "utf8")).toBe("a");
});

test.each(["", "../x", "A", "a/b", "x".repeat(64)])("no path is made from the tenant id %j", (tenant) => {
  expect(() => tenantFiles(folder, tenant)).toThrow(RangeError);
});
