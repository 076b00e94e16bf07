import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  childSessionId,
  dispatchIdOf,
  isChildSessionOf,
  type MountPrefixes,
  NO_MOUNTS,
  parentSessionIdOf,
  rootSessionIdOf,
  sessionAreaNames,
  sessionIdRejection,
} from "./index.ts";

const piece = fc.oneof(
  fc.constantFrom(
    "a",
    "1",
    "0",
    "~",
    "~1",
    "~2",
    "~01",
    "~st:wf:0",
    ":",
    "/",
    "..",
    ".",
    "\\",
    "\u0000",
    "__proto__",
    "constructor",
  ),
  fc.constantFrom("scratchpad", "_specs", "skills", "constructors", " ", "%2e", "\u2028", "ä"),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const anyText = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
/** A top-level id: what a host could store a session under. */
const topLevel = anyText.filter(
  (id) => sessionIdRejection(id) === null && !id.includes("~") && !id.startsWith("/"),
);
const dispatches = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 4 });
const mounts: fc.Arbitrary<MountPrefixes> = fc
  .record({
    dirs: fc.array(fc.constantFrom("skills", "catalogs/eu", "a")),
    files: fc.array(fc.constantFrom("AGENTS.md", "1")),
  })
  .map((names) => ({ ...NO_MOUNTS, ...names }));

describe("a child's id", () => {
  test("tells its parent, its root and its dispatch", () => {
    fc.assert(
      fc.property(topLevel, dispatches, (root, numbers) => {
        const chain = [root];
        for (const n of numbers) chain.push(childSessionId(chain.at(-1) ?? "", n));
        const id = chain.at(-1) ?? "";
        expect(sessionIdRejection(id)).toBeNull();
        expect(rootSessionIdOf(id)).toBe(root);
        expect(dispatchIdOf(id)).toBe(numbers.join("~"));
        expect(parentSessionIdOf(id)).toBe(chain.at(-2));
        for (const ancestor of chain.slice(0, -1)) expect(isChildSessionOf(id, ancestor)).toBe(true);
        for (const ancestor of chain.slice(0, -1)) expect(isChildSessionOf(ancestor, id)).toBe(false);
        expect(isChildSessionOf(id, id)).toBe(false);
      }),
    );
  });

  test("a top-level id has neither parent nor dispatch", () => {
    fc.assert(
      fc.property(topLevel, (id) => {
        expect([parentSessionIdOf(id), dispatchIdOf(id), rootSessionIdOf(id)]).toEqual([
          undefined,
          undefined,
          id,
        ]);
      }),
    );
  });

  test("whatever the text, parent, root and dispatch agree with each other", () => {
    fc.assert(
      fc.property(anyText, (id) => {
        const parent = parentSessionIdOf(id);
        const root = rootSessionIdOf(id);
        expect(rootSessionIdOf(root)).toBe(root);
        expect(parentSessionIdOf(root)).toBeUndefined();
        if (parent === undefined) {
          expect([root, dispatchIdOf(id)]).toEqual([id, undefined]);
          return;
        }
        expect(isChildSessionOf(id, parent)).toBe(true);
        expect(isChildSessionOf(id, root)).toBe(true);
        expect(rootSessionIdOf(parent)).toBe(root);
        expect(`${root}~${dispatchIdOf(id)}`).toBe(id);
      }),
      { numRuns: 2_000 },
    );
  });

  test("no session is below two that are not below each other", () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (id, left, right) => {
        if (!isChildSessionOf(id, left) || !isChildSessionOf(id, right) || left === right) return;
        expect(isChildSessionOf(left, right) || isChildSessionOf(right, left)).toBe(true);
      }),
    );
  });
});

describe("an id that is accepted", () => {
  const accepted = (id: string, table: MountPrefixes) => sessionIdRejection(id, table) === null;

  test("names one folder below the session root and nothing else", () => {
    fc.assert(
      fc.property(anyText, mounts, (id, table) => {
        fc.pre(accepted(id, table));
        const bare = id.replace(/^\/+/, "");
        const segments = bare.split(/[/\\]/);
        for (const bad of ["", ".", "..", "__proto__", "constructor", "prototype"])
          expect(segments).not.toContain(bad);
        expect(bare).not.toContain("\u0000");
        expect(sessionAreaNames()).not.toContain(segments[0]);
        for (const mount of [...table.dirs, ...table.files])
          expect(segments[0]).not.toBe(mount.split("/")[0]);
      }),
      { numRuns: 2_000 },
    );
  });

  test("may have children, and its parent and its root are accepted too", () => {
    fc.assert(
      fc.property(anyText, mounts, fc.integer({ min: 1 }), (id, table, n) => {
        fc.pre(accepted(id, table));
        expect(accepted(childSessionId(id, n), table)).toBe(true);
        expect(accepted(parentSessionIdOf(id) ?? id, table)).toBe(true);
        expect(accepted(rootSessionIdOf(id), table)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a rejection is a sentence, and more mounts never accept more", () => {
    fc.assert(
      fc.property(anyText, mounts, (id, table) => {
        const rejection = sessionIdRejection(id);
        if (rejection === null) return;
        expect(rejection.length).toBeGreaterThan(10);
        expect(accepted(id, table)).toBe(false);
      }),
    );
  });
});
