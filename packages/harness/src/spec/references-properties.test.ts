import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hasVariableReference,
  parseReferences,
  referenceError,
  resolvePath,
  resolveText,
  type VariableStore,
} from "./index.ts";

const INHERITED = [
  "constructor",
  "toString",
  "__proto__",
  "hasOwnProperty",
  "length",
  "valueOf",
  "prototype",
];

const piece = fc.oneof(
  fc.constantFrom(
    "${{",
    "}}",
    "$",
    "{",
    "}",
    "$${{",
    "q",
    "o",
    ".",
    "-1",
    "0",
    " ",
    "Q",
    "${{q}}",
    "$${{q}}",
    "${{o.id}}",
  ),
  fc.constantFrom(...INHERITED.map((key) => `\${{${key}}}`), ...INHERITED.map((key) => `\${{o.${key}}}`)),
  fc.string({ unit: "binary", maxLength: 2 }),
);
const text = fc.array(piece, { maxLength: 10 }).map((parts) => parts.join(""));
const scalar = fc.oneof(
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("${{q}}", "$${{q}}", "$", "{{"),
  fc.double(),
  fc.boolean(),
);
const value = fc.oneof(
  scalar,
  fc.constantFrom(null, undefined),
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom("id", "-1", "0", "o"), scalar),
);
const store: fc.Arbitrary<VariableStore> = fc
  .dictionary(fc.constantFrom("q", "o", "trigger", "a_1"), value)
  .map((values) =>
    Object.fromEntries(Object.entries(values).map(([name, held]) => [name, { value: held, locked: false }])),
  );

/** The scanner of the workflow language, 3.3, as the chapter writes it. */
const SCANNER = /(\$?)\$\{\{([^}]*)\}\}/g;

test("the scanner finds what the language's expression finds", () => {
  fc.assert(
    fc.property(text, (written) => {
      const matches = [...written.matchAll(SCANNER)];
      const expected = matches
        .filter(([, dollar]) => dollar === "")
        .map(({ 0: raw, index }) => ({ raw, index }));
      expect(parseReferences(written).map(({ raw, index }) => ({ raw, index }))).toEqual(expected);
      expect(hasVariableReference(written)).toBe(matches.length > 0);
      for (const { raw, name, path, index } of parseReferences(written)) {
        expect(written.slice(index, index + raw.length)).toBe(raw);
        expect([name, ...path].join(".")).toBe(raw.slice(3, -2).trim());
      }
    }),
    { numRuns: 3_000 },
  );
});

describe("resolving fails closed", () => {
  test("an answer that is ok has every reference replaced, in one pass, and every escape shown", () => {
    fc.assert(
      fc.property(text, store, (written, variables) => {
        const resolved = resolveText(written, variables);
        const references = parseReferences(written);
        if (!resolved.ok) {
          expect(references.map(({ raw }) => raw)).toContain(resolved.reference);
          expect(Object.keys(resolved).sort()).toEqual(["detail", "ok", "reason", "reference"]);
          return;
        }
        for (const reference of references) expect(referenceError(reference)).toBeUndefined();
        const expected = written.replaceAll(SCANNER, (raw, dollar: string, inner: string) => {
          if (dollar === "$") return raw.slice(1);
          const [name = "", ...path] = inner.trim().split(".");
          const entry = Object.hasOwn(variables, name) ? variables[name] : undefined;
          const held = resolvePath(entry?.value, path);
          expect(["string", "number", "boolean"]).toContain(typeof held);
          return String(held);
        });
        expect(resolved.pattern).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  test("the first reference that cannot be resolved is the one that is told", () => {
    fc.assert(
      fc.property(text, store, (written, variables) => {
        const resolved = resolveText(written, variables);
        if (resolved.ok) return;
        const first = parseReferences(written).find(({ raw }) => !resolveText(raw, variables).ok);
        expect(resolved.reference).toBe(first?.raw);
        expect(resolved.detail).toContain(resolved.reference);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a text of escapes alone needs no variable", () => {
    fc.assert(
      fc.property(text, (written) => {
        const escaped = written.replaceAll("${{", "$${{");
        if (parseReferences(escaped).length > 0) return;
        expect(resolveText(escaped, {})).toEqual({
          ok: true,
          pattern: escaped.replaceAll(SCANNER, (raw) => raw.slice(1)),
        });
      }),
    );
  });
});

describe("paths reach own members alone", () => {
  const segment = fc.constantFrom("id", "0", "1", "-1", "-0", "01", "1e0", " 0", "", ...INHERITED);

  test("nothing inherited is ever found, in the store or in a value", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...INHERITED),
        fc.array(segment, { maxLength: 3 }),
        fc.anything({ maxDepth: 2 }),
        (key, path, held) => {
          for (const value of [held, [], {}, "text", 1, true, () => {}, Object.create({ id: "inherited" })]) {
            if (value instanceof Object && Object.hasOwn(value, key)) continue;
            expect(resolvePath(value, [key, ...path])).toBeUndefined();
          }
          expect(resolveText(`\${{${key}}}`, {}).ok).toBe(false);
          expect(resolveText(`\${{q.${key}}}`, { q: { value: {}, locked: false } }).ok).toBe(false);
        },
      ),
    );
  });

  test("a list takes a plain index from either end and nothing else", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 4 }), segment, (list, key) => {
        const index = /^(?:0|[1-9]\d*)$/.test(key)
          ? Number(key)
          : /^-[1-9]\d*$/.test(key)
            ? list.length + Number(key)
            : -1;
        expect(resolvePath(list, [key])).toBe(index < 0 ? undefined : list[index]);
      }),
    );
  });
});
