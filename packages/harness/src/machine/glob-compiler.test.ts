import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalizePath } from "../spec/paths.ts";
import { compileGlob, type GuardPolarity } from "./glob-compiler.ts";
import { store } from "./governance-fixture.ts";
import { guardGlob, isUnresolved } from "./guard-glob.ts";

/** Whether a glob written in a document matches a value, under variables that resolve it. */
function matches(
  glob: string,
  value: string,
  variables: Record<string, unknown> = {},
  polarity: GuardPolarity = "grant",
): boolean {
  const answer = guardGlob(glob).resolve(store(variables));
  if (isUnresolved(answer)) throw new Error(answer.detail);
  return answer(canonicalizePath(value).path, polarity);
}

describe("a glob", () => {
  test.each([
    ["**", "a/.b/c", true],
    ["**", "", false],
    ["*", "", false],
    ["*", ".env", true],
    ["*", "a/b", false],
    ["a?c", "a/c", false],
    ["d/**", "d", true],
    ["d/**", "d/e/f", true],
    ["d/**", "dd", false],
    ["**/x", "x", true],
    ["{a,b}/x", "b/x", true],
    ["[ab]", "b", true],
    ["@(a|b)", "b", true],
    ["!(a)", "b", true],
    ["!a/**", "b/c", true],
    ["!a/**", "a/c", false],
    ["A", "a", false],
    ["./a", "a", true],
    ["/a", "a", true],
    ["//a//b", "a/b", true],
    ["!/a/**", "a/c", false],
    ["", "", true],
    ["/", "", true],
    ["", "a", false],
    ["https://h.test/**", "https://h.test/x/y", true],
    ["a*", "a\nb", true],
    ["**", "a\nb/c\n", true],
  ])("%j on %j is %s", (glob, value, expected) => {
    expect(matches(glob, value)).toBe(expected);
  });

  test.each([["a/"], ["a/./b"], ["a/../b"], ["../../x"], ["**/"], ["!a/"]])(
    "%j matches nothing, in a denial neither",
    (glob) => {
      for (const value of ["a", "a/b", "b", "../../x", "x", ""]) {
        expect(matches(glob, value)).toBe(false);
        expect(matches(glob, value, {}, "denial")).toBe(false);
      }
    },
  );

  test.each([
    ["**"],
    ["*"],
    ["??"],
    [".*"],
    ["?."],
    ["!(x)"],
    ["!(x)/**"],
    ["+(.)"],
    ["@(*)"],
    ["[.]."],
    ["*(.)/*"],
  ])("%j, which spells out no `..`, matches no path that climbs", (glob) => {
    for (const value of ["..", "../x", "../../x"]) {
      expect(matches(glob, value)).toBe(false);
      expect(matches(glob, value, {}, "denial")).toBe(false);
    }
  });

  test("a spelled-out `..` matches itself alone", () => {
    expect(matches("..", "..")).toBe(true);
    expect(matches("../*", "../x")).toBe(true);
    expect(matches("../**", "../../x")).toBe(false);
    expect(matches("../.*/x", "../../x")).toBe(false);
  });

  test("a negated glob matches a climbing path in a denial only", () => {
    expect(matches("!a/**", "../x")).toBe(false);
    expect(matches("!a/**", "../x", {}, "denial")).toBe(true);
  });

  test.each([["a".repeat(65_537)], ["[z-a]"]])(
    "one that does not compile grants nothing and denies everything (%#)",
    (glob) => {
      for (const value of ["a", "x/y", glob]) {
        expect(matches(glob, value)).toBe(false);
        expect(matches(glob, value, {}, "denial")).toBe(true);
      }
    },
  );

  test("one of the longest length that compiles does", () => {
    expect(matches("a".repeat(65_536), "a".repeat(65_536))).toBe(true);
  });
});

describe("a variable in a glob", () => {
  test.each([[""], ["/"], ["."], ["a/.."]])("of the empty canonical value %j widens nothing", (dir) => {
    for (const glob of ["${{dir}}", "${{dir}}/**", "x/${{dir}}"]) {
      expect(matches(glob, "a", { dir })).toBe(false);
      expect(matches(glob, "a", { dir }, "denial")).toBe(true);
    }
  });

  test("stands for its canonical text, so an argument and a guard that name it agree", () => {
    expect(matches("${{url}}", "https://h.test/a?b", { url: "https://h.test/a?b" })).toBe(true);
    expect(matches("out/${{d}}/**", "out/a/b/x", { d: "/a/./b/" })).toBe(true);
    expect(matches("${{n}}-*", "42-x", { n: 42 })).toBe(true);
  });

  test("is not read again, and an escape stands for the reference it shows", () => {
    expect(matches("${{v}}", "${{w}}", { v: "${{w}}", w: "x" })).toBe(true);
    expect(matches("${{v}}", "x", { v: "${{w}}", w: "x" })).toBe(false);
    expect(matches("a-$${{v}}", "a-${{v}}")).toBe(true);
    expect(matches("$$${{v}}", "$${{v}}")).toBe(true);
  });

  const written = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(...'\\*?[]{}()!+@|^$,"-\0/.~ab\uE000\uE001\uF8FF\n') }),
  );

  test("property: it matches its own value and no other", () => {
    fc.assert(
      fc.property(written, written, (v, other) => {
        const own = canonicalizePath(v).path;
        fc.pre(own !== "" && !own.startsWith("../.."));
        expect(matches("${{v}}", own, { v })).toBe(true);
        if (canonicalizePath(other).path !== own) expect(matches("${{v}}", other, { v })).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  test("property: inside a pattern it stands for itself and adds no wildcard", () => {
    fc.assert(
      fc.property(written, written, (v, other) => {
        const own = canonicalizePath(v).path;
        fc.pre(own !== "" && !own.split("/").includes(".."));
        const value = canonicalizePath(other).path;
        const inside = value === `out/${own}` || value.startsWith(`out/${own}/`);
        expect(matches("out/${{v}}/**", `out/${own}/x`, { v })).toBe(true);
        expect(matches("out/${{v}}/**", value, { v })).toBe(inside);
        expect(matches("out/${{v}}/**", `out/${value}`, { v })).toBe(
          value === own || value.startsWith(`${own}/`),
        );
      }),
      { numRuns: 3000 },
    );
  });

  test("property: compiling and matching never throw", () => {
    fc.assert(
      fc.property(written, written, fc.boolean(), (glob, value, literal) => {
        const matcher = compileGlob([{ text: glob, literal }]);
        expect(typeof matcher(canonicalizePath(value).path, "grant")).toBe("boolean");
      }),
      { numRuns: 3000 },
    );
  });
});
