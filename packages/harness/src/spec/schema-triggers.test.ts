import { expect, test } from "vitest";
import { validateSpec } from "./index.ts";
import { expectClean, expectError, fieldsOf, withState, withTrigger } from "./testing-fixtures/documents.ts";

const M = "states.a.triggers.manual";

test("WF-036 triggers are declarations by id", () => {
  for (const triggers of ["manual", ["manual"], null])
    expectError(withState({ triggers }), "states.a.triggers");
  expectError(withState({ triggers: { manual: 3 } }), M);
  const { diagnostics } = validateSpec(withState({ triggers: { "": null } }));
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]?.severity).toBe("error");
  expect(diagnostics[0]?.field).toMatch(/^states\.a\.triggers/);
});

test("WF-037 a declaration names neither entry nor name", () => {
  expectError(withTrigger({ entry: "z" }), `${M}.entry`);
  expect(fieldsOf(validateSpec(withTrigger({ entry: "z", name: "n" })).schema)).toEqual([
    `${M}.entry`,
    `${M}.name`,
  ]);
  expectError(withTrigger({ entry: undefined }), `${M}.entry`);
});

test("WF-038 a session is a bare path", () => {
  for (const session of ["${{x}}", "q..b", "A.b", "q.", "", 5]) {
    expectError(withTrigger({ session }), `${M}.session`);
  }
});

test("WF-039 a message is a path or false", () => {
  expectClean(withTrigger({ message: false }));
  expectClean(withTrigger({ message: "mail.-1.text" }));
  for (const message of [true, 5, "q..b"]) expectError(withTrigger({ message }), `${M}.message`);
});

test("WF-040 connection and description are not blank", () => {
  expectError(withTrigger({ connection: "" }), `${M}.connection`);
  expectError(withTrigger({ description: " " }), `${M}.description`);
});

test("WF-041 unknown keys are the host's and are kept with a warning each", () => {
  const { ok, spec, schema, lint } = validateSpec(withTrigger({ piece: "p", extra: 1 }));
  expect(ok).toBe(true);
  expect(spec?.states.a?.triggers?.manual).toEqual({ piece: "p", extra: 1 });
  expect(schema).toEqual([]);
  expect(lint.map(({ severity, field }) => [severity, field])).toEqual([
    ["warning", M],
    ["warning", M],
  ]);
  expect(lint[0]?.message).toContain("piece");
  expect(lint[1]?.message).toContain("extra");
});

test("WF-042 some state declares a trigger", () => {
  expectError(withState({ triggers: undefined }), "states", "no start state");
  expectError(withState({ triggers: {} }), "states", "no start state");
});

test("WF-043 a trigger id on several states is one error per id", () => {
  const triggers = { manual: null, mail: null };
  const document = { instructions: "x", states: { a: { triggers }, z: { triggers } } };
  const { schema, diagnostics } = validateSpec(document);
  expect(diagnostics).toEqual(schema);
  expect(fieldsOf(schema)).toEqual(["states", "states"]);
  for (const [index, id] of ["manual", "mail"].entries()) {
    expect(schema[index]?.message).toContain(id);
    expect(schema[index]?.message).toMatch(/\ba\b.*\bz\b/);
  }
});

test("WF-044 requires is a list of entries", () => {
  expectError(withTrigger({ requires: "x" }), `${M}.requires`);
  expectError(withTrigger({ requires: ["Order Id"] }), `${M}.requires.0`, "Order Id");
  expectError(withTrigger({ requires: [5] }), `${M}.requires.0`, "5");
});

test("WF-045 a name is unique across its spellings", () => {
  expectError(withTrigger({ returns: ["total", { name: "total" }] }), `${M}.returns.1`, "total");
});

test("WF-046 what only the runtime sets is not returned", () => {
  for (const entry of ["trigger", "title", "note", { name: "note" }]) {
    const name = typeof entry === "string" ? entry : entry.name;
    expectError(withTrigger({ returns: [entry] }), `${M}.returns.0`, name);
  }
  expectClean(withTrigger({ requires: ["trigger", "title", "note"] }));
});

test("WF-047 a mapping entry has a name, a known type and a description that says something", () => {
  const at = `${M}.requires.0`;
  const entry = (value: unknown) => withTrigger({ requires: [value] });
  expectError(entry({ name: "q", type: "float" }), at, "q", "float", "date-time");
  expectError(entry({ name: "q", default: 0 }), at, "q", "default");
  expectError(entry({ type: "string" }), at);
  expectError(entry({ name: "Q q" }), `${at}.name`, "Q q");
  expectError(entry({ name: "q", description: " " }), `${at}.description`);
});

test("WF-048 a state requires bare names alone", () => {
  expectError(withState({ requires: "x" }), "states.a.requires");
  for (const entry of ["Order Id", { name: "x" }]) {
    expectError(withState({ requires: [entry] }), "states.a.requires.0");
  }
});

test("every repeat and every bad entry of a signature is reported", () => {
  const { schema } = validateSpec(withTrigger({ returns: ["a", 5, "a", "title", { name: "a" }] }));
  expect(fieldsOf(schema).sort()).toEqual([1, 2, 3, 4].map((index) => `${M}.returns.${index}`));
});
