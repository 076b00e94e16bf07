import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { FilesystemBackend } from "deepagents";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BackendCheckpointSaver } from "../runtime/checkpointer.ts";
import { NO_MOUNTS } from "../spec/paths.ts";
import { createBackendSessionStore } from "../workspace/backend-session-store.ts";
import { createFilesystemSessionStore } from "../workspace/filesystem-session-store.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import type { SessionStore } from "../workspace/session-store-types.ts";
import { Workspace } from "../workspace/workspace.ts";
import { putCheckpoint } from "./checkpoint-fixture.ts";
import { createSessionOperations } from "./handles.ts";

const HASH = "f007501ce5dfe5c4f39719a81b0265d6";
const COMPLETED = {
  status: "completed",
  workflowState: "done",
  specHash: HASH,
  variables: {},
  messages: ["a", "b"],
};
const MOUNTS = { ...NO_MOUNTS, dirs: ["skills"] };

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "sessions-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function over(sessionStore: SessionStore, supplied?: MemorySaver) {
  const workspace = new Workspace(sessionStore.backend);
  const checkpointer = supplied ?? new BackendCheckpointSaver(workspace);
  const dispose = vi.fn();
  const sessions = createSessionOperations({
    sessionStore,
    checkpointer,
    ownCheckpointer: supplied === undefined,
    mountPrefixes: MOUNTS,
    dispose,
  });
  return { sessions, checkpointer, workspace, dispose };
}

const stores: [string, () => SessionStore][] = [
  ["memory", createMemorySessionStore],
  ["filesystem", () => createFilesystemSessionStore({ dir })],
];

describe.each(stores)("over a %s store", (_kind, create) => {
  test("WS-079 null and 0 before, the completed summary and the message count after", async () => {
    const { sessions, checkpointer } = over(create());
    expect(await sessions.get("s1")).toBeNull();
    expect(await sessions.messageCount("s1")).toBe(0);
    await putCheckpoint(checkpointer, "s1", COMPLETED);
    expect(await sessions.get("s1")).toEqual({
      sessionId: "s1",
      status: "completed",
      classification: "finished",
      workflowState: "done",
      specHash: HASH,
      variables: {},
    });
    expect(await sessions.messageCount("s1")).toBe(2);
  });

  test("WS-079 the newest checkpoint answers, in another process too", async () => {
    const store = create();
    const { checkpointer } = over(store);
    await putCheckpoint(checkpointer, "s1", { status: "running", messages: ["a"] });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await putCheckpoint(checkpointer, "s1", COMPLETED);
    const fresh = over(store);
    expect((await fresh.sessions.get("/s1"))?.status).toBe("completed");
    expect((await fresh.sessions.list()).map((summary) => summary.sessionId)).toEqual(["s1"]);
  });

  test("WS-080 parked, waiting and raised sessions are listed, only the last finished", async () => {
    const { sessions, checkpointer } = over(create());
    const at = "2026-05-04T08:00:00.000Z";
    await putCheckpoint(
      checkpointer,
      "parked",
      {
        status: "awaiting_decision",
        workflowState: "approve",
        pendingDecision: { state: "approve", seq: 1, createdAt: at, transitions: [{ to: "done" }] },
      },
      { interrupted: true },
    );
    await putCheckpoint(
      checkpointer,
      "waiting",
      {
        status: "awaiting_input",
        workflowState: "intake",
        pendingInput: {
          state: "intake",
          reason: "Reply.",
          parkedAt: at,
          resumeAt: "2026-05-05T08:00:00.000Z",
        },
      },
      { interrupted: true },
    );
    await putCheckpoint(checkpointer, "raised", {
      status: "failed",
      workflowState: "intake",
      raised: { code: "no_supplier", reason: "Unknown.", state: "intake" },
    });
    const listed = new Map((await sessions.list()).map((summary) => [summary.sessionId, summary]));
    expect(listed.size).toBe(3);
    expect(listed.get("parked")).toMatchObject({ state: "approve", classification: "open" });
    expect(listed.get("waiting")).toMatchObject({
      state: "intake",
      waitReason: "Reply.",
      resumeAt: "2026-05-05T08:00:00.000Z",
      classification: "open",
    });
    expect(listed.get("raised")).toMatchObject({
      exit: { success: false, code: "no_supplier", reason: "Unknown." },
      classification: "finished",
    });
  });

  test("WS-081 a damaged variables channel hides neither the session nor the listing", async () => {
    const { sessions, checkpointer } = over(create());
    await putCheckpoint(checkpointer, "s1", { status: "completed", variables: { x: "bad" }, usage: 3 });
    await putCheckpoint(checkpointer, "s2", COMPLETED);
    const [first, second] = await sessions.list();
    expect(first).toEqual({
      sessionId: "s1",
      status: "completed",
      classification: "finished",
      variables: {},
    });
    expect(second?.sessionId).toBe("s2");
  });

  test("WS-082 delete is true, get null, the files gone, then false; the id opens anew", async () => {
    const { sessions, checkpointer, workspace, dispose } = over(create());
    await putCheckpoint(checkpointer, "s1", COMPLETED);
    await sessions.seed("s1", { "scratchpad/n": "hi" });
    expect(await sessions.delete("s1")).toBe(true);
    expect(dispose).toHaveBeenCalledExactlyOnceWith("s1");
    expect(await sessions.get("s1")).toBeNull();
    expect(await workspace.listDir("s1")).toEqual([]);
    expect(await sessions.list()).toEqual([]);
    expect(await sessions.delete("s1")).toBe(false);
    await putCheckpoint(checkpointer, "s1", { status: "running", workflowState: "intake" });
    expect(await sessions.get("s1")).toMatchObject({ status: "running", workflowState: "intake" });
  });

  test("WS-083 seed writes JSON and text; a bad key throws naming it and writes nothing", async () => {
    const { sessions, workspace } = over(create());
    await sessions.seed("s1", { "trigger.json": { a: 1 }, "scratchpad/n": "hi" });
    expect(await workspace.readText("s1/trigger.json")).toBe('{\n  "a": 1\n}\n');
    expect(await workspace.readText("s1/scratchpad/n")).toBe("hi");
    for (const key of ["checkpoints/x", "skills/x", "../x"]) {
      await expect(sessions.seed("s2", { "trigger.json": {}, [key]: "x" })).rejects.toThrow(key);
    }
    expect(await workspace.listDir("s2")).toEqual([]);
  });

  test("WS-052 deleting s1 leaves s10 and _specs", async () => {
    const { sessions, checkpointer, workspace } = over(create());
    await putCheckpoint(checkpointer, "s1", COMPLETED);
    await putCheckpoint(checkpointer, "s10", COMPLETED);
    await putCheckpoint(checkpointer, "s1~1", COMPLETED);
    await workspace.writeJson("_specs/x.json", { states: {} });
    expect(await sessions.delete("s1")).toBe(true);
    expect((await sessions.list()).map((summary) => summary.sessionId).sort()).toEqual(["s10", "s1~1"]);
    expect(await workspace.readJson("_specs/x.json")).toEqual({ states: {} });
  });

  test("folders without a checkpoint and reserved ones are no sessions, children are", async () => {
    const { sessions, checkpointer, workspace } = over(create());
    await workspace.writeText("seeded/scratchpad/a", "x");
    await workspace.writeText("skills/notes/SKILL.md", "x");
    await workspace.writeText("loose.txt", "x");
    await putCheckpoint(checkpointer, "s1~1", COMPLETED);
    expect(await sessions.list()).toMatchObject([{ sessionId: "s1~1", parentSessionId: "s1" }]);
  });
});

test.each(["", "../x", "_specs", "a~b", "skills", "a//b", "__proto__"])(
  "the id %j is refused by every handle before anything is read",
  async (id) => {
    const { sessions, checkpointer } = over(createMemorySessionStore());
    const getTuple = vi.spyOn(checkpointer, "getTuple");
    const deleteThread = vi.spyOn(checkpointer, "deleteThread");
    for (const call of [
      sessions.get(id),
      sessions.messageCount(id),
      sessions.delete(id),
      sessions.seed(id, { "scratchpad/a": "x" }),
    ]) {
      await expect(call).rejects.toMatchObject({ name: "SessionStoreIdError" });
    }
    expect(getTuple).not.toHaveBeenCalled();
    expect(deleteThread).not.toHaveBeenCalled();
  },
);

describe("a backend store", () => {
  const backend = () => new FilesystemBackend({ rootDir: dir, virtualMode: true });

  test("WS-051 without deleteSession, delete is SessionStoreCapabilityError and evicts nothing", async () => {
    const { sessions, checkpointer, dispose } = over(createBackendSessionStore({ backend: backend() }));
    await putCheckpoint(checkpointer, "s1", COMPLETED);
    await expect(sessions.delete("s1")).rejects.toMatchObject({
      name: "SessionStoreCapabilityError",
      storeKind: "backend",
      capability: "delete",
    });
    expect(dispose).not.toHaveBeenCalled();
    expect(await sessions.get("s1")).not.toBeNull();
  });

  test("WS-051 list: false lists nothing, get works", async () => {
    const { sessions, checkpointer } = over(createBackendSessionStore({ backend: backend(), list: false }));
    await putCheckpoint(checkpointer, "s1", COMPLETED);
    expect(await sessions.list()).toEqual([]);
    expect(await sessions.get("s1")).toMatchObject({ status: "completed" });
  });

  test("a prefix is in no id", async () => {
    const { sessions, checkpointer } = over(
      createBackendSessionStore({ backend: backend(), prefix: "/tenants/a/" }),
    );
    await putCheckpoint(checkpointer, "s1", COMPLETED);
    expect((await sessions.list()).map((summary) => summary.sessionId)).toEqual(["s1"]);
    expect(await readdir(join(dir, "tenants/a"))).toEqual(["s1"]);
  });
});

describe("a supplied checkpointer", () => {
  test("lists nothing, the other handles work", async () => {
    const { sessions, checkpointer } = over(createMemorySessionStore(), new MemorySaver());
    await putCheckpoint(checkpointer, "s1", COMPLETED);
    await sessions.seed("s1", { "scratchpad/a": "x" });
    expect(await sessions.list()).toEqual([]);
    expect(await sessions.get("s1")).toMatchObject({ status: "completed" });
    expect(await sessions.messageCount("s1")).toBe(2);
  });

  test("a session it alone holds counts as removed", async () => {
    const { sessions, checkpointer } = over(createMemorySessionStore(), new MemorySaver());
    await putCheckpoint(checkpointer, "s1", COMPLETED);
    expect(await sessions.delete("s1")).toBe(true);
    expect(await sessions.get("s1")).toBeNull();
    expect(await sessions.delete("s1")).toBe(false);
  });
});

test("a store that cannot answer rejects, it never reads as no session", async () => {
  const store = createMemorySessionStore();
  const { sessions } = over(store);
  vi.spyOn(store.backend, "ls").mockResolvedValue({ error: "connection reset" });
  await expect(sessions.get("s1")).rejects.toThrow("connection reset");
  await expect(sessions.messageCount("s1")).rejects.toThrow("connection reset");
  await expect(sessions.list()).rejects.toThrow("connection reset");
});
