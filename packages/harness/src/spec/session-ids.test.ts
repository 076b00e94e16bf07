import { expect, test } from "vitest";
import {
  childSessionId,
  dispatchIdOf,
  isChildSessionOf,
  NO_MOUNTS,
  parentSessionIdOf,
  rootSessionIdOf,
  sessionIdRejection,
} from "./index.ts";

test("WF-077 ids a session can have", () => {
  for (const id of ["s-1", "output", "/s1", "skills", "s~1", "s~1~2", "s~st:wf:0"]) {
    expect(sessionIdRejection(id)).toBeNull();
  }
});

test.each([
  ["", "empty"],
  ["/", "empty"],
  ["../x", "'..'"],
  ["x/../y", "'..'"],
  ["x\\..\\y", "'..'"],
  ["scratchpad", "reserved"],
  ["_specs", "reserved"],
  ["s~", "'~'"],
  ["s~x", "'~'"],
  ["s~0", "'~'"],
  ["s~01", "'~'"],
  ["~1", "'~'"],
])("WF-078 the id %j is rejected: %s", (id, token) => {
  expect(sessionIdRejection(id)).toContain(token);
});

test("WF-079 the first segment of a mount name is reserved", () => {
  const mounts = { ...NO_MOUNTS, dirs: ["skills", "catalogs/eu"] };
  for (const id of ["skills", "catalogs"]) expect(sessionIdRejection(id, mounts)).toContain("reserved");
  expect(sessionIdRejection("skills-2", mounts)).toBeNull();
});

test("WF-080 child ids are counted below their parent", () => {
  expect(childSessionId("s", 1)).toBe("s~1");
  expect(parentSessionIdOf("s~1~2")).toBe("s~1");
  expect(parentSessionIdOf("s")).toBeUndefined();
  expect(rootSessionIdOf("s~1~2")).toBe("s");
  expect(dispatchIdOf("s~1~2")).toBe("1~2");
  expect(dispatchIdOf("s")).toBeUndefined();
});

test("WF-081 a child belongs to every session above it and to no other", () => {
  for (const [id, parent] of [
    ["s~1~2", "s"],
    ["s~1~2", "s~1"],
    ["s~st:wf:0", "s"],
  ] as const) {
    expect(isChildSessionOf(id, parent)).toBe(true);
  }
  for (const [id, parent] of [
    ["s", "s"],
    ["s2~1", "s"],
    ["s~x", "s"],
    ["~1", ""],
  ] as const) {
    expect(isChildSessionOf(id, parent)).toBe(false);
  }
});

test.each([
  ["a//b", "empty segment"],
  ["a/", "empty segment"],
  ["a/./b", "'.'"],
  ["a\u0000b", "NUL"],
  ["__proto__", "__proto__"],
  ["x/constructor", "constructor"],
])("WF-097 the id %j is rejected: %s", (id, piece) => {
  expect(sessionIdRejection(id)).toContain(piece);
});

test("WF-097 names that only resemble the rejected ones pass", () => {
  for (const id of ["constructors", "a.b"]) expect(sessionIdRejection(id)).toBeNull();
});

test("a child's id is refused where its root cannot name a session", () => {
  for (const root of ["..", ".", "a/", "a/..", "a/.", "__proto__", "x/constructor", "scratchpad", "_specs"]) {
    expect(sessionIdRejection(`${root}~1`)).not.toBeNull();
    expect(sessionIdRejection(`${root}~st:wf:0`)).not.toBeNull();
  }
  expect(sessionIdRejection("skills~1", { ...NO_MOUNTS, dirs: ["skills"] })).toContain("reserved");
  expect(sessionIdRejection("skills~1")).toBeNull();
});
