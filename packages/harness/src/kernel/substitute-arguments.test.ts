import { expect, test } from "vitest";
import { store } from "../machine/governance-fixture.ts";
import { substituteArguments, unresolvedArgumentReason } from "./substitute-arguments.ts";

const variables = store({ id: "K-*", n: 4, o: { to: ["a", "${{id}}"] } });

test("string leaves are replaced verbatim through lists and plain objects, and nothing else is", () => {
  const when = new Date(0);
  const args = { a: "x/${{id}}", list: ["${{n}}", { deep: "${{o.to.-1}}" }], "${{id}}": 1, when, flag: true };
  expect(substituteArguments(args, variables)).toEqual({
    ok: true,
    args: { a: "x/K-*", list: ["4", { deep: "${{id}}" }], "${{id}}": 1, when, flag: true },
  });
  expect(args.a).toBe("x/${{id}}");
});

test("an escape prints the reference", () => {
  expect(substituteArguments({ a: "$${{id}}" }, variables)).toEqual({ ok: true, args: { a: "${{id}}" } });
});

test("an own `__proto__` key stays a key", () => {
  const substituted = substituteArguments(JSON.parse('{"__proto__": {"a": "${{n}}"}}'), variables);
  expect(substituted.ok && Object.getOwnPropertyDescriptor(substituted.args, "__proto__")?.value).toEqual({
    a: "4",
  });
});

test("the first failure is told with the reference, the cause, the tool to look it up with and the escape", () => {
  const failed = substituteArguments({ a: ["${{gone}}", "${{o}}"] }, variables);
  expect(failed).toMatchObject({ ok: false, reference: "${{gone}}", reason: "unset" });
  if (failed.ok) throw new Error("it resolved");
  const reason = unresolvedArgumentReason("fetch_page", failed);
  for (const part of [
    "[workflow] BLOCKED:",
    "fetch_page",
    "not set",
    "archmax_get_variables",
    "$${{gone}}",
  ]) {
    expect(reason).toContain(part);
  }
});
