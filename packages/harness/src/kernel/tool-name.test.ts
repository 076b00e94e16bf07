import { expect, test } from "vitest";
import { judge } from "./judge-fixture.ts";
import { notATool, resolveToolName } from "./tool-name.ts";

test("GOV-092 a name stands for the one tool that ends in it, and for none where several do", () => {
  expect(resolveToolName("send", ["mail__send"])).toEqual({ kind: "resolved", name: "mail__send" });
  const several = resolveToolName("send", ["mail__send", "chat__send"]);
  expect(several).toEqual({ kind: "ambiguous", candidates: ["mail__send", "chat__send"] });
  expect(notATool("send", several)).toMatch(/not a tool/);
  for (const candidate of ["mail__send", "chat__send"]) expect(notATool("send", several)).toMatch(candidate);
});

test("GOV-112 task and eval are the kernel's to refuse, registered or not", () => {
  for (const [name, ruleId] of [
    ["task", "tool.ungrantable"],
    ["eval", "tool.eval"],
  ] as const) {
    expect(resolveToolName(name, [])).toEqual({ kind: "resolved", name });
    expect(judge(name)).toMatchObject({ decision: "block", ruleId, warn: false });
  }
});

test("an exact name is taken before one that ends in it", () => {
  expect(resolveToolName("send", ["mail__send", "send"])).toEqual({ kind: "resolved", name: "send" });
});

test.each([["sen"], ["_send"], [""], ["SEND"]])("%j stands for nothing", (called) => {
  const resolution = resolveToolName(called, ["mail__send", "odd__"]);
  expect(resolution).toEqual({ kind: "unknown" });
  expect(notATool(called, resolution)).toMatch(/not a tool/);
});
