import { expect, test } from "vitest";
import { validateSpec } from "./index.ts";
import { expectClean, expectError, fieldsOf, withRoot, withState } from "./testing-fixtures/documents.ts";

test("WF-029 every tool can be forbidden and never granted", () => {
  for (const allow of [["*"], [{ tool: "*" }]]) {
    expectError(withState({ tools: { allow } }), "states.a.tools.allow.0", "*");
  }
  expectError(withRoot({ tools: { allow_always: ["*"] } }), "tools.allow_always.0", "*");
  expectClean(withState({ tools: { forbid: ["*"] } }));
});

test("WF-030 a bad tool entry is one error on its index", () => {
  expectError(withState({ tools: { allow: [{ tool: "x", foo: 1 }] } }), "states.a.tools.allow.0", "foo");
  for (const entry of [{ args: {} }, 5]) {
    expectError(withState({ tools: { allow: [entry] } }), "states.a.tools.allow.0");
  }
});

test("WF-031 a guard reference that names no variable is an error on its entry", () => {
  for (const reference of ["${{}}", "${{ .id }}", "${{q..b}}", "${{From-Email}}"]) {
    const list = [{ tool: "x", args: { p: `d/${reference}` } }];
    expectError(withState({ tools: { allow: list } }), "states.a.tools.allow.0", reference);
    expectError(withState({ tools: { forbid: list } }), "states.a.tools.forbid.0", reference);
    expectError(withRoot({ tools: { allow_always: list } }), "tools.allow_always.0", reference);
    expectError(withRoot({ tools: { forbid_always: list } }), "tools.forbid_always.0", reference);
  }
});

test("WF-032 an escaped reference is text", () => {
  expectClean(withState({ tools: { allow: [{ tool: "x", paths: ["$${{Bad}}"] }] } }));
});

test("with args, paths are not read and their references not checked", () => {
  expectClean(withState({ tools: { allow: [{ tool: "x", args: { p: "g" }, paths: ["${{}}"] }] } }));
});

test("WF-033 skills are named by their slugs", () => {
  const { schema } = validateSpec(withState({ skills: { allow: ["ok-slug", 7, "skills/x/**"] } }));
  expect(fieldsOf(schema)).toEqual(["states.a.skills.allow.1", "states.a.skills.allow.2"]);
  expectError(withState({ skills: { forbid: "x" } }), "states.a.skills.forbid");
});

test("WF-034 a mount is named by a plain path", () => {
  for (const name of ["a/**", "/a", "a/", "a/../b", "./a", " a", ""]) {
    expectError(withState({ mounts: { allow: [name] } }), "states.a.mounts.allow.0");
  }
  for (const name of ["catalogs/eu", "AGENTS.md"]) expectClean(withState({ mounts: { allow: [name] } }));
});

test("WF-035 a mount grant is a name, or a name with an access", () => {
  const bad = [{ mount: "m", access: "write" }];
  expectError(withState({ mounts: { allow: bad } }), "states.a.mounts.allow.0", "read", "read_write");
  expectError(withState({ mounts: { allow: [{ mount: "m/**" }] } }), "states.a.mounts.allow.0.mount");
  expectError(withState({ mounts: { forbid: [{ mount: "m" }] } }), "states.a.mounts.forbid.0");
});
