import { Annotation, StateGraph } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { Workspace } from "../workspace/workspace.ts";
import { BackendCheckpointSaver } from "./checkpointer.ts";

const FOLDER = "s1/checkpoints";
const AT = { configurable: { thread_id: "s1", checkpoint_ns: "", checkpoint_id: "cp-1" } };
const METADATA = { source: "loop", step: 0, parents: {} } as const;

function checkpoint(id: string) {
  return {
    v: 4,
    id,
    ts: "2026-05-04T08:00:00.000Z",
    channel_values: {},
    channel_versions: {},
    versions_seen: {},
  };
}

async function namesIn(workspace: Workspace): Promise<string[]> {
  const entries = await workspace.listDirStrict(FOLDER);
  return entries.map(({ path }) => path.slice(path.lastIndexOf("/") + 1)).sort();
}

async function filesOf(workspace: Workspace): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const name of await namesIn(workspace)) {
    files.set(name, (await workspace.readText(`${FOLDER}/${name}`)) ?? "");
  }
  return files;
}

async function workspaceOf(files: ReadonlyMap<string, string>): Promise<Workspace> {
  const workspace = new Workspace(createMemorySessionStore().backend);
  for (const [name, text] of files) await workspace.writeText(`${FOLDER}/${name}`, text);
  return workspace;
}

/** What a fresh process reads as pending on the checkpoint: task, channel, value. */
async function pending(workspace: Workspace) {
  return (await new BackendCheckpointSaver(workspace).getTuple(AT))?.pendingWrites;
}

test("WS-075 a checkpoint is one file of one line under its encoded name, with parent null", async () => {
  const workspace = new Workspace(createMemorySessionStore().backend);
  const { checkpoint_id: _none, ...first } = AT.configurable;
  await new BackendCheckpointSaver(workspace).put({ configurable: first }, checkpoint("cp-1"), METADATA);
  expect(await namesIn(workspace)).toEqual(["cp-AGNwLTE.json"]);
  const text = (await workspace.readText(`${FOLDER}/cp-AGNwLTE.json`)) ?? "";
  expect(text.endsWith("}\n")).toBe(true);
  expect(text.trimEnd()).not.toContain("\n");
  expect(JSON.parse(text)).toEqual({
    k: "cp",
    ns: "",
    id: "cp-1",
    parent: null,
    cp: expect.any(String),
    md: expect.any(String),
  });
});

test("a task's writes are read back whole or not at all, however many of them were stored", async () => {
  for (let lost = 0; lost < 3; lost += 1) {
    const whole = new Workspace(createMemorySessionStore().backend);
    const saver = new BackendCheckpointSaver(whole);
    const { checkpoint_id: _none, ...first } = AT.configurable;
    await saver.put({ configurable: first }, checkpoint("cp-1"), METADATA);
    await saver.putWrites(AT, [["alone", 0]], "task-0");
    await saver.putWrites(
      AT,
      [
        ["a", 1],
        ["b", 2],
        ["c", 3],
      ],
      "task-1",
    );
    expect(await pending(whole)).toHaveLength(4);
    const missing = (await namesIn(whole)).filter((name) =>
      Buffer.from(name.slice(2, -5), "base64url").toString().endsWith(`task-1,${lost}`),
    );
    expect(missing).toHaveLength(1);
    const files = await filesOf(whole);
    files.delete(missing[0] ?? "");
    const workspace = await workspaceOf(files);
    expect(await pending(workspace)).toEqual([["task-0", "alone", 0]]);
    // The task runs again and comes out otherwise: nothing of its first run is left among its writes.
    await new BackendCheckpointSaver(workspace).putWrites(
      AT,
      [
        ["a", 10],
        ["b", 20],
      ],
      "task-1",
    );
    expect(await pending(workspace)).toEqual([
      ["task-0", "alone", 0],
      ["task-1", "a", 10],
      ["task-1", "b", 20],
    ]);
  }
});

test("a graph cut off between two files of one task's writes goes on to its end", async () => {
  const State = Annotation.Root({ a: Annotation<number>(), b: Annotation<number>() });
  const config = { configurable: { thread_id: "s1" } };
  const graphOn = (workspace: Workspace) =>
    new StateGraph(State)
      .addNode("first", () => ({ a: 1, b: 2 }))
      .addNode("second", ({ a, b }) => ({ a: a + 10, b: b + 10 }))
      .addEdge("__start__", "first")
      .addEdge("first", "second")
      .compile({ checkpointer: new BackendCheckpointSaver(workspace) });
  const whole = new Workspace(createMemorySessionStore().backend);
  expect(await graphOn(whole).invoke({}, { ...config, durability: "sync" })).toEqual({ a: 11, b: 12 });
  const files = await filesOf(whole);
  const records = [...files].map(([name, text]) => ({
    name,
    record: JSON.parse(text) as Record<string, string>,
  }));
  const halves = records.filter(({ record }) => record.k === "w" && "batch" in record);
  // Two channels and the edge from the first node, two channels from the second.
  expect(halves).toHaveLength(5);
  for (const half of halves) {
    // The storage of a process that died once `half` alone of its task's writes had landed.
    const kept = records.filter(
      ({ name, record }) =>
        String(record.id) < String(half.record.id) ||
        name === half.name ||
        (record.k === "cp" && record.id === half.record.id),
    );
    const workspace = await workspaceOf(new Map(kept.map(({ name }) => [name, files.get(name) ?? ""])));
    expect(await graphOn(workspace).invoke(null, config)).toEqual({ a: 11, b: 12 });
  }
});
