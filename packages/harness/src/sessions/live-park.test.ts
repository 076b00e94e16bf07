import { Annotation, Command, interrupt, StateGraph } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { BackendCheckpointSaver } from "../runtime/checkpointer.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { Workspace } from "../workspace/workspace.ts";
import { isSuspended, readParkedCheckpoint, readParkedSession } from "./checkpoint-values.ts";

const RECORD = { state: "intake", reason: "Reply.", parkedAt: "2026-05-04T08:00:00.000Z" };
const CONFIG = { configurable: { thread_id: "s1" } };

/** A graph that parks with a record already committed, and may die once on its resume. */
function setUp(options: { dieOnResume: boolean }) {
  const workspace = new Workspace(createMemorySessionStore().backend);
  let dies = options.dieOnResume;
  const State = Annotation.Root({
    status: Annotation<string>(),
    pendingInput: Annotation<typeof RECORD | null>(),
    heard: Annotation<string>(),
  });
  const graph = new StateGraph(State)
    .addNode("wait", () => ({ status: "awaiting_input", pendingInput: RECORD }))
    .addNode("park", () => {
      const heard = interrupt<typeof RECORD, string>(RECORD);
      if (dies) {
        dies = false;
        throw new Error("the process died");
      }
      return { status: "running", pendingInput: null, heard };
    })
    .addEdge("__start__", "wait")
    .addEdge("wait", "park")
    .compile({ checkpointer: new BackendCheckpointSaver(workspace) });
  /** What a fresh process reads of the session's newest checkpoint. */
  const read = async () => {
    const tuple = await new BackendCheckpointSaver(workspace).getTuple(CONFIG);
    if (tuple === undefined) throw new Error("no checkpoint");
    return tuple;
  };
  return { graph, read };
}

describe("a park on LangGraph's own checkpoints", () => {
  test("is read the same from a snapshot and, by a fresh process, from the store", async () => {
    const { graph, read } = setUp({ dieOnResume: false });
    await graph.invoke({}, CONFIG);
    const park = { channel: "input", record: RECORD };
    expect(readParkedSession(await graph.getState(CONFIG))).toEqual(park);
    expect(readParkedCheckpoint(await read())).toEqual(park);
    await graph.invoke(new Command({ resume: "hello" }), CONFIG);
    expect(readParkedSession(await graph.getState(CONFIG))).toBeNull();
    expect(readParkedCheckpoint(await read())).toBeNull();
  });

  test("is over once it was answered, even where the answered turn died before its next checkpoint", async () => {
    const { graph, read } = setUp({ dieOnResume: true });
    await graph.invoke({}, CONFIG);
    await expect(graph.invoke(new Command({ resume: "first" }), CONFIG)).rejects.toThrow("died");
    expect(isSuspended(await read())).toBe(false);
    expect(readParkedCheckpoint(await read())).toBeNull();
    expect(await graph.invoke(null, CONFIG)).toMatchObject({ status: "running", heard: "first" });
  });
});
