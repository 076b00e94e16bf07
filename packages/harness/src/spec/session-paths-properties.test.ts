import fc from "fast-check";
import { expect, test } from "vitest";
import { parseSessionPath, resolvePath, resolveSessionId, VARIABLE_NAME_PATTERN } from "./index.ts";

const piece = fc.oneof(
  fc.constantFrom("a", "b_1", ".", " ", "\n", "\ufeff", "-1", "${{", "$", "{", "}", "A", "constructor", "0"),
  fc.string({ unit: "binary", maxLength: 2 }),
);
const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
const name = fc.stringMatching(VARIABLE_NAME_PATTERN, { size: "xsmall" });
/** A segment: anything without a dot or an opening reference; only at the end white space would be trimmed. */
const segment = fc
  .string({ unit: "binary", minLength: 1, maxLength: 5 })
  .filter((part) => !part.includes(".") && !part.includes("$") && part.trim() === part);

test("a printed path reads back as itself, whatever white space is around it", () => {
  fc.assert(
    fc.property(
      name,
      fc.array(segment, { maxLength: 4 }),
      fc.constantFrom("", " ", "\n\t", "\u00a0"),
      (first, path, space) => {
        const raw = [first, ...path].join(".");
        expect(parseSessionPath(`${space}${raw}${space}`)).toEqual({ path: { raw, name: first, path } });
      },
    ),
  );
});

test("a text is a path or an error, and a path is what was written", () => {
  fc.assert(
    fc.property(text, (written) => {
      const parsed = parseSessionPath(written);
      if ("error" in parsed) {
        expect(parsed.error).not.toBe("");
        return;
      }
      const { raw, name: first, path } = parsed.path;
      expect([first, ...path].join(".")).toBe(raw);
      expect(raw).toBe(written.trim());
      expect(first).toMatch(VARIABLE_NAME_PATTERN);
      expect(path).not.toContain("");
      expect(raw).not.toContain("${{");
    }),
    { numRuns: 2_000 },
  );
});

test("an id is a text with something in it, found by own members alone", () => {
  const variables = fc.dictionary(
    fc.oneof(name, fc.constantFrom("a", "constructor", "toString")),
    fc.anything({ maxDepth: 3 }),
  );
  fc.assert(
    fc.property(text, variables, (written, values) => {
      const parsed = parseSessionPath(written);
      if ("error" in parsed) return;
      const { name: first, path } = parsed.path;
      const id = resolveSessionId(parsed.path, values);
      const held = Object.hasOwn(values, first) ? resolvePath(values[first], path) : undefined;
      if (id === undefined) {
        expect(typeof held === "string" && held.trim() !== "").toBe(false);
        expect(typeof held === "number" && Number.isFinite(held)).toBe(false);
      } else {
        expect(id.trim()).not.toBe("");
        expect(id).toBe(String(held));
      }
    }),
    { numRuns: 2_000 },
  );
});
