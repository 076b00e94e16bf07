import { describe, expect, test } from "vitest";
import { patternIssues } from "./pattern-grammar.ts";
import { matchesPattern } from "./pattern-matching.ts";

const EVENT = {
  version: "0",
  id: "e-1",
  "detail-type": "InvoiceReceived",
  source: "erp.invoices",
  resources: ["arn:one", "arn:two"],
  detail: {
    id: "INV-7",
    amount: 1240.5,
    paid: false,
    note: null,
    ip: "10.0.0.17",
    ip6: "2001:db8::7",
    path: "a*b\\c",
    tags: ["red", ["deep"]],
    lines: [
      { sku: "a", quantity: 1 },
      { sku: "b", quantity: 20 },
    ],
    empty: [],
    supplier: { name: "Nordwind" },
  },
};

describe("a pattern matches an event", () => {
  test.each<[string, Record<string, unknown>, boolean]>([
    ["an exact text", { source: ["erp.invoices"] }, true],
    ["another text", { source: ["erp"] }, false],
    ["one of several", { source: ["x", "erp.invoices"] }, true],
    ["two fields at once", { source: ["erp.invoices"], "detail-type": ["Other"] }, false],
    ["a number", { detail: { amount: [1240.5] } }, true],
    ["a number is no text", { detail: { amount: ["1240.5"] } }, false],
    ["false", { detail: { paid: [false] } }, true],
    ["null", { detail: { note: [null] } }, true],
    ["null where nothing is", { detail: { missing: [null] } }, false],
    ["one element of a list", { resources: ["arn:two"] }, true],
    ["an element of a list in a list", { detail: { tags: ["deep"] } }, true],
    ["fields of one element together", { detail: { lines: { sku: ["b"], quantity: [20] } } }, true],
    ["fields of two elements", { detail: { lines: { sku: ["a"], quantity: [20] } } }, false],
    ["prefix", { source: [{ prefix: "erp." }] }, true],
    ["prefix of a number", { detail: { amount: [{ prefix: "12" }] } }, false],
    ["prefix in any case", { source: [{ prefix: { "equals-ignore-case": "ERP." } }] }, true],
    ["suffix", { source: [{ suffix: "invoices" }] }, true],
    ["suffix in any case", { source: [{ suffix: { "equals-ignore-case": "INVOICES" } }] }, true],
    ["equals-ignore-case", { "detail-type": [{ "equals-ignore-case": "invoicereceived" }] }, true],
    ["anything-but a text", { source: [{ "anything-but": "erp.orders" }] }, true],
    ["anything-but the text", { source: [{ "anything-but": "erp.invoices" }] }, false],
    ["anything-but a list", { source: [{ "anything-but": ["x", "erp.invoices"] }] }, false],
    ["anything-but of what is missing", { detail: { missing: [{ "anything-but": "x" }] } }, false],
    ["anything-but a number", { detail: { amount: [{ "anything-but": [1, 2] }] } }, true],
    ["anything-but a prefix", { source: [{ "anything-but": { prefix: "erp." } }] }, false],
    ["anything-but prefixes", { source: [{ "anything-but": { prefix: ["x", "erp."] } }] }, false],
    ["anything-but a suffix", { source: [{ "anything-but": { suffix: ".orders" } }] }, true],
    [
      "anything-but in any case",
      { source: [{ "anything-but": { "equals-ignore-case": ["ERP.INVOICES"] } }] },
      false,
    ],
    ["anything-but a wildcard", { source: [{ "anything-but": { wildcard: "erp.*" } }] }, false],
    [
      "anything-but a prefix, of a number",
      { detail: { amount: [{ "anything-but": { prefix: "1" } }] } },
      true,
    ],
    ["numeric above", { detail: { amount: [{ numeric: [">", 1000] }] } }, true],
    ["numeric within", { detail: { amount: [{ numeric: [">=", 1240.5, "<", 1241] }] } }, true],
    ["numeric at the open bound", { detail: { amount: [{ numeric: [">", 0, "<", 1240.5] }] } }, false],
    ["numeric equal", { detail: { amount: [{ numeric: ["=", 1240.5] }] } }, true],
    ["numeric of a text", { detail: { id: [{ numeric: [">", 0] }] } }, false],
    ["exists", { detail: { note: [{ exists: true }] } }, true],
    ["exists of a mapping, which is no leaf", { detail: { supplier: [{ exists: true }] } }, false],
    ["exists of an empty list", { detail: { empty: [{ exists: true }] } }, false],
    ["exists not", { detail: { missing: [{ exists: false }] } }, true],
    ["exists not, below what is missing", { other: { missing: [{ exists: false }] } }, true],
    ["exists not of what is there", { detail: { id: [{ exists: false }] } }, false],
    ["cidr", { detail: { ip: [{ cidr: "10.0.0.0/24" }] } }, true],
    ["cidr of another net", { detail: { ip: [{ cidr: "10.0.1.0/24" }] } }, false],
    ["cidr of everything", { detail: { ip: [{ cidr: "0.0.0.0/0" }] } }, true],
    ["cidr of version 6", { detail: { ip6: [{ cidr: "2001:db8::/32" }] } }, true],
    ["cidr of the other version", { detail: { ip6: [{ cidr: "10.0.0.0/8" }] } }, false],
    ["cidr of no address", { detail: { id: [{ cidr: "0.0.0.0/0" }] } }, false],
    ["wildcard", { source: [{ wildcard: "e*inv*s" }] }, true],
    ["wildcard whose pieces would overlap", { detail: { id: [{ wildcard: "INV*V-7" }] } }, false],
    ["wildcard in order", { source: [{ wildcard: "*invoices*erp*" }] }, false],
    ["wildcard with an escaped star and backslash", { detail: { path: [{ wildcard: "a\\*b\\\\*" }] } }, true],
    ["$or, first", { $or: [{ source: ["erp.invoices"] }, { source: ["x"] }] }, true],
    ["$or, none", { $or: [{ source: ["y"] }, { source: ["x"] }] }, false],
    ["$or beside a field", { source: ["x"], $or: [{ version: ["0"] }, { version: ["1"] }] }, false],
    ["$or below a field", { detail: { $or: [{ id: ["x"] }, { amount: [{ numeric: [">", 1] }] }] } }, true],
    ["a name every object inherits", { detail: { constructor: [{ exists: true }] } }, false],
  ])("%s", (_what, pattern, matches) => {
    expect(patternIssues(pattern).filter(({ severity }) => severity === "error")).toEqual([]);
    expect(matchesPattern(pattern, EVENT)).toBe(matches);
  });

  test("a wildcard of many stars takes no longer than the text", () => {
    const started = performance.now();
    const event = { source: `${"a".repeat(200_000)}b` };
    expect(matchesPattern({ source: [{ wildcard: `${"*a".repeat(1_000)}*c` }] }, event)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe("a pattern that EventBridge would refuse", () => {
  test.each<[unknown, string, RegExp]>([
    ["x", "", /mapping/],
    [{}, "", /one field/],
    [{ source: "erp" }, "source", /write \["erp"\]/],
    [{ source: [] }, "source", /one value/],
    [{ detail: {} }, "detail", /one field/],
    [{ detail: { a: { b: [] } } }, "detail.a.b", /one value/],
    [{ source: [["x"]] }, "source.0", /comparison/],
    [{ source: [{}] }, "source.0", /one key/],
    [{ source: [{ prefix: "a", suffix: "b" }] }, "source.0", /one key/],
    [{ source: ["x", { prefx: "a" }] }, "source.1", /did you mean "prefix"/],
    [{ source: [{ prefix: 5 }] }, "source.0", /prefix is a text/],
    [{ source: [{ prefix: { "equals-ignore-cases": "x" } }] }, "source.0", /equals-ignore-case/],
    [{ source: [{ exists: "yes" }] }, "source.0", /true or false/],
    [{ source: [{ cidr: "10.0.0.0/33" }] }, "source.0", /address range/],
    [{ source: [{ cidr: "10.0.0" }] }, "source.0", /address range/],
    [{ source: [{ cidr: "1::2::3/8" }] }, "source.0", /address range/],
    [{ source: [{ numeric: [] }] }, "source.0", /numeric is a list/],
    [{ source: [{ numeric: [">", "5"] }] }, "source.0", /numeric is a list/],
    [{ source: [{ numeric: ["<", 5, ">", 0] }] }, "source.0", /lower one/],
    [{ source: [{ numeric: [">", 5, "<", 5] }] }, "source.0", /no number/],
    [{ source: [{ numeric: [">", 6_000_000_000] }] }, "source.0", /5000000000/],
    [{ detail: { n: [Number.POSITIVE_INFINITY] } }, "detail.n.0", /5000000000/],
    [{ source: [{ "anything-but": [] }] }, "source.0", /one value/],
    [{ source: [{ "anything-but": ["a", 1] }] }, "source.0", /all texts or all numbers/],
    [{ source: [{ "anything-but": true }] }, "source.0", /anything-but is/],
    [{ source: [{ "anything-but": { sufix: "a" } }] }, "source.0", /did you mean "suffix"/],
    [{ source: [{ "anything-but": { prefix: [1] } }] }, "source.0", /is a text/],
    [{ source: [{ wildcard: "a**b" }] }, "source.0", /two \*/],
    [{ source: [{ wildcard: "a\\b" }] }, "source.0", /stands before/],
    [{ source: [{ "equals-ignore-case": ["a"] }] }, "source.0", /is a text/],
    [{ $or: [{ source: ["x"] }] }, "$or", /two patterns/],
    [{ $or: [{ source: ["x"] }, "y"] }, "$or.1", /mapping/],
    [{ $or: [{ source: ["x"] }, { source: "y" }] }, "$or.1.source", /list/],
  ])("%j", (pattern, path, message) => {
    expect(patternIssues(pattern)).toEqual([
      { path: expect.anything(), severity: "error", message: expect.stringMatching(message) },
    ]);
    expect(patternIssues(pattern)[0]?.path.join(".")).toBe(path);
  });

  test("a field that no event has, and a pattern over the quota, are warned of", () => {
    expect(patternIssues({ "detail-typ": ["x"] })).toMatchObject([
      { severity: "warning", path: ["detail-typ"], message: expect.stringContaining("detail-type") },
    ]);
    expect(patternIssues({ source: ["x".repeat(2_100)] })).toMatchObject([{ severity: "warning", path: [] }]);
  });
});
