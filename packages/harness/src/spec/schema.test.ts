import { expect, test } from "vitest";
import { specDisabled, validateSpec } from "./index.ts";
import {
  base,
  expectClean,
  expectError,
  expectWarning,
  fieldsOf,
  withRoot,
  withState,
  withTransition,
} from "./testing-fixtures/documents.ts";

test("WF-001 the smallest document is clean and a null state reads as an empty one", () => {
  const { spec } = expectClean(base());
  expect(spec?.states.z).toEqual({});
});

test("WF-002 a document that is no mapping is one error without a field", () => {
  for (const value of [null, "x", 42, []]) {
    const validation = expectError(value, undefined);
    expect(validation).not.toHaveProperty("spec");
    expect(validation.lint).toEqual([]);
  }
});

test("WF-003 states must be a mapping with a state in it", () => {
  for (const value of [{}, { states: [] }]) expect(expectError(value, "states")).not.toHaveProperty("spec");
  expect(expectError({ instructions: "x", states: {} }, "states").spec).toBeDefined();
});

test("WF-004 unknown root keys are one error that names them", () => {
  expectError(withRoot({ name: "x", description: "y" }), undefined, "name", "description");
});

test("WF-005 a retired root key reads like any unknown one", () => {
  for (const keys of [{ policy: {} }, { rubrics: {} }, { triggers: {} }, { editor: {} }, { entry: "a" }]) {
    expectError(withRoot(keys), undefined);
  }
});

test("WF-006 an unknown state key is named on its state", () => {
  expect(expectError(withState({ transtions: [] }), "states.a", "transtions")).not.toHaveProperty("spec");
});

test("WF-007 settings, extensions and runtime are strict", () => {
  expectError(withRoot({ settings: { sub_workflows: {} } }), "settings");
  expectError(withRoot({ extensions: { metadata: {} } }), "extensions");
  expectError(withRoot({ runtime: { name: "x" } }), "runtime");
});

test("WF-008 root and state lists are not spelled alike", () => {
  expectError(withRoot({ skills: { allow: ["s"] } }), "skills");
  expectError(withRoot({ mounts: { allow: ["m"] } }), "mounts");
  expectError(withState({ tools: { allow_always: ["t"] } }), "states.a.tools");
});

test("WF-009 the workflow's title may be empty, a state's not blank", () => {
  expectClean(withRoot({ title: "" }));
  expectError(withState({ title: " " }), "states.a.title");
});

test("WF-010 the workflow's instructions may not be blank, a state's may be empty", () => {
  expectError(withRoot({ instructions: " " }), "instructions");
  expectClean(withState({ instructions: "" }));
});

test("WF-011 disabled is a boolean", () => {
  expectError(withRoot({ disabled: "no" }), "disabled");
  expectError(withRoot({ disabled: null }), "disabled");
  expectWarning(withRoot({ disabled: true }), "disabled");
});

test("WF-012 a spec is disabled unless it says it is not", () => {
  for (const spec of [undefined, null, {}, { disabled: null }, { disabled: false }]) {
    expect(specDisabled(spec)).toBe(false);
  }
  for (const spec of [{ disabled: "no" }, { disabled: 0 }, { disabled: true }]) {
    expect(specDisabled(spec)).toBe(true);
  }
});

test("WF-013 an unknown state type is named beside the known ones", () => {
  expectError(withState({ type: "wait" }), "states.a.type", "wait", "agent", "human");
});

test("WF-014 a transition without a usable description is one error there", () => {
  const field = "states.a.transitions.0.description";
  expectError(withState({ transitions: [{ to: "z" }] }), field);
  for (const description of ["", " \n", 42]) expectError(withTransition({ description }), field);
});

test("WF-015 transition types are a closed list and transitions are strict", () => {
  expectError(withTransition({ type: "esc" }), "states.a.transitions.0.type");
  expectError(withTransition({ when: "x" }), "states.a.transitions.0");
  for (const type of ["approve", "reject", "refine", "none"]) expectClean(withTransition({ type }));
});

test("WF-016 budgets are positive whole numbers", () => {
  expectError(withState({ budget: { maxParks: 0 } }), "states.a.budget.maxParks", "positive");
  expectError(withState({ budget: { maxTurns: 1.5 } }), "states.a.budget.maxTurns", "positive");
  expectError(withState({ budget: { timeoutMs: "5" } }), "states.a.budget.timeoutMs", "positive");
});

test("WF-017 a model is named by a non-blank id", () => {
  for (const model of [{ id: "x" }, " "]) expectError(withState({ model }), "states.a.model");
  expectError(withRoot({ settings: { model: 3 } }), "settings.model");
});

test("WF-018 settings hold positive numbers, and maxPtcCalls a count or null", () => {
  expectClean(withRoot({ settings: { maxPtcCalls: null } }));
  expectError(withRoot({ settings: { maxPtcCalls: -1 } }), "settings.maxPtcCalls");
  expectError(withRoot({ settings: { timeoutMs: 0 } }), "settings.timeoutMs");
});

test("WF-019 cases run one at a time", () => {
  const tests = (maxConcurrency: number) => withRoot({ tests: { maxConcurrency } });
  expectClean(tests(1));
  expect(expectError(tests(0), "tests.maxConcurrency")).not.toHaveProperty("spec");
  expect(expectError(tests(2), "tests.maxConcurrency", "maxConcurrency").spec).toBeDefined();
});

test("WF-020 the runtime version is kept as written", () => {
  expect(expectClean(withRoot({ runtime: { version: 2 } })).spec?.runtime?.version).toBe(2);
  expectError(withRoot({ runtime: { version: true } }), "runtime.version");
});

test("WF-021 metadata is any mapping and survives", () => {
  const metadata = { k: [1, { x: null }] };
  expect(expectClean(withRoot({ metadata })).spec?.metadata).toEqual(metadata);
  expect(expectClean(withState({ metadata })).spec?.states.a?.metadata).toEqual(metadata);
  expectError(withRoot({ metadata: "x" }), "metadata");
});

test("a state, a trigger or a guard named __proto__ is refused, not dropped", () => {
  const text = JSON.stringify(withState({ tools: { allow: [{ tool: "x", args: { NAME: "g" } }] } }));
  expectError(JSON.parse(text.replace("NAME", "__proto__")), "states.a.tools.allow.0", "__proto__");
  expectError(JSON.parse(text.replace('"manual"', '"__proto__"')), "states.a.triggers", "__proto__");
  expectError(JSON.parse(text.replace('"z":null', '"__proto__":null')), "states", "__proto__");
});

test("names of Object.prototype are ordinary state names, and no state unless declared", () => {
  const transitions = [{ to: "toString", description: "d" }];
  expectError(withState({ transitions }), "states.a.transitions.0.to", "toString");
  const { states } = withState({ transitions }) as { states: Record<string, unknown> };
  expectClean({ instructions: "x", states: { ...states, toString: null, constructor: null } });
});

test("every finding of a refused document is reported", () => {
  const { schema } = validateSpec({
    states: { a: { type: "wait", title: "", budget: { maxTurns: 0 } } },
    name: "x",
  });
  expect(fieldsOf(schema).sort()).toEqual([
    "states.a.budget.maxTurns",
    "states.a.title",
    "states.a.type",
    undefined,
  ]);
});
