import { expect, test } from "vitest";
import { hookKind, hookValue, normalizeHooks } from "./index.ts";

test("WF-096 a hook's kind is its one key that is no sidecar", () => {
  const R = { instructions: "x" };
  expect(hookKind({ webhook: "t", max_iterations: 1 })).toBe("webhook");
  expect(hookValue({ rubric: R })).toBe(R);
  for (const hook of [{}, { max_iterations: 1 }, { a: "1", b: "2" }, "s", null, ["a"]]) {
    expect(hookKind(hook)).toBeUndefined();
    expect(hookValue(hook)).toBeUndefined();
  }
});

test("hooks come as a list, however many are declared", () => {
  const hook = { script: "hooks/c.js" };
  expect(normalizeHooks()).toEqual([]);
  expect(normalizeHooks(null)).toEqual([]);
  expect(normalizeHooks(hook)).toEqual([hook]);
  expect(normalizeHooks([hook, hook])).toEqual([hook, hook]);
});
