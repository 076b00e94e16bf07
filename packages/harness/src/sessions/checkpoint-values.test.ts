import { RESUME } from "@langchain/langgraph-checkpoint";
import { describe, expect, test } from "vitest";
import { checkpointTuple } from "./checkpoint-fixture.ts";
import {
  auditTrailOf,
  classificationOf,
  exitOf,
  isGoverned,
  isSuspended,
  messageCountOf,
  parkedStateOf,
  pendingParkOf,
  readParkedCheckpoint,
  readParkedSession,
  recordedParkOf,
  statusOf,
  usageOf,
  variablesOf,
} from "./checkpoint-values.ts";

const DECISION = {
  state: "approve-payment",
  seq: 1,
  createdAt: "2026-05-04T08:00:00.000Z",
  transitions: [{ to: "settled", description: "Pay it.", type: "approve" }],
};
const INPUT = { state: "await-credit-note", reason: "Waiting.", parkedAt: "2026-05-04T08:00:00.000Z" };
const LIVE = [{ interrupts: [{ value: DECISION }] }];

describe("the live park", () => {
  test("RUN-109 a status awaiting_decision without an interrupt is no park", () => {
    const values = { status: "awaiting_decision", pendingDecision: DECISION };
    expect(readParkedSession({ values, tasks: [] })).toBeNull();
    expect(readParkedSession({ values, tasks: [{ interrupts: [] }] })).toBeNull();
    expect(readParkedSession({ values })).toBeNull();
    expect(readParkedCheckpoint(checkpointTuple("s1", values))).toBeNull();
  });

  test("a parked status, its record and a live suspension make a park, on either channel", () => {
    const decision = { status: "awaiting_decision", pendingDecision: DECISION };
    expect(readParkedSession({ values: decision, tasks: LIVE })).toEqual({
      channel: "decision",
      record: DECISION,
    });
    const input = { status: "awaiting_input", pendingInput: INPUT };
    expect(readParkedSession({ values: input, tasks: LIVE })).toEqual({ channel: "input", record: INPUT });
    expect(readParkedCheckpoint(checkpointTuple("s1", input, { interrupted: true }))).toEqual({
      channel: "input",
      record: INPUT,
    });
  });

  test("an interrupt that was answered is not live: its turn died, and a second answer would be passed over", () => {
    const tuple = checkpointTuple(
      "s1",
      { status: "awaiting_input", pendingInput: INPUT },
      { interrupted: true },
    );
    expect(isSuspended(tuple)).toBe(true);
    const pending = tuple.pendingWrites ?? [];
    const nullTask = "00000000-0000-0000-0000-000000000000";
    for (const task of ["task", nullTask]) {
      const answered = {
        ...tuple,
        pendingWrites: [...pending, [task, RESUME, {}] as [string, string, unknown]],
      };
      expect(isSuspended(answered)).toBe(false);
      expect(readParkedCheckpoint(answered)).toBeNull();
    }
    const other = {
      ...tuple,
      pendingWrites: [...pending, ["other", RESUME, {}] as [string, string, unknown]],
    };
    expect(isSuspended(other)).toBe(true);
  });

  test("a live suspension of a session with another status, or without a record, is no park", () => {
    expect(
      readParkedSession({ values: { status: "running", pendingDecision: DECISION }, tasks: LIVE }),
    ).toBeNull();
    expect(readParkedSession({ values: { status: "awaiting_decision" }, tasks: LIVE })).toBeNull();
    expect(
      readParkedSession({ values: { status: "awaiting_decision", pendingInput: INPUT }, tasks: LIVE }),
    ).toBeNull();
    expect(readParkedSession({ values: null, tasks: LIVE })).toBeNull();
  });
});

describe("the park record", () => {
  test("is found on either channel, the status choosing between two", () => {
    expect(pendingParkOf({ pendingDecision: DECISION })).toBe(DECISION);
    expect(pendingParkOf({ pendingInput: INPUT })).toBe(INPUT);
    expect(pendingParkOf({ pendingDecision: null, pendingInput: null })).toBeNull();
    expect(pendingParkOf({})).toBeNull();
    const both = { pendingDecision: DECISION, pendingInput: INPUT };
    expect(pendingParkOf(both)).toBe(DECISION);
    expect(pendingParkOf({ ...both, status: "awaiting_input" })).toBe(INPUT);
  });

  test.each([
    ["no state", { ...DECISION, state: undefined }],
    ["a seq that is no number", { ...DECISION, seq: "1" }],
    ["transitions that are no list", { ...DECISION, transitions: {} }],
    ["an edge without target", { ...DECISION, transitions: [{ description: "x" }] }],
    ["an unknown edge type", { ...DECISION, transitions: [{ to: "a", type: "maybe" }] }],
    ["evidence that is no list of paths", { ...DECISION, evidence: [1] }],
    ["text", "approve-payment"],
  ])("a decision record with %s reads as none", (_what, record) => {
    expect(pendingParkOf({ pendingDecision: record })).toBeNull();
    expect(recordedParkOf({ status: "awaiting_decision", pendingDecision: record })).toBeNull();
  });

  test("names its state", () => {
    expect(parkedStateOf(DECISION as never)).toBe("approve-payment");
    expect(parkedStateOf(INPUT)).toBe("await-credit-note");
  });
});

describe("status", () => {
  test("absent and unknown ones read as none, and none is open", () => {
    expect(statusOf({})).toBeUndefined();
    expect(statusOf({ status: "sleeping" })).toBeUndefined();
    expect(statusOf({ status: "failed" })).toBe("failed");
    expect(classificationOf(undefined)).toBe("open");
  });

  test.each(["completed", "failed", "rejected"] as const)("%s is finished", (status) => {
    expect(classificationOf(status)).toBe("finished");
  });

  test.each(["running", "awaiting_decision", "awaiting_input"] as const)("%s is open", (status) => {
    expect(classificationOf(status)).toBe("open");
  });

  test("a checkpoint of a plain agent has no governed channel", () => {
    expect(isGoverned({ messages: [], files: {} })).toBe(false);
    expect(isGoverned({ messages: [], workflowState: null })).toBe(false);
    expect(isGoverned({ messages: [], workflowState: "intake" })).toBe(true);
  });
});

describe("values", () => {
  test("variables read whole, or as an empty set", () => {
    expect(variablesOf({ variables: { a: { value: { b: [1] }, locked: true } } })).toEqual({
      a: { value: { b: [1] }, locked: true },
    });
    expect(variablesOf({ variables: { a: { value: 1, locked: true, reseed: true } } })).toEqual({
      a: { value: 1, locked: true },
    });
    for (const variables of [
      undefined,
      null,
      [],
      "x",
      { a: 1 },
      { a: { value: 1 } },
      { a: { locked: true } },
    ]) {
      expect(variablesOf({ variables })).toEqual({});
    }
  });

  test("usage is absent until something was spent, and when malformed", () => {
    const spent = { inputTokens: 3, outputTokens: 1, cacheReadTokens: 0, cacheCreationTokens: 0 };
    expect(usageOf({ usage: spent })).toEqual(spent);
    expect(usageOf({ usage: { ...spent, costUsd: 0.5, extra: 1 } })).toEqual({ ...spent, costUsd: 0.5 });
    expect(usageOf({ usage: { ...spent, inputTokens: 0, outputTokens: 0 } })).toBeUndefined();
    for (const usage of [
      undefined,
      null,
      3,
      {},
      { ...spent, inputTokens: Number.NaN },
      { ...spent, costUsd: "1" },
    ]) {
      expect(usageOf({ usage })).toBeUndefined();
    }
  });

  test("an exit is success on completed, what was raised on failed, else absent", () => {
    const raised = { code: "no_supplier", reason: "Unknown.", state: "check-invoice" };
    expect(exitOf({ status: "completed", raised: null })).toEqual({ success: true });
    expect(exitOf({ status: "failed", raised })).toEqual({
      success: false,
      code: "no_supplier",
      reason: "Unknown.",
    });
    expect(exitOf({ status: "failed", raised: { code: 1 } })).toBeUndefined();
    expect(exitOf({ status: "rejected", raised })).toBeUndefined();
    expect(exitOf({ status: "awaiting_input" })).toBeUndefined();
  });

  test("the trail keeps its readable steps in order", () => {
    const step = { to: "intake", kind: "trigger", reason: "manual", ts: "2026-05-04T08:00:00.000Z" };
    expect(
      auditTrailOf({ auditTrail: [step, "x", { ...step, kind: "guess" }, { ...step, to: "done" }] }),
    ).toEqual([step, { ...step, to: "done" }]);
    expect(auditTrailOf({ auditTrail: "x" })).toEqual([]);
  });

  test("the transcript's length is 0 without one", () => {
    expect(messageCountOf({ messages: [1, 2] })).toBe(2);
    expect(messageCountOf({})).toBe(0);
  });
});
