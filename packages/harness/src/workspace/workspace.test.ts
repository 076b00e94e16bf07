import type { BackendProtocolV2 } from "deepagents";
import { describe, expect, test } from "vitest";
import { bare, memoryBackend } from "./testing-fixtures/backends.ts";
import { PNG } from "./testing-fixtures/root.ts";
import { Workspace } from "./workspace.ts";

async function failing(error: string, thrown = false): Promise<Workspace> {
  const backend: BackendProtocolV2 = bare(await memoryBackend());
  const answer = async () => {
    if (thrown) throw new Error(error);
    return { error };
  };
  return new Workspace(Object.assign(backend, { readRaw: answer, ls: answer, write: answer, edit: answer }));
}

describe("the plain readers turn every failure into nothing", () => {
  test.each([
    ["an absence", "File 'x' not found"],
    ["a store that is away", "connection reset"],
  ])("%s", async (_what, error) => {
    for (const thrown of [false, true]) {
      const workspace = await failing(error, thrown);
      expect(await workspace.readText("x")).toBeNull();
      expect(await workspace.readJson("x")).toBeNull();
      expect(await workspace.exists("x")).toBe(false);
      expect(await workspace.listDir("x")).toEqual([]);
    }
  });

  test("a path that climbs out, bytes that are no text, JSON that is none", async () => {
    const backend = await memoryBackend({ "/bad.json": "{" });
    await backend.uploadFiles?.([["/a.png", PNG]]);
    const workspace = new Workspace(backend);
    expect(await workspace.readText("../x")).toBeNull();
    expect(await workspace.listDir("..")).toEqual([]);
    expect(await workspace.readText("a.png")).toBeNull();
    expect(await workspace.exists("a.png")).toBe(true);
    expect(await workspace.readJson("bad.json")).toBeNull();
  });
});

describe("the strict readers take only an absence for nothing", () => {
  test.each(["not found", "no such file", "it does not exist", "key missing", "ENOENT: x"])(
    "%s",
    async (error) => {
      for (const thrown of [false, true]) {
        const workspace = await failing(error, thrown);
        expect(await workspace.readJsonStrict("x")).toBeNull();
        expect(await workspace.listDirStrict("x")).toEqual([]);
      }
    },
  );

  test("anything else throws, naming the path", async () => {
    for (const thrown of [false, true]) {
      const workspace = await failing("throttled", thrown);
      await expect(workspace.readJsonStrict("a/x")).rejects.toThrow(/'a\/x'.*throttled/);
      await expect(workspace.listDirStrict("a/x")).rejects.toThrow(/'a\/x'.*throttled/);
    }
    const torn = new Workspace(await memoryBackend({ "/x.json": '{"a":' }));
    await expect(torn.readJsonStrict("x.json")).rejects.toThrow(/'x\.json' holds no valid JSON/);
  });
});

describe("the writers", () => {
  test("write text as given and JSON with two spaces and a final line break", async () => {
    const workspace = new Workspace(await memoryBackend());
    await workspace.writeJson("./a//b.json", { a: [1] });
    expect(await workspace.readText("a/b.json")).toBe('{\n  "a": [\n    1\n  ]\n}\n');
    expect(await workspace.readJson("a/b.json")).toEqual({ a: [1] });
    await workspace.editText("a/b.json", "1", "2");
    expect(await workspace.readJsonStrict("a/b.json")).toEqual({ a: [2] });
    expect((await workspace.listDir("a")).map(({ path }) => path)).toEqual(["/a/b.json"]);
  });

  test("throw on a reported error", async () => {
    const workspace = await failing("disk full");
    await expect(workspace.writeText("x", "")).rejects.toThrow(/'x'.*disk full/);
    await expect(workspace.writeJson("x", {})).rejects.toThrow(/disk full/);
    await expect(workspace.editText("x", "a", "b")).rejects.toThrow(/'x'.*disk full/);
  });
});
