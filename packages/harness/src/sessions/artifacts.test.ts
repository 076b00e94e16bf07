import { describe, expect, test, vi } from "vitest";
import { BackendCheckpointSaver } from "../runtime/checkpointer.ts";
import { NO_MOUNTS } from "../spec/paths.ts";
import { machineSpecSchema } from "../spec/schema.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { Workspace } from "../workspace/workspace.ts";
import { emitRunArtifacts, type RunArtifactsContext } from "./artifacts.ts";
import { putCheckpoint } from "./checkpoint-fixture.ts";
import { specHash } from "./spec-snapshots.ts";

const spec = machineSpecSchema.parse({
  states: {
    intake: { triggers: { manual: null }, transitions: [{ to: "done", description: "Settled." }] },
    done: {},
  },
});
const CONTRACT = {
  engine: "archmax-harness",
  version: "1",
  source: "defaulted",
  sandbox: 1,
  testFormat: "1",
};
const STEP = { to: "intake", kind: "trigger", reason: "manual", ts: "2026-05-04T08:00:00.000Z" } as const;
const USAGE = { inputTokens: 5, outputTokens: 2, cacheReadTokens: 0, cacheCreationTokens: 0 };
const RAN = {
  status: "completed",
  workflowState: "done",
  specHash: "0123456789abcdef0123456789abcdef",
  auditTrail: [STEP],
  usage: USAGE,
  variables: {
    trigger: { value: "manual", locked: true },
    from: { value: { email: "a@b.example", tags: [1, 2] }, locked: true },
    note: { value: "n", locked: false },
  },
};

function setUp(changes: Partial<RunArtifactsContext> = {}) {
  const store = new Workspace(createMemorySessionStore().backend);
  const checkpointer = new BackendCheckpointSaver(store);
  const warn = vi.fn<(message: string) => void>();
  const context: RunArtifactsContext = {
    store,
    checkpointer,
    mountPrefixes: NO_MOUNTS,
    subject: { workflow: "desk", spec },
    runtimeContract: CONTRACT,
    packageVersion: "0.1.0",
    trackedUsage: () => undefined,
    warn,
    ...changes,
  };
  const files = async (id = "s1") =>
    (await store.listDir(`${id}/artifacts`)).map((file) => file.path.split("/").at(-1)).sort();
  return { store, checkpointer, warn, context, files };
}

const plain = {
  graph: async () => ({
    nodes: { __start__: {}, __end__: {} },
    edges: [{ source: "__start__", target: "__end__" }],
    drawMermaid: () => "graph TD;\n",
  }),
};

describe("WS-089 artifacts", () => {
  test("WS-089 a turn with a seed leaves all six files, the seed locked and whole", async () => {
    const { store, checkpointer, context, files, warn } = setUp();
    await putCheckpoint(checkpointer, "s1", RAN);
    const trajectory = { sessionId: "forged", steps: [{ text: "hi" }] };
    expect(await emitRunArtifacts(context, "s1", trajectory)).toBe("s1/artifacts");
    expect(await files()).toEqual([
      "graph.json",
      "graph.mmd",
      "metadata.json",
      "trail.json",
      "trajectory.json",
      "variables.json",
    ]);
    expect(await store.readJson("s1/artifacts/variables.json")).toEqual({
      sessionId: "s1",
      workflow: "desk",
      variables: RAN.variables,
    });
    expect(await store.readJson("s1/artifacts/trail.json")).toEqual({
      sessionId: "s1",
      workflow: "desk",
      steps: [STEP],
    });
    expect(await store.readJson("s1/artifacts/trajectory.json")).toEqual({ ...trajectory, sessionId: "s1" });
    expect(await store.readJson("s1/artifacts/metadata.json")).toEqual({
      sessionId: "s1",
      workflow: "desk",
      runtimeContract: CONTRACT,
      packageVersion: "0.1.0",
      specHash: RAN.specHash,
      usage: USAGE,
    });
    const graph = (await store.readJson("s1/artifacts/graph.json")) as { mermaid: string; nodes: string[] };
    expect(graph.nodes).toEqual(["__start__", "intake", "done"]);
    expect(await store.readText("s1/artifacts/graph.mmd")).toBe(graph.mermaid);
    const text = await store.readText("s1/artifacts/trail.json");
    expect(text).toBe(`${JSON.stringify(JSON.parse(text ?? ""), null, 2)}\n`);
    expect(warn).not.toHaveBeenCalled();
  });

  test("WS-089 a session that never ran: no steps, no variables", async () => {
    const { store, context } = setUp();
    expect(await emitRunArtifacts(context, "s1", {})).toBe("s1/artifacts");
    expect(await store.readJson("s1/artifacts/trail.json")).toMatchObject({ steps: [] });
    expect(await store.readJson("s1/artifacts/variables.json")).toMatchObject({ variables: {} });
    expect(await store.readJson("s1/artifacts/metadata.json")).toEqual({
      sessionId: "s1",
      workflow: "desk",
      runtimeContract: CONTRACT,
      packageVersion: "0.1.0",
      specHash: specHash(spec),
    });
  });

  test("WS-089 a plain agent leaves four files, without a hash", async () => {
    const { store, context, files } = setUp({ subject: plain });
    expect(await emitRunArtifacts(context, "s1", {}, { trail: [STEP] })).toBe("s1/artifacts");
    expect(await files()).toEqual(["graph.json", "graph.mmd", "metadata.json", "trajectory.json"]);
    expect(await store.readJson("s1/artifacts/metadata.json")).toEqual({
      sessionId: "s1",
      runtimeContract: CONTRACT,
      packageVersion: "0.1.0",
    });
    expect(await store.readText("s1/artifacts/graph.mmd")).toBe("graph TD;\n");
  });
});

test("an unreadable checkpoint leaves neither trail nor variables, a supplied trail is written", async () => {
  const { store, checkpointer, context, files, warn } = setUp({ trackedUsage: () => USAGE });
  vi.spyOn(checkpointer, "getTuple").mockRejectedValue(new Error("connection reset"));
  expect(await emitRunArtifacts(context, "s1", {})).toBe("s1/artifacts");
  expect(await files()).toEqual(["graph.json", "graph.mmd", "metadata.json", "trajectory.json"]);
  expect(await store.readJson("s1/artifacts/metadata.json")).toMatchObject({
    specHash: specHash(spec),
    usage: USAGE,
  });
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("connection reset"));
  await emitRunArtifacts(context, "s2", {}, { trail: [STEP] });
  expect(await files("s2")).toContain("trail.json");
  expect(await files("s2")).not.toContain("variables.json");
});

test("a supplied trail wins over the checkpoint's, and the checkpoint's usage over the tracker's", async () => {
  const { store, checkpointer, context } = setUp({ trackedUsage: () => ({ ...USAGE, inputTokens: 99 }) });
  await putCheckpoint(checkpointer, "s1", RAN);
  await emitRunArtifacts(context, "s1", {}, { trail: [] });
  expect(await store.readJson("s1/artifacts/trail.json")).toMatchObject({ steps: [] });
  expect(await store.readJson("s1/artifacts/metadata.json")).toMatchObject({ usage: USAGE });
});

test("a second emission replaces the first", async () => {
  const { store, context } = setUp();
  await emitRunArtifacts(context, "s1", { n: 1 });
  await emitRunArtifacts(context, "s1", { n: 2 });
  expect(await store.readJson("s1/artifacts/trajectory.json")).toEqual({ n: 2, sessionId: "s1" });
});

test("a write that fails, a record JSON cannot express, a bad id: one warning and null, never a throw", async () => {
  const { store, context, warn, files } = setUp();
  const write = store.backend.write.bind(store.backend);
  const spy = vi
    .spyOn(store.backend, "write")
    .mockImplementation(async (path, content) =>
      path.endsWith("metadata.json") ? { error: "disk full" } : write(path, content),
    );
  expect(await emitRunArtifacts(context, "s1", {})).toBeNull();
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("metadata.json"));
  expect(await files()).toHaveLength(5);
  spy.mockRestore();
  warn.mockClear();
  expect(await emitRunArtifacts(context, "s1", { n: 1n })).toBeNull();
  expect(warn).toHaveBeenCalledOnce();
  warn.mockClear();
  expect(await emitRunArtifacts(context, "../s1", {})).toBeNull();
  expect(warn).toHaveBeenCalledOnce();
});
