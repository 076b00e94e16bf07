import type { UnresolvedReference } from "../../machine/guard-glob.ts";
import { ownValue } from "../../spec/shapes.ts";
import { ADVANCE_TOOL } from "../../spec/tool-names.ts";
import type { KernelRule, ToolCall } from "../tool-call.ts";
import { allow, blockCall, failCall } from "../verdict.ts";

const ALLOWED = allow("tool.allowed");

/** What no other rule settled is open only where the state's entries open it. A hook needs no entry. */
export const stateSurface: KernelRule = {
  ruleIds: ["tool.allowed", "tool.unresolved-variable", "tool.not-allowed"],
  judge: (call) => {
    if (call.lifecycle) return undefined;
    const { machine, state, tool, args, variables } = call;
    let unresolved: UnresolvedReference | undefined;
    const onUnresolved = (problem: UnresolvedReference): void => {
      unresolved = problem;
    };
    if (machine.checkAllowed(state, tool, args, { variables, onUnresolved })) return ALLOWED;
    if (unresolved !== undefined) {
      return failCall(
        "tool.unresolved-variable",
        `'${tool}' cannot be judged in state '${state}': its guard names ${unresolved.reference}, and ` +
          `${unresolved.detail}.`,
      );
    }
    return blockCall("tool.not-allowed", notAllowed(call));
  },
};

function notAllowed({ machine, state, tool, args }: ToolCall): string {
  const path = ownValue(args, "file_path");
  const target = ownValue(args, "to");
  const on = typeof path === "string" ? ` on '${path}'` : "";
  const to = typeof target === "string" ? ` (to='${target}')` : "";
  const next = machine.isTerminal(state)
    ? `This state is terminal: finish your work, and do not call ${ADVANCE_TOOL}.`
    : `Finish this state's work, then call ${ADVANCE_TOOL}.`;
  return (
    `'${tool}'${on}${to} is not allowed in state '${state}'. ` +
    `Permitted here: ${machine.describeAllowed(state).join(", ")}. ${next}`
  );
}
