import { describe, expect, test } from "vitest";
import {
  type AgentToolDescriptor,
  assertToolNamesAllowed,
  collectToolPaths,
  type ToolContext,
  toolsFromMap,
} from "./host-tools.ts";
import { bound, contextOf, PNG, rootDirectory } from "./testing-fixtures/root.ts";
import { currentToolContext, toolContextIterator } from "./tool-context.ts";

const root = await rootDirectory();
const inputSchema = { type: "object", properties: { path: { type: "string" } } };
const descriptor = (
  handler: AgentToolDescriptor["handler"] = async () => "done",
  more: Partial<AgentToolDescriptor> = {},
): AgentToolDescriptor => ({ description: "d", inputSchema, handler, ...more });
const named = (...names: string[]) => names.map((name) => ({ name }));
const thrown = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("tools of descriptors", () => {
  test("are named by their keys and hand their input to the handler", async () => {
    const [first] = toolsFromMap({ greet: descriptor(async ({ path }) => `hello ${String(path)}`) });
    expect(first).toMatchObject({ name: "greet", description: "d" });
    expect(await first?.invoke({ path: "x" })).toBe("hello x");
  });

  test("WS-073 a turn's handler uploads, downloads and deletes raw bytes, mounts refusing as ever", async () => {
    const context = contextOf(root);
    const seen: Record<string, unknown> = {};
    const [files] = toolsFromMap({
      files: descriptor(async (_input, { workspace }) => {
        seen.uploaded = await workspace.uploadFiles?.([["scratchpad/a.png", PNG]]);
        seen.downloaded = (await workspace.downloadFiles(["scratchpad/a.png"]))[0]?.content;
        seen.deleted = await workspace.delete("scratchpad/a.png");
        seen.gone = (await workspace.downloadFiles(["scratchpad/a.png"]))[0]?.error;
        seen.mount = await workspace.uploadFiles?.([["skills/notes/a.png", PNG]]);
        seen.kept = await workspace.delete("skills/notes/SKILL.md");
        return "done";
      }),
    });
    const turn = { workspace: context.backend, sessionId: "s1" };
    async function* steps() {
      yield await files?.invoke({});
    }
    await bound(context, async () => {
      for await (const answer of toolContextIterator(turn, steps())) expect(answer).toBe("done");
    });
    expect(seen).toEqual({
      uploaded: [{ path: "/scratchpad/a.png", error: null }],
      downloaded: PNG,
      deleted: expect.objectContaining({ path: "/scratchpad/a.png" }),
      gone: "file_not_found",
      mount: [{ path: "/skills/notes/a.png", error: "permission_denied" }],
      kept: { error: expect.stringContaining("'skills/notes/SKILL.md'") },
    });
    expect(JSON.stringify(seen.kept)).toContain("read-only mount");
  });
});

describe("outside a turn", () => {
  test("WS-074 the context is there, empty to compare, and reading it says why it cannot be", async () => {
    let handed: ToolContext | undefined;
    const [note] = toolsFromMap({
      note: descriptor(async (_input, context) => {
        handed = context;
        return "ran";
      }),
    });
    expect(await note?.invoke({})).toBe("ran");
    const context = handed as ToolContext;
    expect(context).toEqual({});
    expect(JSON.stringify(context)).toBe("{}");
    expect("workspace" in context && "sessionId" in context).toBe(true);
    expect(() => context.workspace).toThrow(/'note'.*workspace.*outside a turn/);
    expect(() => context.sessionId).toThrow(/'note'.*sessionId.*outside a turn/);
  });

  test("the code between two steps of a stream is in no turn", async () => {
    const turn = { workspace: contextOf(root).backend, sessionId: "s1" };
    async function* steps() {
      yield currentToolContext("t").sessionId;
      yield currentToolContext("t").sessionId;
    }
    for await (const inside of toolContextIterator(turn, steps())) {
      expect(inside).toBe("s1");
      expect(() => currentToolContext("t").sessionId).toThrow(/outside a turn/);
    }
  });
});

describe("path declarations", () => {
  test.each([
    ["GOV-098", { read_file: { file_path: "read" } }, "read_file"],
    ["GOV-098", { x: {} }, "x"],
    ["GOV-098", { x: { p: "download" } }, "x"],
    ["GOV-098", { copy_file: { source: "read" } }, "copy_file"],
  ])("%s %j is refused", (_id, toolPaths, tool) => {
    expect(thrown(() => collectToolPaths([], toolPaths as never))).toMatchObject({
      name: "ToolPathsError",
      tool,
      message: expect.stringContaining(tool),
    });
  });

  test("GOV-098 an unknown access is named beside its argument and the known ones", () => {
    expect(() => collectToolPaths([], { x: { p: "download" } } as never)).toThrow(
      /"p".*"download".*read, list, search, write, remove, execute/,
    );
  });

  test("a descriptor's are checked too, and an option's replace them whole", () => {
    const tools = toolsFromMap({
      mail: descriptor(undefined, { paths: { body: "read", attachment: "read" } }),
      plain: descriptor(),
    });
    expect(collectToolPaths(tools)).toEqual({ mail: { body: "read", attachment: "read" } });
    expect(collectToolPaths(tools, { mail: { body: "write" }, plain: { path: "list" } })).toEqual({
      mail: { body: "write" },
      plain: { path: "list" },
    });
    const empty = toolsFromMap({ mail: descriptor(undefined, { paths: {} }) });
    expect(thrown(() => collectToolPaths(empty))).toMatchObject({ name: "ToolPathsError" });
  });
});

describe("reserved names", () => {
  test("GOV-097 the prefix is told first, then the file operations", () => {
    expect(thrown(() => assertToolNamesAllowed(named("archmax_x", "copy_file")))).toMatchObject({
      name: "ReservedToolNameError",
      names: ["archmax_x"],
      reservation: "prefix",
    });
    expect(thrown(() => assertToolNamesAllowed(named("copy_file")))).toMatchObject({
      names: ["copy_file"],
      reservation: "file-operation",
    });
  });

  test("all of one kind at once; Deep Agents' own names are free", () => {
    expect(thrown(() => assertToolNamesAllowed(named("archmax_a", "ok", "archmax_b")))).toMatchObject({
      names: ["archmax_a", "archmax_b"],
    });
    expect(thrown(() => assertToolNamesAllowed(named("move_file", "remove_file")))).toMatchObject({
      names: ["move_file", "remove_file"],
    });
    expect(thrown(() => assertToolNamesAllowed(named("read_file", "archmax", "x")))).toBeUndefined();
  });
});
