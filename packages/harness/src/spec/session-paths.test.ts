import { expect, test } from "vitest";
import { parseSessionPath, resolveSessionId, type SessionPath } from "./index.ts";

function pathOf(text: string): SessionPath {
  const parsed = parseSessionPath(text);
  if ("error" in parsed) throw new Error(parsed.error);
  return parsed.path;
}

test("WF-067 a session path is trimmed and taken apart", () => {
  expect(parseSessionPath(" triggers.-1.id ")).toEqual({
    path: { raw: "triggers.-1.id", name: "triggers", path: ["-1", "id"] },
  });
});

test("WF-068 a session path finds a text or a finite number, or nothing", () => {
  const path = pathOf(" triggers.-1.id ");
  expect(resolveSessionId(path, { triggers: [{ id: "A1" }, { id: "A2" }] })).toBe("A2");
  for (const variables of [{}, { triggers: [] }]) expect(resolveSessionId(path, variables)).toBeUndefined();
  const plain = pathOf("n");
  expect(resolveSessionId(plain, { n: 42 })).toBe("42");
  for (const n of ["", " ", {}, true, Number.POSITIVE_INFINITY, null]) {
    expect(resolveSessionId(plain, { n })).toBeUndefined();
  }
});

test.each([
  ["", "empty"],
  [" ", "empty"],
  ["${{x}}", "bare path"],
  ["A.b", "first segment"],
  [".b", "first segment"],
  ["a..b", "empty segment"],
  ["a.", "empty segment"],
])("the text %j is refused as %s", (text, token) => {
  const parsed = parseSessionPath(text);
  expect("error" in parsed && parsed.error).toContain(token);
});

test("a session path finds own keys only", () => {
  expect(resolveSessionId(pathOf("constructor"), {})).toBeUndefined();
  expect(resolveSessionId(pathOf("a.constructor.name"), { a: {} })).toBeUndefined();
});
