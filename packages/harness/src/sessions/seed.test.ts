import { describe, expect, test, vi } from "vitest";
import { NO_MOUNTS } from "../spec/paths.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { Workspace } from "../workspace/workspace.ts";
import { seedFiles } from "./seed.ts";

const MOUNTS = {
  dirs: ["skills", ".platform", "memories"],
  files: ["AGENTS.md"],
  writable: ["memories"],
  governed: [],
  unsearchable: [],
};

function store() {
  return new Workspace(createMemorySessionStore().backend);
}

describe("seeding", () => {
  test("WS-083 a value is written as JSON with a final line break, a string as it is", async () => {
    const workspace = store();
    await seedFiles(workspace, "s1", { "trigger.json": { a: 1 }, "scratchpad/n": "hi" }, MOUNTS);
    expect(await workspace.readText("s1/trigger.json")).toBe('{\n  "a": 1\n}\n');
    expect(await workspace.readText("s1/scratchpad/n")).toBe("hi");
  });

  test.each([
    ["WS-083", "checkpoints/x", "run-internal"],
    ["WS-083", "skills/x", "authored"],
    ["WS-083", "../x", "escapes"],
    ["an artifact:", "artifacts/graph.json", "run-internal"],
    ["a snapshot:", "./_specs//x.json", "run-internal"],
    ["an offload area:", "conversation_history/x", "run-offload"],
    ["a file mount:", "/AGENTS.md", "authored"],
    ["a writable mount:", "memories/x", "mount"],
    ["the root:", "/", "root"],
  ])("%s the key %s is refused naming it and its zone, and nothing is written", async (_id, key, zone) => {
    const workspace = store();
    const write = vi.spyOn(workspace.backend, "write");
    const seeding = seedFiles(workspace, "s1", { "trigger.json": {}, [key]: "x" }, MOUNTS);
    await expect(seeding).rejects.toMatchObject({ name: "SeedPathError", key, zone });
    await expect(seeding).rejects.toThrow(JSON.stringify(key));
    await expect(seeding).rejects.toThrow(zone);
    expect(write).not.toHaveBeenCalled();
  });

  test("a value JSON cannot express is refused and nothing is written", async () => {
    const workspace = store();
    await expect(seedFiles(workspace, "s1", { a: "x", b: undefined }, NO_MOUNTS)).rejects.toThrow(TypeError);
    expect(await workspace.exists("s1/a")).toBe(false);
  });

  test("an existing file is overwritten, also where write refuses one", async () => {
    const workspace = store();
    await seedFiles(workspace, "s1", { a: "one" }, NO_MOUNTS);
    await seedFiles(workspace, "s1", { "./a": "two" }, NO_MOUNTS);
    expect(await workspace.readText("s1/a")).toBe("two");
    vi.spyOn(workspace.backend, "write").mockImplementation(async (path) => ({
      error: `Cannot write to ${path} because it already exists`,
    }));
    const edit = vi.spyOn(workspace.backend, "edit");
    await seedFiles(workspace, "s1", { a: "two" }, NO_MOUNTS);
    expect(edit).not.toHaveBeenCalled();
    await seedFiles(workspace, "s1", { a: "" }, NO_MOUNTS);
    await seedFiles(workspace, "s1", { a: "three" }, NO_MOUNTS);
    expect(await workspace.readText("s1/a")).toBe("three");
  });

  test("a store that cannot write rejects", async () => {
    const workspace = store();
    vi.spyOn(workspace.backend, "write").mockResolvedValue({ error: "disk full" });
    await expect(seedFiles(workspace, "s1", { a: "x" }, NO_MOUNTS)).rejects.toThrow("disk full");
  });

  test("a string under a name the backends hold as bytes is stored as it is", async () => {
    const workspace = store();
    await seedFiles(workspace, "s1", { "scratchpad/label.png": "no image" }, NO_MOUNTS);
    expect(await workspace.readText("s1/scratchpad/label.png")).toBe("no image");
    await seedFiles(workspace, "s1", { "scratchpad/label.png": "changed" }, NO_MOUNTS);
    expect(await workspace.readText("s1/scratchpad/label.png")).toBe("changed");
  });
});
