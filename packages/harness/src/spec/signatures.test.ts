import { expect, test } from "vitest";
import {
  machineSpecSchema,
  normalizeSignature,
  SIGNATURE_TYPES,
  type SignatureType,
  signatureForTrigger,
  signatureJsonSchema,
  signatureValueIssues,
} from "./index.ts";
import { base, withTrigger } from "./testing-fixtures/documents.ts";

function conforms(type: SignatureType, value: unknown): boolean {
  return signatureValueIssues([{ name: "v", type }], { v: value }).length === 0;
}

test("WF-088 a signature in one spelling", () => {
  expect(normalizeSignature(["a", { name: "b", type: "date", description: "D\n" }])).toStrictEqual([
    { name: "a" },
    { name: "b", type: "date", description: "D" },
  ]);
  expect(normalizeSignature(undefined)).toEqual([]);
  expect(normalizeSignature([5, null, {}, { name: "c", type: "float", description: " " }])).toStrictEqual([
    { name: "c" },
  ]);
});

test("WF-089 the signature of a trigger", () => {
  const spec = machineSpecSchema.parse(base());
  expect(signatureForTrigger(spec, "manual")).toStrictEqual({ requires: [], returns: [] });
  for (const id of ["x", "toString"]) expect(signatureForTrigger(spec, id)).toBeUndefined();
  const described = machineSpecSchema.parse(
    withTrigger({ description: " D ", requires: ["a"], returns: ["b"] }),
  );
  expect(signatureForTrigger(described, "manual")).toStrictEqual({
    description: "D",
    requires: [{ name: "a" }],
    returns: [{ name: "b" }],
  });
});

test("WF-090 the JSON Schema of a signature", () => {
  expect(signatureJsonSchema([{ name: "a" }, { name: "f", type: "file", description: "F" }])).toStrictEqual({
    type: "object",
    properties: { a: {}, f: { type: "string", format: "file", description: "F" } },
    required: ["a", "f"],
  });
  const formats = SIGNATURE_TYPES.map((type) => signatureJsonSchema([{ name: "v", type }]).properties.v);
  expect(formats).toStrictEqual([
    { type: "string" },
    { type: "integer" },
    { type: "number" },
    { type: "boolean" },
    { type: "string", format: "date" },
    { type: "string", format: "date-time" },
    { type: "string", format: "file" },
    { type: "object" },
    { type: "array" },
  ]);
});

test("WF-091 values that are missing or of another kind", () => {
  const entries = [{ name: "q", type: "integer" as const }, { name: "d" }];
  const issues = signatureValueIssues(entries, { q: "4" });
  expect(issues).toMatchObject([
    { kind: "invalid", name: "q", type: "integer", found: "string" },
    { kind: "missing", name: "d" },
  ]);
  expect(issues[0]?.message).toMatch(/q.*"4"/);
  expect(issues[1]?.message).toContain("d");
  expect(signatureValueIssues(entries, { q: 4, d: null, x: 1 })).toEqual([]);
});

test("WF-092 null is no typed value and a file is placed", () => {
  expect(signatureValueIssues([{ name: "b", type: "boolean" }], { b: null })).toMatchObject([
    { kind: "invalid", found: "null" },
  ]);
  expect(conforms("file", "scratchpad/attachments/a.pdf")).toBe(true);
  for (const value of ["", "../a", 5]) expect(conforms("file", value)).toBe(false);
});

test("WF-093 dates are real days and date-times carry an offset", () => {
  expect(conforms("date", "2024-02-29")).toBe(true);
  for (const value of ["2026-02-30", "2026-1-01", "2026-13-01", "1900-02-29", "2026-04-31"]) {
    expect(conforms("date", value)).toBe(false);
  }
  const accepted = [
    "2026-03-01T09:30:00Z",
    "2026-03-01T09:30:00.125+02:00",
    "2026-03-01t09:30:60z",
    "2026-03-01T09:30:00-23:59",
  ];
  for (const value of accepted) expect(conforms("date-time", value)).toBe(true);
  const refused = [
    "2026-03-01T09:30:00",
    "2026-03-01 09:30:00Z",
    "2026-02-30T09:30:00Z",
    "2026-03-01T24:00:00Z",
    "2026-03-01T09:60:00Z",
    "2026-03-01T09:30:61Z",
    "2026-03-01T09:30Z",
    "2026-03-01T09:30:00.Z",
    "2026-03-01T09:30:00+02:60",
    "2026-03-01T09:30:00+24:00",
  ];
  for (const value of refused) expect(conforms("date-time", value)).toBe(false);
});

test.each([
  ["integer", -0, true],
  ["integer", 1.5, false],
  ["integer", Number.POSITIVE_INFINITY, false],
  ["number", 1.5, true],
  ["number", Number.NaN, false],
  ["object", {}, true],
  ["object", [], false],
  ["array", [], true],
  ["array", {}, false],
  ["string", "", true],
] as const)("a %s takes %s: %s", (type, value, expected) => {
  expect(conforms(type, value)).toBe(expected);
});

test("names of Object.prototype are values like any other", () => {
  expect(signatureValueIssues([{ name: "toString" }], {})).toMatchObject([
    { kind: "missing", name: "toString" },
  ]);
  const schema = signatureJsonSchema([{ name: "__proto__", type: "string" }]);
  expect(Object.keys(schema.properties)).toEqual(["__proto__"]);
});
