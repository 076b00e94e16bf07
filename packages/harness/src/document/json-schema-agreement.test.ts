import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validDocument } from "../spec/testing-fixtures/arbitrary-documents.ts";
import { nearDocument } from "../spec/testing-fixtures/mutations.ts";
import {
  matchesWorkflowSchema as accepts,
  BEYOND_JSON_SCHEMA,
  disagreementOn,
  shapeIssues,
} from "./testing-fixtures/schema-agreement.ts";

function expectAgreement(document: unknown): void {
  expect(disagreementOn(document)).toBeUndefined();
}

const runs = { numRuns: 3_000 };

test("both accept what the language accepts", () => {
  fc.assert(
    fc.property(validDocument, (document) => {
      expect(shapeIssues(document)).toEqual([]);
      expect(accepts(document), JSON.stringify(accepts.errors)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("both refuse the same nearly valid documents", () => {
  fc.assert(fc.property(nearDocument(validDocument), expectAgreement), runs);
});

describe("both read one grammar", () => {
  /** Texts near a grammar: its letters, and what it has to keep out. */
  const near = (...pieces: string[]) =>
    fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 1, unit: "binary" })), {
        maxLength: 8,
      })
      .map((parts) => parts.join(""));
  const state = (keys: object) => ({ states: { a: { triggers: { manual: null }, ...keys } } });
  const space = [" ", "\n", "\t", "\u00a0", "\u2028", "\ufeff", "\u180e", "\u200b"];

  test.each<[string, fc.Arbitrary<string>, (text: string) => unknown]>([
    ["slugs", near("a", "1", "-", "A", "_", "\n"), (text) => state({ skills: { allow: [text] } })],
    ["variables", near("a", "1", "_", "A", "-", "\n"), (text) => state({ requires: [text] })],
    [
      "signature names",
      near("a", "1", "_", "-", "title", "note", "trigger"),
      (text) =>
        state({ triggers: { manual: { returns: [text, { name: text, type: "date" }].slice(0, 1) } } }),
    ],
    ["blank texts", near(...space, "x"), (text) => state({ title: text })],
    [
      "mount names",
      near("a", "/", ".", "..", "*", "[", ...space),
      (text) => state({ mounts: { forbid: [text] } }),
    ],
    [
      "hook scripts",
      near("hooks/", "hooks", "/", "..", ".", "c", ".js", ".mjs", "\n", "\u2028", "\ud83d"),
      (text) => state({ after: { script: text } }),
    ],
    [
      "session paths",
      near("a", "b1", "_", ".", "-1", "${{", "$", "{", "A", ...space),
      (text) => state({ triggers: { manual: { session: text } } }),
    ],
    [
      "trigger ids",
      near(...space, "x"),
      (text) => ({ states: { a: { triggers: Object.fromEntries([[text, null]]) } } }),
    ],
    [
      "hook kinds",
      near("script", "rubric", "max_iterations", "x", "__proto__"),
      (text) => state({ after: Object.fromEntries([[text, "x"]]) }),
    ],
  ])("%s", (_grammar, texts, document) => {
    fc.assert(
      fc.property(texts, (text) => expectAgreement(document(text))),
      runs,
    );
  });
});

test.each<[string, number, object?]>([
  ["settings.timeoutMs", 1],
  ["settings.memoryLimitBytes", 1],
  ["settings.maxResultChars", 1],
  ["settings.maxPtcCalls", 0],
  ["tests.maxConcurrency", 1],
  ["tests.caseTimeoutMs", 1],
  ["tests.judge.modelOptions.maxTokens", 1],
  ["states.a.budget.maxTurns", 1],
  ["states.a.budget.timeoutMs", 1],
  ["states.a.budget.maxParks", 1],
  ["states.a.after.max_iterations", 0, { script: "hooks/c.js" }],
  ["states.a.after.rubric.max_iterations", 0, { instructions: "x" }],
])("both draw the limit of %s at %i", (path, least, beside = {}) => {
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const documentWith = (value: unknown) => ({
    states: {},
    ...keys.reduceRight<object>((inner, key) => ({ [key]: inner }), { ...beside, [last]: value }),
  });
  for (const value of [least - 1, least, least + 1, least + 0.5, String(least), true, null, []]) {
    expectAgreement(documentWith(value));
    const accepted = value === least || value === least + 1 || (last === "maxPtcCalls" && value === null);
    expect(accepts(documentWith(value)), String(value)).toBe(accepted);
  }
});

test("both draw the limit of a temperature at zero", () => {
  for (const temperature of [-0.1, 0, 0.7, "0", null]) {
    expectAgreement({ states: {}, tests: { judge: { modelOptions: { temperature } } } });
  }
});

test("both keep the reserved names out of returns, in either spelling, and let requires have them", () => {
  for (const name of ["trigger", "title", "note", "total"]) {
    for (const entry of [name, { name }, { name, type: "string" }]) {
      for (const list of ["requires", "returns"]) {
        const document = { states: { a: { triggers: { manual: { [list]: ["x", entry] } } } } };
        expectAgreement(document);
        expect(accepts(document)).toBe(list === "requires" || name === "total");
      }
    }
  }
});

test("a name listed twice is beyond JSON Schema where the entries differ, and only there", () => {
  const twice = (one: unknown, other: unknown) => ({
    states: { a: { triggers: { manual: { requires: [one, other] } } } },
  });
  for (const [one, other] of [
    ["q", { name: "q" }],
    [{ name: "q" }, { name: "q", type: "date" }],
  ]) {
    expect(accepts(twice(one, other))).toBe(true);
    const words = shapeIssues(twice(one, other)).map(({ message }) => message);
    expect(words).toEqual([expect.stringMatching(BEYOND_JSON_SCHEMA[0] ?? /^$/)]);
    expect(accepts(twice(one, one))).toBe(false);
    expect(shapeIssues(twice(one, one))).toHaveLength(1);
  }
});
