import { expect, test } from "vitest";
import type { LifecycleEventPayload, WorkflowLifecycleEvent } from "../events/types.ts";
import { createStateFlowRenderer } from "./state-flow.ts";
import { createStyle } from "./style.ts";

/** The chunks a flow writes of events, uncoloured. */
function flowOf(
  ...events: (LifecycleEventPayload & { sessionId?: string; subWorkflowDispatchId?: string })[]
): string[] {
  const chunks: string[] = [];
  const renderer = createStateFlowRenderer(
    { write: (chunk) => chunks.push(chunk) },
    createStyle({ isTTY: false }),
  );
  for (const [seq, event] of events.entries()) {
    renderer.onEvent({ level: "info", ts: 0, seq, sessionId: "s", ...event } as WorkflowLifecycleEvent);
  }
  expect(chunks.every((chunk) => chunk.endsWith("\n") && chunk.indexOf("\n") === chunk.length - 1)).toBe(
    true,
  );
  return chunks.map((chunk) => chunk.slice(0, -1));
}

const call = { state: "lookup", callId: "c1", args: {} };

test("CLI-025 an advance: the reason once, archmax_advance never, a child's own states never", () => {
  const flow = flowOf(
    { type: "state-enter", state: "lookup" },
    { type: "tool-called", ...call, tool: "archmax_advance" },
    { type: "advance", from: "lookup", to: "reply", reason: "found\nthem", callId: "c1" },
    {
      type: "tool-result",
      state: "lookup",
      callId: "c1",
      tool: "archmax_advance",
      status: "ok",
      durationMs: 1,
      output: "found them",
      truncated: false,
    },
    { type: "state-leave", state: "lookup", next: "reply" },
    { type: "state-enter", state: "reply" },
    { type: "sub-workflow-start", state: "reply", workflow: "kid", dispatchId: "1", depth: 2 },
    { type: "state-enter", state: "inside", subWorkflowDispatchId: "1" },
    { type: "agent-text", state: "inside", text: "psst", subWorkflowDispatchId: "1" },
    {
      type: "sub-workflow-result",
      state: "reply",
      workflow: "kid",
      dispatchId: "1",
      status: "ok",
      durationMs: 12,
    },
  );
  expect(flow).toEqual([
    "",
    "● lookup",
    "    → found them",
    "✔ lookup → reply",
    "",
    "● reply",
    "    ● sub-workflow kid (depth 2)",
    "    ✔ sub-workflow kid (12ms)",
  ]);
});

test("CLI-026 a raise: its code and reason, then the state as failed", () => {
  const flow = flowOf(
    { type: "state-enter", state: "lookup" },
    { type: "tool-called", ...call, tool: "archmax_raise" },
    { type: "raised", state: "lookup", code: "po-missing", reason: "no order", callId: "c1" },
    { type: "state-leave", state: "lookup", next: "lookup" },
  );
  expect(flow.slice(-2)).toEqual(["    ✖ raised po-missing no order", "✖ lookup → failed"]);
  expect(flow).toHaveLength(4);
});

test("a state that raised once is no failure when it is left another time", () => {
  const raise = { type: "raised", state: "a", code: "x", reason: "r", callId: "c" } as const;
  const leave = { type: "state-leave", state: "a", next: "a" } as const;
  expect(flowOf(raise, leave, leave).slice(-2)).toEqual(["✖ a → failed", "✔ a → a"]);
});

test("hooks, calls, texts and refusals are indented below their state", () => {
  expect(
    flowOf(
      { type: "hook-start", state: "a", phase: "before", label: "hooks/a.js" },
      { type: "hook-output", state: "a", line: "looked" },
      {
        type: "hook-verdict",
        state: "a",
        phase: "before",
        label: "hooks/a.js",
        verdict: "veto",
        reason: "not yet",
        missing: ["a", "b"],
      },
      { type: "hook-rejected", state: "a", phase: "before", reason: "not yet" },
      {
        type: "hook-verdict",
        state: "a",
        phase: "after",
        label: "rubric#0",
        verdict: "correct",
        reason: "again",
      },
      { type: "hook-verdict", state: "a", phase: "after", label: "rubric#0", verdict: "ok", reason: "" },
      { type: "hook-passed", state: "a", phase: "after" },
      { type: "tool-called", ...call, tool: "read_file", detail: "a.md" },
      { type: "tool-called", ...call, tool: "find", origin: "script" },
      { type: "tool-blocked", ...call, tool: "task", reason: "never", origin: "lifecycle" },
      { type: "agent-text", state: "a", text: "one\n\ntwo\n", messageId: "m" },
      { type: "state-error-routed", state: "a", to: "b", reason: "spent" },
      { type: "warning", scope: "session", message: "minted" },
    ),
  ).toEqual([
    "    › before hooks/a.js",
    "      looked",
    "    ✖ before veto — not yet (missing: a, b)",
    "    ✖ before rejected not yet",
    "    ● after correct — again",
    "    ✔ after ok",
    "    ✔ after passed",
    "    › read_file a.md",
    "    › find via script",
    "    ⚠ blocked task (not allowed in lookup) via lifecycle hook",
    "    │ one",
    "    │",
    "    │ two",
    "⚠ a → b (on_error: spent)",
    "⚠ [session] minted",
  ]);
});

test("parks name where they wait, what for and until when", () => {
  expect(
    flowOf(
      { type: "parked", state: "review", awaiting: "decision" },
      { type: "park-message", state: "review", direction: "inbound", text: "news?" },
      { type: "park-message", state: "review", direction: "outbound", text: "none" },
      { type: "decided", state: "review", to: "sent" },
      {
        type: "parked",
        state: "wait",
        awaiting: "input",
        reason: "the vendor",
        resumeAt: "2026-01-01T00:00:00.000Z",
      },
      { type: "delivered", state: "wait", trigger: "mail", to: "wait" },
      {
        type: "sub-workflow-result",
        state: "wait",
        workflow: "kid",
        dispatchId: "1",
        status: "parked",
        durationMs: 1,
      },
      {
        type: "sub-workflow-result",
        state: "wait",
        workflow: "kid",
        dispatchId: "2",
        status: "error",
        durationMs: 1,
        reason: "down",
      },
    ),
  ).toEqual([
    "    ⚠ awaiting human decision at review",
    "    › message at review",
    "    │ news?",
    "    ✔ decision -> sent",
    "    ⚠ awaiting input in wait — the vendor (due 2026-01-01T00:00:00.000Z)",
    "    ✔ mail delivered, resuming wait",
    "    ⚠ sub-workflow kid is parked, and the session waits with it",
    "    ✖ sub-workflow kid failed down",
  ]);
});

test("everything else is silent", () => {
  expect(
    flowOf(
      { type: "advance", from: "__start__", to: "a" },
      { type: "agent-text-delta", state: "a", text: "x" },
      { type: "rubric-start", state: "a", name: "n", dispatchId: "1" },
      { type: "variables-set", names: ["a"], locked: true },
      { type: "title-set", title: "t" },
      { type: "workflow-reset", entry: "a" },
      { type: "graph-topology", topology: "a" },
    ),
  ).toEqual([]);
});

test("before is blue and after magenta where colour is on", () => {
  const chunks: string[] = [];
  const style = createStyle({ isTTY: true, env: {} });
  const renderer = createStateFlowRenderer({ write: (chunk) => chunks.push(chunk) }, style);
  for (const phase of ["before", "after"] as const) {
    renderer.onEvent({ type: "hook-passed", state: "a", phase, level: "info", ts: 0, seq: 0 });
  }
  expect(chunks).toEqual([
    "    \u001b[32m✔\u001b[0m \u001b[34mbefore\u001b[0m passed\n",
    "    \u001b[32m✔\u001b[0m \u001b[35mafter\u001b[0m passed\n",
  ]);
});
