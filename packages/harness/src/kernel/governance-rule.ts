import type { SkillPrefixes } from "../machine/skill-table.ts";
import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import type { MountPrefixes } from "../spec/paths.ts";
import type { VariableStore } from "../spec/variables.ts";
import type { Action } from "./action.ts";
import type { Verdict } from "./verdict.ts";

/** What a rule may look at beside the action. */
export interface GovernanceApi {
  readonly machine: WorkflowMachine;
  readonly variables?: VariableStore;
  readonly mountPrefixes?: MountPrefixes;
  readonly skills?: SkillPrefixes;
}

/**
 * A host's own rule over tool calls. Pure and synchronous. A `block` ends the decision under the rule's id; an
 * `allow` opens nothing and reads like `null`; a rule that throws, or answers anything else, refuses the call
 * as `custom.error` (spec 02 §9).
 *
 * @example
 * const noNetwork: GovernanceRule = (action) =>
 *   action.kind === "tool-call" && action.tool === "web_fetch"
 *     ? { decision: "block", ruleId: "house.no-net", reason: "the network is off" }
 *     : null;
 */
export type GovernanceRule = (action: Action, api: GovernanceApi) => Verdict | null;
