import { expect, test } from "vitest";
import { validateSpec } from "./validate.ts";

const document = (root: object, state: object = {}) => ({
  instructions: "x",
  states: {
    a: { triggers: { manual: null }, transitions: [{ to: "z", description: "d" }], ...state },
    z: null,
  },
  ...root,
});

function finding(value: unknown): string | undefined {
  const { diagnostics } = validateSpec(value);
  expect(diagnostics).toHaveLength(1);
  return diagnostics[0]?.message;
}

test.each([
  ["the document", null, "it must be a mapping, not null"],
  ["a missing key", { instructions: "x" }, "states is missing; it must be a mapping"],
  ["a wrong type", document({ title: 5 }), "title must be a string, not 5"],
  [
    "a word of older YAML",
    document({ disabled: "no" }),
    'disabled must be true or false, not "no": in YAML 1.2 no is a string',
  ],
  ["an item of a list", document({}, { evidence: ["a", 5] }), "evidence.1 must be a string, not 5"],
  ["no list", document({}, { approvers: "me" }), 'approvers must be a list, not "me"'],
  ["a bad number", document({}, { budget: { maxParks: 0 } }), "maxParks must be a positive integer, not 0"],
  [
    "a number that is too small",
    document({ tests: { judge: { modelOptions: { temperature: -1 } } } }),
    "temperature must be at least 0, not -1",
  ],
])("%s: says what was found and what is allowed", (_what, value, message) => {
  expect(finding(value)).toBe(message);
});

test.each([
  [
    "a key",
    document({}, { budget: { maxturns: 1 } }),
    'unknown key "maxturns" (did you mean "maxTurns"?) in budget; it may have maxTurns, timeoutMs, maxParks',
  ],
  [
    "several keys",
    document({ runtime: { engin: "x", name: "y" } }),
    'unknown keys "engin" (did you mean "engine"?), "name" in runtime; it may have engine, version',
  ],
  [
    "a state type",
    document({}, { type: "humam" }),
    'unknown state type "humam": use agent or human (did you mean "human"?)',
  ],
  [
    "an access",
    document({}, { mounts: { allow: [{ mount: "m", access: "raed" }] } }),
    'mount grant "m": access: unknown access "raed": use read or read_write (did you mean "read"?)',
  ],
  [
    "a state",
    document({}, { on_error: "Z" }),
    'the state "a" leads to "Z", which is not declared (did you mean "z"?); the states are a, z',
  ],
  [
    "a hook's kind",
    document({}, { before: { scirpt: "hooks/a.js", max_iterations: 1 } }),
    'a hook is { script }, { rubric } or one custom key with a text, not a mapping of scirpt, max_iterations (did you mean "script"?)',
  ],
  [
    "a key of a signature entry",
    document({}, { triggers: { manual: { requires: [{ name: "x", tpye: "date" }] } } }),
    'unknown key "tpye" (did you mean "type"?) in signature entry "x"; it may have name, type, description',
  ],
  [
    "a variable",
    document({}, { requires: ["case_id"], tools: { allow: [{ tool: "t", args: { a: "${{case_di}}" } }] } }),
    'the guard reference ${{case_di}} names a variable no requires list declares (did you mean "case_id"?)',
  ],
])("%s: names the nearest allowed one", (_what, value, message) => {
  expect(finding(value)).toBe(message);
});

test("a key of the document's top level is named with those it may have", () => {
  expect(finding(document({ setings: {} }))).toMatch(
    /^unknown key "setings" \(did you mean "settings"\?\); it may have title, instructions, .*, states$/,
  );
});

test("a retired key is reported like any other, with no hint", () => {
  for (const key of ["name", "description", "policy", "rubrics", "triggers", "editor", "entry"]) {
    expect(finding(document({ [key]: {} }))).not.toContain("did you mean");
  }
});

test("names are compared only as far as a message is worth it", () => {
  const keys = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`titl${at}`, 1]));
  const message = finding(document(keys)) ?? "";
  expect(message.match(/did you mean/g)).toHaveLength(8);
  for (const key of Object.keys(keys)) expect(message).toContain(JSON.stringify(key));
});

test("a value with more violations than the stack can carry is refused, not thrown at", () => {
  const validation = validateSpec(document({}, { requires: Array(200_000).fill("No name") }));
  expect(validation).toMatchObject({ ok: false, lint: [], schema: [{ severity: "error" }] });
  expect(validation.spec).toBeUndefined();
});

test("names repeated in a signature are told one by one up to 500, then counted", () => {
  const requires = Array(703).fill("a");
  const { schema } = validateSpec(document({}, { triggers: { manual: { requires } } }));
  expect(schema).toHaveLength(501);
  expect(schema[0]).toEqual({
    severity: "error",
    field: "states.a.triggers.manual.requires.1",
    message: '"a" is listed twice',
  });
  expect(schema.at(-1)).toEqual({
    severity: "error",
    field: "states.a.triggers.manual.requires",
    message: "202 more entries are listed twice",
  });
});

test("of the states that declare one trigger twelve are named, the rest counted", () => {
  const states = Object.fromEntries(
    Array.from({ length: 15 }, (_, at) => [`s${at}`, { triggers: { t: null } }]),
  );
  expect(finding({ instructions: "x", states })).toBe(
    'the trigger "t" is declared by several states: s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11 and 3 more',
  );
});
