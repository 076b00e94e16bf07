import { expect, test } from "vitest";
import { renderEventLine } from "./event-line.ts";
import { createEventStream } from "./stream.ts";
import type { LifecycleEventPayload, LifecycleEventType, WorkflowLifecycleEvent } from "./types.ts";

function lineOf(payload: LifecycleEventPayload): string | null {
  const events: WorkflowLifecycleEvent[] = [];
  createEventStream({ onEvent: (event) => events.push(event), sessionId: () => "s1" }).emit(payload);
  const [event] = events;
  return event === undefined ? null : renderEventLine(event);
}

/** One of every event: the type makes a missing one a compile error. */
const ALL: { [T in LifecycleEventType]: [Extract<LifecycleEventPayload, { type: T }>, string[] | null] } = {
  "interpreter-enabled": [{ type: "interpreter-enabled" }, ["[interpreter]"]],
  "skills-loaded": [{ type: "skills-loaded", names: ["a", "b"] }, ["[skills]", "a, b"]],
  "hooks-summary": [{ type: "hooks-summary", summary: "2 hooks" }, ["[workflow]", "2 hooks"]],
  "graph-topology": [{ type: "graph-topology", topology: "a -> b" }, ["[workflow]", "a -> b"]],
  "prompt-shaping": [{ type: "prompt-shaping", profile: "default", cache: "off", withheld: ["task"] }, null],
  warning: [{ type: "warning", scope: "mounts", message: "odd" }, ["[mounts] odd"]],
  "workflow-reset": [{ type: "workflow-reset", entry: "intake" }, ["[workflow]", "intake"]],
  "state-enter": [{ type: "state-enter", state: "work" }, ["[workflow]", "work"]],
  "state-leave": [{ type: "state-leave", state: "work", next: "done" }, ["work", "done"]],
  advance: [{ type: "advance", from: "__start__", to: "intake" }, ["entering start state 'intake'"]],
  "state-error-routed": [{ type: "state-error-routed", state: "a", to: "b", reason: "r1" }, ["a", "b", "r1"]],
  raised: [{ type: "raised", state: "a", code: "x1", reason: "r1", callId: "c" }, ["s1", "a", "x1", "r1"]],
  "hook-start": [
    { type: "hook-start", state: "a", phase: "after", label: "hooks/c.js" },
    ["after", "hooks/c.js"],
  ],
  "hook-output": [{ type: "hook-output", state: "a", line: "l1" }, ["[workflow:a] l1"]],
  "hook-verdict": [
    {
      type: "hook-verdict",
      state: "a",
      phase: "after",
      label: "l",
      verdict: "veto",
      reason: "r1",
      missing: ["m1"],
    },
    ["[workflow:a]", "veto", "r1", "(missing: m1)"],
  ],
  "hook-passed": [{ type: "hook-passed", state: "a", phase: "before" }, ["a", "before passed"]],
  "hook-rejected": [
    { type: "hook-rejected", state: "a", phase: "before", reason: "r1" },
    ["before rejected", "r1"],
  ],
  "rubric-start": [{ type: "rubric-start", state: "a", name: "n", dispatchId: "d" }, null],
  "rubric-result": [
    { type: "rubric-result", state: "a", name: "n", dispatchId: "d", status: "ok", durationMs: 1 },
    null,
  ],
  parked: [
    { type: "parked", state: "a", awaiting: "input", reason: "r1", resumeAt: "2026-01-01T00:00:00Z" },
    ["s1", "a", "r1", "2026-01-01T00:00:00Z"],
  ],
  decided: [{ type: "decided", state: "a", to: "b" }, ["s1", "a", "b"]],
  delivered: [{ type: "delivered", state: "a", trigger: "mail", to: "a" }, ["s1", "mail", "a"]],
  "park-message": [
    { type: "park-message", state: "a", direction: "inbound", text: "one\ntwo" },
    ["inbound", "one two"],
  ],
  "agent-text": [{ type: "agent-text", state: "a", text: "t" }, null],
  "agent-text-delta": [{ type: "agent-text-delta", state: "a", text: "t" }, null],
  "tool-called": [{ type: "tool-called", state: "a", tool: "t", callId: "c", args: {} }, null],
  "tool-result": [
    {
      type: "tool-result",
      state: "a",
      tool: "t",
      callId: "c",
      status: "error",
      durationMs: 1,
      output: "",
      truncated: false,
    },
    null,
  ],
  "tool-blocked": [
    { type: "tool-blocked", state: "a", tool: "t", reason: "r1", callId: "c", args: {}, origin: "script" },
    ["[workflow] r1", "script"],
  ],
  "variables-set": [
    { type: "variables-set", state: "a", names: ["n1", "n2"], locked: true },
    ["n1, n2 (locked)"],
  ],
  "title-set": [{ type: "title-set", title: "Order 9" }, ["Order 9"]],
  "model-usage": [
    {
      type: "model-usage",
      state: "a",
      inputTokens: 1,
      outputTokens: 1,
      cacheReadTokens: 0,
      cacheCreationTokens: 0,
    },
    null,
  ],
  "sub-workflow-start": [
    { type: "sub-workflow-start", state: "a", workflow: "kid", dispatchId: "1", depth: 1 },
    ["a", "kid"],
  ],
  "sub-workflow-result": [
    {
      type: "sub-workflow-result",
      state: "a",
      workflow: "kid",
      dispatchId: "1",
      status: "error",
      durationMs: 7,
      reason: "r1",
    },
    ["kid", "failed", "7 ms", "r1"],
  ],
};

test.each(Object.entries(ALL))("%s reads as one line, or none", (_type, [payload, parts]) => {
  const line = lineOf(payload);
  if (parts === null) expect(line).toBeNull();
  else for (const part of parts) expect(line).toContain(part);
  expect(line ?? "").not.toContain("\n");
});

test("a leave into itself is an end", () => {
  expect(lineOf({ type: "state-leave", state: "done", next: "done" })).toBe("[workflow] ended in 'done'");
});
