import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJsonDocument } from "./read-json.ts";
import { MAX_NODES } from "./reading.ts";

test("reads what JSON.parse reads", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      expect(readJsonDocument(text)).toMatchObject({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test("any text is read as JSON.parse reads it, or refused where it throws", () => {
  const jsonish = fc
    .array(
      fc.constantFrom(
        '"a"',
        ":",
        "1",
        "-",
        ",",
        "[",
        "]",
        "{",
        "}",
        "null",
        "true",
        " ",
        "\n",
        "\\",
        '"',
        ".",
        "e",
        "//",
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(jsonish, fc.string({ unit: "binary" })), (text) => {
      const reading = readJsonDocument(text);
      if (!reading.ok) {
        expect(reading.problem.line).toBeGreaterThan(0);
        if (!reading.problem.message.endsWith("duplicated key")) expect(() => JSON.parse(text)).toThrow();
      } else expect(reading.value).toEqual(JSON.parse(text));
    }),
    { numRuns: 2_000 },
  );
});

describe("refused with a line and a column", () => {
  test.each([
    ["a trailing comma", '{\n  "a": 1,\n}', { line: 3, column: 1 }],
    ["a comment", "// x\n{}", { line: 1, column: 1 }],
    ["a bare key", "{a: 1}", { line: 1, column: 2 }],
    ["an end that comes too soon", '{"a": [1', { line: 1, column: 9 }],
    ["a repeated key", '{\n  "a": 1,\n  "a": 2\n}', { line: 3, column: 3 }],
    ["a second value", "{}\n{}", { line: 2, column: 1 }],
    ["nothing", "", { line: 1, column: 1 }],
  ])("%s", (_what, text, place) => {
    const reading = readJsonDocument(text);
    expect(reading).toEqual({
      ok: false,
      problem: { message: expect.stringMatching(/^it is no valid JSON: [a-z]/), ...place },
    });
  });

  test("nesting deeper than 64", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(readJsonDocument(nested(64)).ok).toBe(true);
    expect(readJsonDocument(nested(65))).toMatchObject({ ok: false, problem: { line: 1, column: 65 } });
    expect(readJsonDocument(nested(10_000)).ok).toBe(false);
  });
});

test("a key of more than 1024 characters is refused", () => {
  expect(readJsonDocument(JSON.stringify({ ["k".repeat(1_025)]: 1 })).ok).toBe(false);
  expect(readJsonDocument(JSON.stringify({ ["k".repeat(1_024)]: 1 })).ok).toBe(true);
});

test("a document of more than 30 000 nodes is refused, one of as many is not", () => {
  const list = (items: number) => `{"a": [${Array(items).fill(0).join(",")}]}`;
  expect(readJsonDocument(list(MAX_NODES - 3)).ok).toBe(true);
  expect(readJsonDocument(list(MAX_NODES - 2))).toEqual({
    ok: false,
    problem: {
      message: "it has 30001 keys, values, lists and mappings; a document has at most 30000",
      line: 1,
      column: 1,
      tooManyNodes: 30_001,
    },
  });
  expect(readJsonDocument(`${list(MAX_NODES)},`)).not.toMatchObject({
    problem: { tooManyNodes: expect.any(Number) },
  });
});

test("tells places by key and by index", () => {
  const reading = readJsonDocument('\uFEFF{\n  "states": {\n    "a": { "x": [1, {"y": 2}] }\n  }\n}');
  const placeOf = (field?: string) => (reading.ok ? reading.placeOf(field) : undefined);
  expect(placeOf()).toEqual({ line: 1, column: 1 });
  expect(placeOf("states.a")).toEqual({ line: 3, column: 5 });
  expect(placeOf("states.a.x.1")).toEqual({ line: 3, column: 21 });
  expect(placeOf("states.a.x.1.y")).toEqual({ line: 3, column: 22 });
  expect(placeOf("states.b.title")).toEqual({ line: 2, column: 3 });
});
