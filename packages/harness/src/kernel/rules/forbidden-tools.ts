import { renderGuards, type ToolEntry } from "../../machine/tool-entry.ts";
import { FORBID_ANY_TOOL } from "../../spec/schema-grants.ts";
import { describeCall, type KernelRule, type ToolCall } from "../tool-call.ts";
import { blockCall } from "../verdict.ts";

/** The workflow's denials of tools bind every origin. */
export const forbiddenTool: KernelRule = {
  ruleIds: ["tool.forbidden"],
  judge: (call) => {
    const entry = denialOf(call, call.machine.workflowForbidEntries());
    return entry === undefined
      ? undefined
      : blockCall("tool.forbidden", denialReason(call, entry, "tools.forbid_always"));
  },
};

/** A state's denials of tools bind what works in that state, which a hook does not. */
export const forbiddenToolHere: KernelRule = {
  ruleIds: ["tool.forbidden-here"],
  judge: (call) => {
    if (call.lifecycle) return undefined;
    const entry = denialOf(call, call.machine.stateForbidEntries(call.state));
    return entry === undefined
      ? undefined
      : blockCall("tool.forbidden-here", denialReason(call, entry, `states.${call.state}.tools.forbid`));
  },
};

/** The first denial of a list that a call meets. */
export function denialOf(call: ToolCall, entries: readonly ToolEntry[]): ToolEntry | undefined {
  return entries.find(
    (entry) =>
      (entry.tool === call.tool || entry.tool === FORBID_ANY_TOOL) &&
      call.machine.denies(entry, call.tool, call.args, call.variables),
  );
}

/** Why a denial holds: the call, the list, and the guards it met. */
export function denialReason(call: ToolCall, entry: ToolEntry, list: string): string {
  const guards =
    entry.guards === undefined || entry.guards.length === 0 ? "" : ` (${renderGuards(entry.guards)})`;
  return `${describeCall(call)} is denied by ${list}${guards}. A denial beats every grant.`;
}
