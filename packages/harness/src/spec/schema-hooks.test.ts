import { expect, test } from "vitest";
import { validateSpec } from "./index.ts";
import { expectClean, expectError, fieldsOf, withState } from "./testing-fixtures/documents.ts";

const script = "hooks/c.js";

test("WF-022 a hook script lies below hooks/", () => {
  for (const path of [script, "hooks/sub/c.mjs"]) expectClean(withState({ after: { script: path } }));
});

test("WF-023 a hook script anywhere else is refused", () => {
  for (const path of ["c.js", "/hooks/c.js", "hooks/../c.js", "hooks/c.ts", "skills/s/scripts/c.js"]) {
    expectError(withState({ before: { script: path } }), "states.a.before");
  }
});

test("WF-024 a rubric states its instructions", () => {
  for (const rubric of ["tone", {}]) expectError(withState({ after: { rubric } }), "states.a.after");
  expectError(withState({ after: { rubric: { instructions: " " } } }), "states.a.after.rubric.instructions");
  expectError(withState({ after: { rubric: { instructions: "x", title: "y" } } }), "states.a.after.rubric");
});

test("WF-025 a rubric's iterations stand inside it", () => {
  const after = { rubric: { instructions: "x" }, max_iterations: 2 };
  expectError(withState({ after }), "states.a.after", "max_iterations");
});

test("WF-026 a hook has exactly one kind with a fitting value", () => {
  const hooks = [
    {},
    { max_iterations: 2 },
    { x: "1", y: "2" },
    "s",
    { webhook: 42 },
    { script, specification: "s" },
  ];
  for (const after of hooks) expectError(withState({ after }), "states.a.after");
});

test("WF-027 a custom kind stands alone", () => {
  expectClean(withState({ after: { webhook: "t" } }));
  expectError(withState({ after: { webhook: "t", max_iterations: 1 } }), "states.a.after");
  expectError(withState({ after: { webhook: "t", max_iterations: "1" } }), "states.a.after");
});

test("WF-028 the sidecar belongs to an after hook", () => {
  const hook = { script, max_iterations: 2 };
  expect(
    expectError(withState({ before: hook }), "states.a.before", "max_iterations", "after").spec,
  ).toBeDefined();
  expectClean(withState({ after: hook }));
  expectError(withState({ before: [hook, hook] }), "states.a.before");
  expectClean(withState({ before: { rubric: { instructions: "x", max_iterations: 2 } } }));
});

test("a list of hooks reports the finer findings with their index and any other on the list", () => {
  const rows: [unknown, string][] = [
    [{ script, foo: 1 }, "states.a.after.0"],
    [{ script, max_iterations: -1 }, "states.a.after.0.max_iterations"],
    [{ script, max_iterations: 1.5 }, "states.a.after.0.max_iterations"],
    [{ rubric: { instructions: " " } }, "states.a.after.0.rubric.instructions"],
    [{ rubric: { instructions: "x", max_iterations: "2" } }, "states.a.after.0.rubric.max_iterations"],
    [{ rubric: { instructions: "x", model: 3 } }, "states.a.after.0.rubric.model"],
    [{ rubric: { instructions: "x", title: "y" } }, "states.a.after.0.rubric"],
    [{ rubric: { instructions: 3 } }, "states.a.after"],
    [{ script: "c.js" }, "states.a.after"],
    ["s", "states.a.after"],
  ];
  for (const [hook, field] of rows) {
    expect(fieldsOf(validateSpec(withState({ after: [hook] })).diagnostics)).toEqual([field]);
  }
  expectClean(withState({ after: [] }));
});

test("a long list of hooks that are none is one message of a readable length", () => {
  const [only, ...others] = validateSpec(withState({ after: Array(500).fill({ x: 1, y: 2 }) })).schema;
  expect(others).toEqual([]);
  expect(only?.field).toBe("states.a.after");
  expect(only?.message).toMatch(/^0: a hook is .*; and \d+ more$/s);
  expect(only?.message.length).toBeLessThan(2_000);
});
