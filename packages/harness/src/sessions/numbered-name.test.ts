import fc from "fast-check";
import { expect, test } from "vitest";
import { numberedName } from "./numbered-name.ts";

test.each([
  ["i.pdf", [], "i.pdf"],
  ["i.pdf", ["i.pdf"], "i-1.pdf"],
  ["i.pdf", ["i.pdf", "i-1.pdf"], "i-2.pdf"],
  ["a.tar.gz", ["a.tar.gz"], "a.tar-1.gz"],
  [".env", [".env"], ".env-1"],
  [".env.local", [".env.local"], ".env-1.local"],
  ["notes", ["notes"], "notes-1"],
  ["a.", ["a."], "a-1."],
])("%s beside %j is %s", (name, taken, expected) => {
  expect(numberedName(name, new Set(taken))).toBe(expected);
});

test("names placed one after another are distinct, keep their extension, and the first keeps its own", () => {
  const plain = fc.constantFrom("a", "a.b", ".a", "a-1.b", "a-1", "a.b.c", "a-2.b");
  fc.assert(
    fc.property(fc.array(plain, { minLength: 1, maxLength: 12 }), (names) => {
      const taken = new Set<string>();
      const placed = names.map((name) => {
        const free = numberedName(name, taken);
        taken.add(free);
        return free;
      });
      expect(taken.size).toBe(names.length);
      expect(placed[0]).toBe(names[0]);
      for (const [index, name] of names.entries()) {
        const dot = name.lastIndexOf(".");
        const extension = dot > 0 ? name.slice(dot) : "";
        expect(placed[index]?.endsWith(extension)).toBe(true);
        expect(placed[index]?.startsWith(dot > 0 ? name.slice(0, dot) : name)).toBe(true);
      }
    }),
  );
});
