import { describe, expect, test } from "vitest";
import type { GovernanceRule } from "./governance-rule.ts";
import { inWork, judge } from "./judge-fixture.ts";
import type { Verdict } from "./verdict.ts";

/** A rule as an untyped host may write it. */
function answering(answer: unknown): GovernanceRule {
  return () => answer as Verdict;
}

function fetchUnder(...rules: GovernanceRule[]) {
  return judge("fetch_page", inWork({ tools: { allow: ["fetch_page"] } }, { rules }));
}

describe("a rule of the host", () => {
  test("GOV-111 a rule that throws or answers no verdict refuses the call", () => {
    const throwing: GovernanceRule = () => {
      throw new Error("policy down");
    };
    expect(fetchUnder(throwing)).toMatchObject({ decision: "block", ruleId: "custom.error", warn: true });
    expect(fetchUnder(throwing).reason).toMatch("policy down");
    expect(fetchUnder(answering(7))).toMatchObject({ decision: "block", ruleId: "custom.error" });
  });

  test.each([[{}], ["no"], [false], [[]], [{ decision: "block" }], [{ decision: "maybe", ruleId: "x" }]])(
    "answers no verdict with %j",
    (answer) => {
      expect(fetchUnder(answering(answer)).ruleId).toBe("custom.error");
    },
  );

  test("a promise is no verdict, and its failure is not left unhandled", async () => {
    expect(fetchUnder(answering(Promise.reject(new Error("late")))).ruleId).toBe("custom.error");
    await new Promise((resolve) => setImmediate(resolve));
  });

  test("something that is no function, or throws what cannot be read, refuses the call", () => {
    expect(fetchUnder(null as unknown as GovernanceRule).ruleId).toBe("custom.error");
    const hostile: GovernanceRule = () => {
      throw Object.create(null);
    };
    expect(fetchUnder(hostile).ruleId).toBe("custom.error");
  });

  test("null, undefined and an allow abstain; the first block decides with its reason filled in", () => {
    const first = answering({ decision: "block", ruleId: "house.first" });
    const second = answering({ decision: "block", ruleId: "house.second", reason: "later" });
    expect(fetchUnder(answering(null), answering(undefined)).ruleId).toBe("tool.allowed");
    expect(fetchUnder(answering({ decision: "allow", ruleId: "x" }), first, second)).toEqual({
      decision: "block",
      ruleId: "house.first",
      reason: "[workflow] BLOCKED: 'fetch_page' is refused by the rule house.first.",
      warn: true,
    });
  });

  test("carries no field a verdict of the host cannot give", () => {
    const loud = answering({
      decision: "block",
      ruleId: "house.x",
      reason: "no",
      terminal: true,
      warn: false,
    });
    expect(fetchUnder(loud)).toEqual({
      decision: "block",
      ruleId: "house.x",
      reason: "[workflow] BLOCKED: no",
      warn: true,
    });
  });

  test("sees the origin and the tables, for scripts and hooks alike", () => {
    const seen: unknown[] = [];
    const spy: GovernanceRule = (action, api) => {
      seen.push([action.kind === "tool-call" && action.origin, Object.keys(api).sort()]);
      return null;
    };
    for (const origin of ["script", "lifecycle"] as const) {
      judge("read_file { file_path: a }", { rules: [spy], call: { origin } });
    }
    const tables = ["machine", "mountPrefixes", "skills", "variables"];
    expect(seen).toEqual([
      ["script", tables],
      ["lifecycle", tables],
    ]);
  });
});
