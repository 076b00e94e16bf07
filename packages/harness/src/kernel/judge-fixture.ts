/** Asks the kernel the questions of the acceptance cases, written as the cases write them (spec 02 §13). */

import { load } from "js-yaml";
import { expect, test } from "vitest";
import { MOUNTS, machineWith, SKILLS, type SpecChange, store } from "../machine/governance-fixture.ts";
import type { SkillPrefixes } from "../machine/skill-table.ts";
import type { ToolCallAction } from "./action.ts";
import { decide } from "./decide.ts";
import type { GovernanceRule } from "./governance-rule.ts";
import type { Verdict } from "./verdict.ts";

/** What a case changes of the common ground. */
export interface Given {
  readonly change?: SpecChange;
  readonly variables?: Record<string, unknown>;
  readonly rules?: readonly GovernanceRule[];
  readonly skills?: SkillPrefixes;
  readonly call?: Partial<ToolCallAction>;
}

/** Judges a call written as in the cases: `tool { args }`, prefixed by `state:` unless it is made in `work`. */
export function judge(
  written: string,
  { change, variables = {}, rules = [], skills = SKILLS, call = {} }: Given = {},
) {
  const [, state = "work", tool = "", args = "{}"] =
    /^(?:([\w-]+): )?(\w+)(?: (\{.*\}))?$/s.exec(written) ?? [];
  const action: ToolCallAction = {
    kind: "tool-call",
    state,
    tool,
    args: load(args) as Record<string, unknown>,
    ...call,
  };
  return decide(machineWith(change), action, rules, MOUNTS, store(variables), skills);
}

/** The document with these keys in state `work`. */
export function inWork(keys: Record<string, unknown>, more: Omit<Given, "change"> = {}): Given {
  return { change: { work: keys }, ...more };
}

/** The document with these keys at its root. */
export function inRoot(keys: Record<string, unknown>, more: Omit<Given, "change"> = {}): Given {
  return { change: { root: keys }, ...more };
}

/** A case: its title, what it changes, the call, the rule id, and what the reason must give. */
export type Row = readonly [
  id: string,
  given: Given,
  call: string,
  rule: string,
  reason?: readonly (string | RegExp)[],
];

const ALLOWED = new Set(["tool.allowed", "tool.scratchpad", "tool.offload-read", "allow"]);
const QUIET = new Set(["tool.eval", "tool.ungrantable"]);

/** The verdict is the one of the rule, with every field the chapter gives it. */
export function expectVerdict(verdict: Verdict, rule: string, reason: readonly (string | RegExp)[] = []) {
  expect(verdict.ruleId).toBe(rule);
  if (ALLOWED.has(rule)) {
    expect(verdict).toEqual({ decision: "allow", ruleId: rule });
    return;
  }
  expect(verdict.decision).toBe("block");
  expect(verdict.warn).toBe(!QUIET.has(rule));
  const terminal = rule === "tool.unresolved-variable";
  expect(verdict.terminal).toBe(terminal ? true : undefined);
  expect(verdict.reason).toMatch(terminal ? /^\[workflow\] FAILED:/ : /^\[workflow\] BLOCKED:/);
  for (const part of reason) expect(verdict.reason).toMatch(part);
}

/** State `work` grants a tool under these guards. */
export const guarded = (tool: string, args: Record<string, unknown>) =>
  inWork({ tools: { allow: [{ tool, args }] } });
/** State `work` grants `fetch_page` under these guards. */
export const pages = (args: Record<string, unknown>, more: Omit<Given, "change"> = {}) => ({
  ...guarded("fetch_page", args),
  ...more,
});
/** The workflow denies these entries. */
export const alwaysForbid = (...entries: unknown[]) => inRoot({ tools: { forbid_always: entries } });

/** Registers one test per row. */
export function testRows(rows: readonly Row[]): void {
  for (const [title, given, call, rule, reason] of rows) {
    test(title, () => expectVerdict(judge(call, given), rule, reason));
  }
}
