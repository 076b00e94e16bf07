import { expect, test } from "vitest";
import {
  hasVariableReference,
  parseReferences,
  referenceError,
  resolvePath,
  resolveText,
  type VariableStore,
} from "./index.ts";

function store(values: Record<string, unknown>): VariableStore {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, locked: false }]));
}

test("WF-071 references are found with name, path and place", () => {
  const found = parseReferences("d/${{t}}/${{ o.items.-1 }}");
  expect(found).toEqual([
    { raw: "${{t}}", name: "t", path: [], index: 2 },
    { raw: "${{ o.items.-1 }}", name: "o", path: ["items", "-1"], index: 9 },
  ]);
});

test("WF-072 an escape counts as something to resolve and is no reference", () => {
  expect(hasVariableReference("$${{x}}")).toBe(true);
  expect(parseReferences("$${{x}}")).toEqual([]);
  expect(hasVariableReference("${{x")).toBe(false);
});

test("WF-073 a path reads own properties and canonical indices", () => {
  const value = { items: [{ s: 1 }, { s: 2 }] };
  expect(resolvePath(value, ["items", "-1", "s"])).toBe(2);
  for (const path of [
    "items.-3.s",
    "items.length",
    "constructor",
    "items.01",
    "items.-0",
    "items.0.s.toFixed",
  ]) {
    expect(resolvePath(value, path.split("."))).toBeUndefined();
  }
  expect(resolvePath(value, [])).toBe(value);
  expect(resolvePath({ "-1": "key" }, ["-1"])).toBe("key");
  expect(resolvePath("text", ["length"])).toBeUndefined();
});

test("WF-074 a text's references are replaced by their values", () => {
  expect(resolveText("${{o.id}}-${{n}}", store({ o: { id: "K" }, n: 4 }))).toEqual({
    ok: true,
    pattern: "K-4",
  });
});

test.each([
  ["${{q}}", {}, "unset"],
  ["${{o.x}}", { o: {} }, "path-missing"],
  ["${{o}}", { o: {} }, "non-scalar"],
  ["${{}}", {}, "malformed"],
  ["${{Q}}", {}, "invalid-name"],
  ["${{ q..b }}", { q: 1 }, "malformed"],
  ["${{toString}}", {}, "invalid-name"],
  ["${{constructor}}", {}, "unset"],
  ["${{n}}", { n: null }, "non-scalar"],
  ["${{u}}", { u: undefined }, "unset"],
])("WF-075 resolving %s in %j fails: %s", (reference, values, reason) => {
  const resolved = resolveText(`before ${reference} after`, store(values));
  expect(resolved).toMatchObject({ ok: false, reason, reference });
  expect(!resolved.ok && resolved.detail).toContain(reference);
});

test("WF-076 an escape prints the reference it shows", () => {
  expect(resolveText("$${{q}} is ${{q}}", store({ q: 1 }))).toEqual({ ok: true, pattern: "${{q}} is 1" });
});

test("of several dollars the last two form the escape", () => {
  expect(resolveText("$$${{x}}", {})).toEqual({ ok: true, pattern: "$${{x}}" });
});

test("substituted text is not read again, and the first failure wins", () => {
  expect(resolveText("${{a}}", store({ a: "${{b}}", b: "no" }))).toEqual({ ok: true, pattern: "${{b}}" });
  expect(resolveText("${{a}}${{b}}${{C}}", store({ a: 1 }))).toMatchObject({
    ok: false,
    reference: "${{b}}",
  });
});

test("a reference is malformed before its name is looked at", () => {
  const errors = parseReferences("${{A.}} ${{A}} ${{a.}} ${{a.B}}").map(referenceError);
  expect(errors).toEqual(["malformed", "invalid-name", "malformed", undefined]);
});

test("a text of openings that never close is read in one pass", () => {
  const text = "${{".repeat(200_000);
  expect(resolveText(text, {})).toEqual({ ok: true, pattern: text });
  expect(parseReferences(`${text}}x`.repeat(2))).toEqual([]);
});
