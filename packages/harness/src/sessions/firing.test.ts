import { describe, expect, test, vi } from "vitest";
import { WorkflowGraph } from "../machine/workflow-graph.ts";
import { NO_MOUNTS } from "../spec/paths.ts";
import { machineSpecSchema } from "../spec/schema.ts";
import { checkpointTuple } from "./checkpoint-fixture.ts";
import { classifyFiring, readSession, resolveSessionFiring } from "./firing.ts";

const spec = machineSpecSchema.parse({
  states: {
    intake: {
      triggers: { manual: null, received: { session: "case_id" } },
      transitions: [{ to: "approve", description: "ask" }],
    },
    approve: { type: "human", transitions: [{ to: "done", description: "yes", type: "approve" }] },
    late: { triggers: { reopened: null }, transitions: [{ to: "done", description: "go" }] },
    done: {},
  },
});
const decision = {
  state: "approve",
  seq: 1,
  createdAt: "2026-05-04T08:00:00.000Z",
  transitions: [{ to: "done" }],
};
const input = { state: "intake", reason: "Waiting.", parkedAt: "2026-05-04T08:00:00.000Z" };

function classify(values: Record<string, unknown> | undefined, triggerId = "manual", interrupted = false) {
  const tuple = values === undefined ? undefined : checkpointTuple("s1", values, { interrupted });
  return classifyFiring(
    { sessionId: "s1", native: false, triggerId },
    readSession(tuple),
    new WorkflowGraph(spec),
  );
}

describe("WS-085 dispositions by status", () => {
  test("WS-085 no session: a turn at the trigger's entry", () => {
    expect(classify(undefined)).toEqual({
      sessionId: "s1",
      disposition: "turn",
      startState: "intake",
      native: false,
    });
    expect(classify(undefined, "reopened").startState).toBe("late");
  });

  test("WS-085 no session and an undeclared trigger is refused", () => {
    expect(() => classify(undefined, "nope")).toThrow(
      expect.objectContaining({
        name: "UnknownTriggerError",
        triggerId: "nope",
        available: ["manual", "received", "reopened"],
      }),
    );
  });

  test.each(["completed", "failed", "rejected"])("WS-085 %s: a turn at the retained state", (status) => {
    expect(classify({ status, workflowState: "done" })).toEqual({
      sessionId: "s1",
      disposition: "turn",
      startState: "done",
      native: false,
    });
  });

  test("WS-085 a retained state the document dropped: the trigger's entry, else the machine's", () => {
    const gone = { status: "completed", workflowState: "gone" };
    expect(classify(gone, "reopened").startState).toBe("late");
    expect(classify(gone, "nope").startState).toBe("intake");
    expect(classify({ status: "completed" }, "nope").startState).toBe("intake");
  });

  test("WS-085 a waiting session is resumed where it parked, by an undeclared trigger too", () => {
    expect(classify({ status: "awaiting_input", pendingInput: input }, "nope", true)).toEqual({
      sessionId: "s1",
      disposition: "resume",
      state: "intake",
      native: false,
    });
  });

  test("WS-085 a session a person holds is replied to", () => {
    expect(classify({ status: "awaiting_decision", pendingDecision: decision }, "manual", true)).toEqual({
      sessionId: "s1",
      disposition: "reply",
      state: "approve",
      native: false,
    });
  });

  test("WS-085 running, or no known status: not resumable", () => {
    expect(() => classify({ status: "running", workflowState: "intake" })).toThrow(
      expect.objectContaining({ name: "SessionNotResumableError", sessionId: "s1", status: "running" }),
    );
    expect(() => classify({ messages: [] })).toThrow(
      expect.objectContaining({ name: "SessionNotResumableError", status: "unknown" }),
    );
  });

  test("a parked status without a live suspension counts as running", () => {
    expect(() => classify({ status: "awaiting_decision", pendingDecision: decision })).toThrow(
      expect.objectContaining({ name: "SessionNotResumableError", status: "running" }),
    );
  });
});

describe("resolveSessionFiring", () => {
  const context = { spec, mountPrefixes: NO_MOUNTS, newId: () => "u-1", warn: () => undefined };

  test("reads the session its id resolves to", async () => {
    const read = vi.fn(async () =>
      readSession(checkpointTuple("c-9", { status: "completed", workflowState: "done" })),
    );
    const resolved = await resolveSessionFiring(
      { trigger: { id: "received" }, variables: { case_id: "c-9" } },
      { ...context, read },
    );
    expect(read).toHaveBeenCalledExactlyOnceWith("c-9");
    expect(resolved).toEqual({ sessionId: "c-9", disposition: "turn", startState: "done", native: false });
  });

  test("a minted session is fresh and read by no store", async () => {
    const read = vi.fn(async () => null);
    expect(await resolveSessionFiring({}, { ...context, read })).toEqual({
      sessionId: "session-u-1",
      disposition: "turn",
      startState: "intake",
      native: true,
    });
    expect(read).not.toHaveBeenCalled();
  });

  test("the assembly's default trigger applies where the firing names none", async () => {
    const resolved = await resolveSessionFiring(
      { sessionId: "s1" },
      { ...context, defaultTriggerId: "reopened", read: async () => null },
    );
    expect(resolved.startState).toBe("late");
  });
});
