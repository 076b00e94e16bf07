import { expect, test } from "vitest";
import { checkpointTuple } from "./checkpoint-fixture.ts";
import { summarize } from "./summary.ts";

const GOVERNED = { workflowState: "done", specHash: "f007501ce5dfe5c4f39719a81b0265d6", variables: {} };

test("WS-079 a completed session reads completed, finished, its position and its hash", () => {
  expect(summarize("s1", checkpointTuple("s1", { ...GOVERNED, status: "completed", messages: [] }))).toEqual({
    sessionId: "s1",
    status: "completed",
    classification: "finished",
    workflowState: "done",
    specHash: "f007501ce5dfe5c4f39719a81b0265d6",
    variables: {},
  });
});

test("WS-080 parked at a human state, waiting with a time, raised: state; state, waitReason, resumeAt; exit", () => {
  const parked = summarize(
    "p",
    checkpointTuple("p", {
      ...GOVERNED,
      status: "awaiting_decision",
      pendingDecision: { state: "approve", seq: 1, createdAt: "2026-05-04T08:00:00.000Z", transitions: [] },
    }),
  );
  expect(parked).toMatchObject({ state: "approve", classification: "open" });
  expect(parked).not.toHaveProperty("waitReason");
  const waiting = summarize(
    "w",
    checkpointTuple("w", {
      ...GOVERNED,
      status: "awaiting_input",
      pendingInput: {
        state: "await-note",
        reason: "The credit note.",
        parkedAt: "2026-05-04T08:00:00.000Z",
        resumeAt: "2026-05-05T08:00:00.000Z",
      },
    }),
  );
  expect(waiting).toMatchObject({
    state: "await-note",
    waitReason: "The credit note.",
    resumeAt: "2026-05-05T08:00:00.000Z",
    classification: "open",
  });
  expect(waiting).not.toHaveProperty("exit");
  const raised = summarize(
    "r",
    checkpointTuple("r", {
      ...GOVERNED,
      status: "failed",
      raised: { code: "no_supplier", reason: "Unknown.", state: "intake" },
    }),
  );
  expect(raised).toMatchObject({
    classification: "finished",
    exit: { success: false, code: "no_supplier", reason: "Unknown." },
  });
  expect(raised).not.toHaveProperty("state");
});

test("WS-081 malformed variables read as {}, malformed usage as absent, the status stands", () => {
  const summary = summarize(
    "s1",
    checkpointTuple("s1", { status: "completed", variables: { x: "bad" }, usage: 3 }),
  );
  expect(summary).toMatchObject({ status: "completed", variables: {} });
  expect(summary).not.toHaveProperty("usage");
});

test("a completed session has no exit on its summary, a child names its parent, a plain one has no variables", () => {
  expect(summarize("s1~2~1", checkpointTuple("s1~2~1", { ...GOVERNED, status: "completed" }))).toMatchObject({
    parentSessionId: "s1~2",
  });
  expect(summarize("s1", checkpointTuple("s1", { ...GOVERNED, status: "completed" }))).not.toHaveProperty(
    "exit",
  );
  expect(summarize("s1", checkpointTuple("s1", { messages: [] }))).toEqual({
    sessionId: "s1",
    classification: "open",
  });
});
