import { expect, test } from "vitest";
import { stateFlowLine } from "./state-flow.ts";

test.each([
  [{ type: "state-enter", state: "checking" }, "● checking"],
  [{ type: "agent-text", text: "one\ntwo" }, "  │ “one two”"],
  [{ type: "tool-called", tool: "read_file", detail: "skills/x" }, "  │ read_file skills/x"],
  [{ type: "tool-called", tool: "archmax_get_variables" }, "  │ archmax_get_variables"],
  [{ type: "tool-result", tool: "ls", status: "ok", output: "a" }, undefined],
  [{ type: "tool-result", tool: "ls", status: "error", output: "no" }, "  │ ls failed: no"],
  [{ type: "tool-blocked", tool: "task", reason: "never" }, "  │ task was refused: never"],
  [{ type: "variables-set", names: ["a", "b"] }, "  │ set a, b"],
  [{ type: "parked", awaiting: "decision" }, "  ⏸ waits for a person's decision"],
  [{ type: "parked", awaiting: "input", reason: "r" }, "  ⏸ waits: r"],
  [{ type: "parked", awaiting: "input", reason: "r", resumeAt: "T" }, "  ⏸ waits until T: r"],
  [{ type: "decided", to: "scheduled" }, "  ▶ a person decided: scheduled"],
  [{ type: "delivered", trigger: "timer" }, "  ▶ woken by timer"],
  [{ type: "state-leave", state: "paid", next: "paid" }, "  ■ ends here"],
  [{ type: "state-leave", state: "a", next: "b" }, undefined],
  [{ type: "raised", code: "x", reason: "y" }, "  ✗ ended by the agent: x: y"],
  [{ type: "state-error-routed", reason: "y" }, "  ✗ y"],
  [{ type: "warning", message: "m" }, "  ! m"],
  [{ type: "model-usage" }, undefined],
])("%j is drawn as %j", (event, line) => {
  expect(stateFlowLine(event)).toBe(line);
});
