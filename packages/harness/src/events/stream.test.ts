import { afterEach, describe, expect, test, vi } from "vitest";
import { createEventStream, levelOf } from "./stream.ts";
import type { LifecycleEventPayload, WorkflowEventHandler, WorkflowLifecycleEvent } from "./types.ts";

const settled = { state: "work", callId: "c1", durationMs: 3, output: "", truncated: false };

afterEach(() => {
  vi.restoreAllMocks();
});

function collecting(): { events: WorkflowLifecycleEvent[]; onEvent: WorkflowEventHandler } {
  const events: WorkflowLifecycleEvent[] = [];
  return { events, onEvent: (event) => events.push(event) };
}

describe("RUN-093 levels and seq", () => {
  test.each<[string, LifecycleEventPayload]>([
    ["tool-blocked", { type: "tool-blocked", state: "a", tool: "t", reason: "r", callId: "c", args: {} }],
    ["hook-rejected", { type: "hook-rejected", state: "a", phase: "after", reason: "r" }],
    ["raised", { type: "raised", state: "a", code: "x", reason: "r", callId: "c" }],
    ["warning", { type: "warning", scope: "session", message: "m" }],
    ["a failed tool-result", { type: "tool-result", tool: "t", status: "error", ...settled }],
    [
      "a failed rubric-result",
      { type: "rubric-result", state: "a", name: "n", dispatchId: "d", status: "error", durationMs: 1 },
    ],
    [
      "a failed sub-workflow-result",
      {
        type: "sub-workflow-result",
        state: "a",
        workflow: "w",
        dispatchId: "1",
        status: "error",
        durationMs: 1,
      },
    ],
  ])("RUN-093 %s is warn", (_name, payload) => {
    expect(levelOf(payload)).toBe("warn");
  });

  test.each<[string, LifecycleEventPayload]>([
    ["advance", { type: "advance", from: "a", to: "b" }],
    ["a tool-result that worked", { type: "tool-result", tool: "t", status: "ok", ...settled }],
    [
      "a parked sub-workflow-result",
      {
        type: "sub-workflow-result",
        state: "a",
        workflow: "w",
        dispatchId: "1",
        status: "parked",
        durationMs: 1,
      },
    ],
    ["hook-passed", { type: "hook-passed", state: "a", phase: "after" }],
  ])("RUN-093 %s is info", (_name, payload) => {
    expect(levelOf(payload)).toBe("info");
  });

  test("RUN-093 seq strictly increases over two concurrent sessions of one handler", () => {
    const { events, onEvent } = collecting();
    const streams = ["s1", "s2"].map((id) => createEventStream({ onEvent, sessionId: () => id }));
    for (const state of ["a", "b", "c"]) {
      for (const stream of streams) stream.emit({ type: "state-enter", state });
    }
    expect(events.map(({ sessionId }) => sessionId)).toEqual(["s1", "s2", "s1", "s2", "s1", "s2"]);
    for (const [i, { seq }] of events.entries()) expect(seq).toBeGreaterThan(events[i - 1]?.seq ?? 0);
  });
});

describe("the envelope", () => {
  test("carries type, payload, level, time and session", () => {
    const { events, onEvent } = collecting();
    createEventStream({ onEvent, sessionId: () => "s1", clock: () => 1234 }).emit({
      type: "advance",
      from: "a",
      to: "b",
    });
    expect(events).toStrictEqual([
      { type: "advance", from: "a", to: "b", level: "info", ts: 1234, seq: 1, sessionId: "s1" },
    ]);
  });

  test("names no session outside one", () => {
    const { events, onEvent } = collecting();
    createEventStream({ onEvent, sessionId: () => undefined }).emit({ type: "interpreter-enabled" });
    expect(events[0]).not.toHaveProperty("sessionId");
    expect(events[0]).not.toHaveProperty("subWorkflowDispatchId");
  });

  test("names the dispatch of a delegated session", () => {
    const { events, onEvent } = collecting();
    const stream = createEventStream({ onEvent, sessionId: () => "s1~2~1" });
    stream.emit({ type: "state-enter", state: "a" });
    stream.emit({ type: "state-enter", state: "a" }, { sessionId: "s1" });
    expect(events[0]).toMatchObject({ sessionId: "s1~2~1", subWorkflowDispatchId: "2~1" });
    expect(events[1]).toMatchObject({ sessionId: "s1" });
    expect(events[1]).not.toHaveProperty("subWorkflowDispatchId");
  });

  test("counts on while a handler emits from inside an event", () => {
    const seen: number[] = [];
    const stream = createEventStream({
      sessionId: () => "s",
      onEvent: (event) => {
        if (event.type === "advance") stream.emit({ type: "state-enter", state: event.to });
        seen.push(event.seq);
      },
    });
    stream.emit({ type: "advance", from: "a", to: "b" });
    expect(seen.toSorted()).toEqual([1, 2]);
  });
});

describe("RUN-115 a handler that throws", () => {
  test("RUN-115 on every event disturbs nothing and is reported once", () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const onEvent = vi.fn<WorkflowEventHandler>(() => {
      throw new Error("boom");
    });
    const stream = createEventStream({ onEvent, sessionId: () => "s" });
    for (const state of ["a", "b"]) expect(() => stream.emit({ type: "state-enter", state })).not.toThrow();
    expect(onEvent).toHaveBeenCalledTimes(2);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toContain("boom");
  });

  test("RUN-115 that rejects instead is reported the same way", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const stream = createEventStream({
      sessionId: () => "s",
      onEvent: async () => {
        throw new Error("late");
      },
    });
    stream.emit({ type: "state-enter", state: "a" });
    stream.emit({ type: "state-enter", state: "b" });
    await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1));
    expect(warn.mock.calls[0]?.[0]).toContain("late");
  });
});

describe("RUN-094 the console", () => {
  const emitBoth = (onEvent?: WorkflowEventHandler) => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const stream = createEventStream({ onEvent, sessionId: () => "s" });
    stream.emit({ type: "advance", from: "a", to: "b" });
    stream.emit({ type: "tool-called", state: "a", tool: "lookup", callId: "c", args: {} });
    stream.emit({ type: "warning", scope: "mounts", message: "odd" });
    return { log, warn };
  };

  test("RUN-094 is silent with onEvent", () => {
    const { log, warn } = emitBoth(() => {});
    expect(log).not.toHaveBeenCalled();
    expect(warn).not.toHaveBeenCalled();
  });

  test("RUN-094 without it prints advance and not tool-called", () => {
    const { log, warn } = emitBoth();
    expect(log.mock.calls).toEqual([["[workflow] 'a' -> 'b'"]]);
    expect(warn.mock.calls).toEqual([["[mounts] odd"]]);
  });
});
