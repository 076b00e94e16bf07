import type { SkillPrefixes } from "../machine/skill-table.ts";
import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import { type MountPrefixes, NO_MOUNTS } from "../spec/paths.ts";
import { ownValue } from "../spec/shapes.ts";
import type { VariableStore } from "../spec/variables.ts";
import type { Action } from "./action.ts";
import type { GovernanceRule } from "./governance-rule.ts";
import { judgeEntry, judgeTransition } from "./moves.ts";
import { PIPELINE } from "./pipeline.ts";
import { problemText } from "./problem-text.ts";
import { openCall, type ToolCall } from "./tool-call.ts";
import { allow, blockCall, blockMove, type Verdict } from "./verdict.ts";

const EVERY_RULE_ABSTAINED = allow("allow");

/**
 * Decides whether a session may do something (spec 02 §1). Synchronous, without side effects and total: equal
 * inputs give equal verdicts and nothing makes it throw. The model's calls, scripts, hooks and the validator
 * all ask this one function.
 *
 * @param rules inherited denials first, then the host's rules in order; asked about tool calls alone
 * @param mounts the mount table; none when omitted
 * @param variables the session's variables; none when omitted
 * @param skills the skill bundles; none when omitted
 */
export function decide(
  machine: WorkflowMachine,
  action: Action,
  rules: readonly GovernanceRule[] = [],
  mounts: MountPrefixes = NO_MOUNTS,
  variables: VariableStore = {},
  skills: SkillPrefixes = [],
): Verdict {
  try {
    switch (action.kind) {
      case "tool-call":
        return judgeCall(openCall(action, { machine, rules, mounts, variables, skills }));
      case "transition":
        return judgeTransition(machine, action, variables);
      case "enter-state":
        return judgeEntry(action);
      default:
        throw new TypeError("no such kind of action");
    }
  } catch (error) {
    return unreadable(action, error);
  }
}

function judgeCall(call: ToolCall): Verdict {
  for (const rule of PIPELINE) {
    const verdict = rule.judge(call);
    if (verdict !== undefined) return verdict;
  }
  return EVERY_RULE_ABSTAINED;
}

/** A value that cannot even be read, such as one whose getter throws, is refused like a malformed one. */
function unreadable(action: unknown, error: unknown): Verdict {
  const problem = problemText(error);
  return ownValue(action, "kind") === "tool-call"
    ? blockCall("tool.path-argument", `the arguments of the call cannot be read: ${problem}.`)
    : blockMove("hook.error", `what was asked cannot be read: ${problem}`);
}
