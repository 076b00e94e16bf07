import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import { NO_MOUNTS } from "../spec/paths.ts";
import type { GovernanceRule } from "./governance-rule.ts";
import { denialOf, denialReason } from "./rules/forbidden-tools.ts";
import { openCall, subjectOf, type ToolCall } from "./tool-call.ts";
import { blockCall, type Verdict } from "./verdict.ts";

/** A workflow above a child session. */
export interface Ancestor {
  /** Its slug, which the reasons name. */
  readonly workflow: string;
  readonly machine: WorkflowMachine;
}

/**
 * The rules by which a child session is bound to what its ancestors deny in every state (spec 02 §9): one per
 * ancestor, in the order given, root first. They stand before the host's own rules and bind hooks too; no
 * grant and no state's denial travels. Guards are read under the child's variables and tool table.
 */
export function inheritedDenials(ancestors: readonly Ancestor[]): GovernanceRule[] {
  return ancestors.map(
    (ancestor): GovernanceRule =>
      (action, api) => {
        if (action.kind !== "tool-call") return null;
        const { machine, mountPrefixes: mounts = NO_MOUNTS, variables = {}, skills = [] } = api;
        return judge(ancestor, openCall(action, { machine, rules: [], mounts, variables, skills }));
      },
  );
}

function judge({ workflow, machine }: Ancestor, call: ToolCall): Verdict | null {
  const by = (list: string): string => `the ${list} of the calling workflow '${workflow}'`;
  for (const path of call.paths) {
    const slug = path.bundle?.slug;
    if (slug !== undefined && machine.workflowForbiddenSkills().includes(slug)) {
      const reason = `${subjectOf(call, path)} is in the skill '${slug}', denied by ${by("skills.forbid_always")}.`;
      return blockCall("skill.forbidden", reason);
    }
  }
  for (const path of call.paths) {
    if (path.mount !== null && machine.workflowForbiddenMounts().includes(path.mount)) {
      const reason = `${subjectOf(call, path)} is in the mount '${path.mount}', denied by ${by("mounts.forbid_always")}.`;
      return blockCall("mount.forbidden", reason);
    }
  }
  const entry = denialOf(call, machine.workflowForbidEntries());
  return entry === undefined
    ? null
    : blockCall("tool.forbidden", denialReason(call, entry, by("tools.forbid_always")));
}
