import { isMapping } from "../../spec/shapes.ts";
import type { GovernanceApi, GovernanceRule } from "../governance-rule.ts";
import { problemText } from "../problem-text.ts";
import type { KernelRule, ToolCall } from "../tool-call.ts";
import { blockCall, type Verdict } from "../verdict.ts";

/** The id of the refusal when a rule of the host fails (spec 02 §9). */
export const RULE_FAILURE = "custom.error";

/**
 * Denials a session inherits, then the rules of the host, in order. They only tighten: the first `block`
 * decides under its own id, an `allow` opens nothing, and a rule that fails refuses the call.
 */
export const hostRules: KernelRule = {
  ruleIds: [RULE_FAILURE],
  judge: (call) => {
    const { machine, variables, mounts, skills } = call;
    const api = { machine, variables, mountPrefixes: mounts, skills };
    for (const rule of call.rules) {
      const verdict = ask(rule, call, api);
      if (verdict !== undefined) return verdict;
    }
    return undefined;
  },
};

function ask(rule: GovernanceRule, call: ToolCall, api: GovernanceApi): Verdict | undefined {
  try {
    return read(rule(call.action, api), call);
  } catch (error) {
    return failed(call, problemText(error));
  }
}

function read(answer: unknown, call: ToolCall): Verdict | undefined {
  if (answer === null || answer === undefined) return undefined;
  if (isMapping(answer) && typeof answer.ruleId === "string") {
    if (answer.decision === "allow") return undefined;
    if (answer.decision === "block") {
      const { reason } = answer;
      return blockCall(
        answer.ruleId,
        typeof reason === "string" && reason.trim() !== ""
          ? reason
          : `'${call.tool}' is refused by the rule ${answer.ruleId}.`,
      );
    }
  }
  if (answer instanceof Promise) answer.catch(() => {}); // it is refused here; its failure has no other reader
  return failed(call, "it answered neither a verdict nor null");
}

function failed(call: ToolCall, problem: string): Verdict {
  return blockCall(RULE_FAILURE, `'${call.tool}' is refused because a rule of the host failed: ${problem}.`);
}
