import fc from "fast-check";
import { dump } from "js-yaml";

/** Texts of documents as people and programs write them, and what a slip of the hand, or malice, makes of them. */

type Edit =
  | { readonly kind: "cut" | "double"; readonly at: number; readonly length: number }
  | { readonly kind: "insert"; readonly at: number; readonly token: string; readonly times: number }
  | { readonly kind: "move"; readonly at: number; readonly length: number; readonly to: number }
  | { readonly kind: "indent"; readonly at: number; readonly by: number }
  | { readonly kind: "swap-lines"; readonly at: number; readonly to: number };

/** What the syntaxes of YAML and JSON are made of, and what parsers have stumbled over. */
const TOKENS = [
  ":",
  ": ",
  "- ",
  "? ",
  "|",
  ">-",
  "|2\n",
  "[",
  "]",
  "{",
  "}",
  ",",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  "\t",
  " ",
  "  ",
  "&a ",
  "*a",
  "&a *a",
  "!!str ",
  "!!binary ",
  "!<x> ",
  "!",
  "%YAML 1.1\n---\n",
  "---\n",
  "...\n",
  "# ",
  '"',
  "'",
  "\\",
  "\\u0000",
  "<<: *a\n",
  "<<",
  "null",
  "~",
  ".nan",
  ".inf",
  "-.inf",
  "0x1f",
  "0o7",
  "1e999",
  "-0",
  "1_000",
  "2001-01-01",
  "yes",
  "true",
  "__proto__",
  "constructor",
  '"__proto__": {}',
  "toString: x\n",
  "${{",
  "}}",
  "$${{x}}",
  "${{a.b}}",
  "*",
  "**",
  "\u0000",
  "\ufeff",
  "\u2028",
  "\u0085",
  "\ud800",
  "\u{1f600}",
  "\u00a0",
  "\u200b",
];

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("cut" as const, "double" as const),
    at: fc.nat(),
    length: fc.oneof(fc.nat(8), fc.nat(400)),
  }),
  fc.record({
    kind: fc.constant("insert" as const),
    at: fc.nat(),
    token: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...TOKENS) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
    ),
    times: fc.oneof({ weight: 12, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(300) }),
  }),
  fc.record({ kind: fc.constant("move" as const), at: fc.nat(), length: fc.nat(80), to: fc.nat() }),
  fc.record({ kind: fc.constant("indent" as const), at: fc.nat(), by: fc.integer({ min: -3, max: 3 }) }),
  fc.record({ kind: fc.constant("swap-lines" as const), at: fc.nat(), to: fc.nat() }),
);

/** A document as a text: YAML in the styles a writer may choose, or JSON. */
export function textOf(document: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const style = fc.constantFrom<(value: unknown) => string>(
    (value) => dump(value),
    (value) => dump(value, { flowLevel: 2, noRefs: true }),
    (value) => dump(value, { indent: 4, lineWidth: 20 }),
    (value) => JSON.stringify(value, undefined, 2),
    (value) => JSON.stringify(value),
  );
  return fc.tuple(document, style).map(([value, write]) => write(value));
}

/** A text with up to four edits. */
export function nearText(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(text, fc.array(edit, { maxLength: 4 }))
    .map(([written, edits]) => edits.reduce(edited, written));
}

function edited(text: string, change: Edit): string {
  const at = change.at % (text.length + 1);
  switch (change.kind) {
    case "cut":
      return text.slice(0, at) + text.slice(at + change.length);
    case "double":
      return text.slice(0, at + change.length) + text.slice(at);
    case "insert":
      return text.slice(0, at) + change.token.repeat(change.times) + text.slice(at);
    case "move": {
      const rest = text.slice(0, at) + text.slice(at + change.length);
      const to = change.to % (rest.length + 1);
      return rest.slice(0, to) + text.slice(at, at + change.length) + rest.slice(to);
    }
    case "indent":
      return withLines(text, (lines) => {
        const line = change.at % lines.length;
        const written = lines[line] ?? "";
        lines[line] = change.by >= 0 ? " ".repeat(change.by) + written : written.slice(-change.by);
      });
    case "swap-lines":
      return withLines(text, (lines) => {
        const [one, other] = [change.at % lines.length, change.to % lines.length];
        [lines[one], lines[other]] = [lines[other] ?? "", lines[one] ?? ""];
      });
  }
}

function withLines(text: string, change: (lines: string[]) => void): string {
  const lines = text.split("\n");
  change(lines);
  return lines.join("\n");
}
