import { describe, expect, test } from "vitest";
import { machineWith, store } from "../machine/governance-fixture.ts";
import type { HookFact } from "./action.ts";
import { decide } from "./decide.ts";
import { judgeHookFact } from "./hook-facts.ts";
import { judge } from "./judge-fixture.ts";

const machine = machineWith();

function leave(from: string, to: string, hookFacts: HookFact[] = []) {
  return decide(machine, { kind: "transition", from, to, hookFacts });
}

function enter(...hookFacts: HookFact[]) {
  return decide(machine, { kind: "enter-state", state: "desk", hookFacts });
}

const OK: HookFact = { verdict: "ok", reason: "" };
const VETO: HookFact = { verdict: "veto", reason: "the sum is off" };
const CORRECT: HookFact = { verdict: "correct", reason: "name the file", maxIterations: 2 };

describe("a move", () => {
  test("GOV-084 an edge that is not declared is refused with the valid targets, and the call itself passes", () => {
    const verdict = leave("done", "work");
    expect(verdict).toMatchObject({ decision: "block", ruleId: "transition.no-edge" });
    expect(verdict.reason).toMatch(/no transitions/);
    expect(judge("done: archmax_advance { to: work, reason: x }").ruleId).toBe("tool.allowed");
    expect(leave("work", "nowhere").reason).toMatch("desk, done");
  });

  test("GOV-085 what the state requires is asked before its edges", () => {
    const asking = machineWith({ work: { requires: ["case_id"] } });
    const move = { kind: "transition", from: "work", to: "nowhere", hookFacts: [] } as const;
    const verdict = decide(asking, move);
    expect(verdict).toMatchObject({ decision: "block", ruleId: "transition.requires" });
    expect(verdict.reason).toMatch("case_id");
    expect(verdict.reason).toMatch("archmax_set_variables");
    expect(verdict.terminal).toBeUndefined();
    expect(decide(asking, move, [], undefined, store({ case_id: null })).ruleId).toBe("transition.no-edge");
  });

  test("GOV-086 a correction with its budget spent blocks and consumes nothing", () => {
    expect(leave("work", "done", [{ ...CORRECT, iterationsUsed: 2 }])).toMatchObject({
      decision: "block",
      ruleId: "hook.veto",
      budgetExhausted: true,
      correctionConsumed: false,
      reason: expect.stringMatching(/2 attempts/),
    });
  });

  test("a correction within its budget is consumed and names the call and what is left", () => {
    const verdict = leave("work", "done", [OK, { ...CORRECT, rubric: "rubric#0" }]);
    expect(verdict).toMatchObject({
      ruleId: "hook.rubric",
      correctionConsumed: true,
      budgetExhausted: false,
    });
    for (const part of ["name the file", "archmax_advance", "'done'", "1 attempt remains"]) {
      expect(verdict.reason).toMatch(part);
    }
  });

  test("a correction without a budget is spent at once", () => {
    expect(leave("work", "done", [{ verdict: "correct", reason: "x" }])).toMatchObject({
      budgetExhausted: true,
    });
  });

  test("the first refusal of a list decides; a passing list is allowed", () => {
    expect(leave("work", "done", [OK, OK])).toEqual({ decision: "allow", ruleId: "allow" });
    expect(leave("work", "done", [OK, VETO, CORRECT])).toMatchObject({
      ruleId: "hook.veto",
      reason: "hook veto: the sum is off",
      correctionConsumed: false,
      budgetExhausted: false,
    });
    expect(leave("work", "done", [{ ...VETO, error: "it threw" }, VETO])).toMatchObject({
      ruleId: "hook.error",
      reason: "it threw",
    });
  });

  test("host rules are not asked", () => {
    const never = () => {
      throw new Error("asked");
    };
    const move = { kind: "transition", from: "work", to: "done", hookFacts: [] } as const;
    expect(decide(machine, move, [never]).decision).toBe("allow");
  });
});

describe("an entry", () => {
  test("a hook may veto and may not ask for corrections", () => {
    expect(enter(OK)).toEqual({ decision: "allow", ruleId: "allow" });
    expect(enter(VETO)).toMatchObject({ ruleId: "hook.veto" });
    const verdict = enter({ ...CORRECT, rubric: "rubric#0" });
    expect(verdict).toMatchObject({ decision: "block", ruleId: "hook.veto" });
    expect(verdict.reason).toMatch(/cannot ask for corrections/);
    expect(verdict.correctionConsumed).toBeUndefined();
    expect(enter({ ...OK, error: "missing file" })).toMatchObject({
      ruleId: "hook.error",
      reason: "missing file",
    });
  });
});

describe("one fact", () => {
  test("passing is `hook.ok`; in a phase that gates nothing the rest is `hook.noop`", () => {
    expect(judgeHookFact(OK, "after", "go on")).toEqual({ decision: "allow", ruleId: "hook.ok" });
    expect(judgeHookFact(VETO, "during", "go on")).toEqual({ decision: "allow", ruleId: "hook.noop" });
  });
});
