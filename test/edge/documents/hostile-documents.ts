/** Texts that try the reader rather than the rules. */
import { machine, type TestDocument } from "./document.ts";

const LIMIT = 262_144;

/** A list of lists of aliases, doubling thirty times. */
export function aliasBomb(): string {
  let text = "a0: &a0 [lol, lol]\n";
  for (let at = 1; at < 30; at += 1) text += `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]\n`;
  return text;
}

/** A mapping of this many keys, filled up to the largest document's size where there is room. */
export function manyKeys(count: number): string {
  let text = "metadata:\n";
  for (let at = 0; at < count; at += 1) text += ` k${at}:\n`;
  return `${machine()}${text}`.padEnd(LIMIT, "#");
}

/** One key as long as the largest document leaves room for. */
export const ONE_LONG_KEY = `${"k".repeat(LIMIT - 4)}: 1\n`;

const BILLION_VALUES = `metadata: { a: &a [${"x, ".repeat(9)}x], b: &b [${"*a, ".repeat(9)}*a], c: [${"*b, ".repeat(9)}*b] }`;

export const HOSTILE_DOCUMENTS: readonly TestDocument[] = [
  { title: "an alias bomb", text: aliasBomb(), finds: "malformed" },
  { title: "ten by ten by ten values", text: machine({ root: BILLION_VALUES }), finds: "malformed" },
  { title: "an alias of the mapping around it", text: "a: &a { b: *a }\n", finds: "malformed" },
  { title: "an alias of nothing", text: "a: *nobody\n", finds: "malformed" },
  { title: "lists 10 000 deep", text: `${"[".repeat(10_000)}${"]".repeat(10_000)}`, finds: "malformed" },
  { title: "lists 10 000 deep, not closed", text: "[".repeat(10_000), finds: "malformed" },
  {
    title: "mappings 10 000 deep",
    text: `${"{a: ".repeat(10_000)}${"}".repeat(10_000)}`,
    finds: "malformed",
  },
  { title: "a block list 10 000 deep on one line", text: `${"- ".repeat(10_000)}x`, finds: "malformed" },
  { title: "60 levels", text: machine({ root: `metadata: { x: ${"[".repeat(58)}${"]".repeat(58)} }` }) },
  {
    title: "70 levels",
    text: machine({ root: `metadata: { x: ${"[".repeat(68)}${"]".repeat(68)} }` }),
    finds: "malformed",
  },
  { title: "256 KB of one key", text: ONE_LONG_KEY, finds: "malformed" },
  { title: "256 KB of one text", text: machine({ root: `title: ${"t".repeat(200_000)}` }) },
  { title: "a mapping of 14 000 keys", text: manyKeys(14_000) },
  { title: "a key repeated at the root", text: `${machine()}states: {}\n`, finds: "malformed" },
  { title: "a key repeated in a state", text: machine({ a: "title: one\ntitle: two" }), finds: "malformed" },
  { title: "a key repeated in other quotes", text: machine({ root: '"states": {}' }), finds: "malformed" },
  { title: "tabs for indentation", text: "states:\n\ta:\n", finds: "malformed" },
  { title: "tabs between tokens", text: "instructions:\tx\nstates:\t{ a:\t{ triggers: { manual: } } }\n" },
  { title: "a byte order mark", text: `\uFEFF${machine()}` },
  { title: "a byte order mark within", text: `instructions: x\n\uFEFFstates: {}\n` },
  {
    title: "CRLF",
    text: machine({ a: "instrctions: typo" }).replaceAll("\n", "\r\n"),
    finds: "error states.a",
  },
  {
    title: "old Mac line ends",
    text: machine({ a: "on_error: ghost" }).replaceAll("\n", "\r"),
    finds: "error states.a.on_error",
  },
  { title: "two documents", text: `${machine()}---\n${machine()}`, finds: "malformed" },
  { title: "a document and an end", text: `---\n${machine()}...\n` },
  { title: "a directive", text: `%YAML 1.2\n---\n${machine()}` },
  {
    title: "a merge key",
    text: machine({ root: "metadata: { base: &b { x: 1 }, more: { <<: *b, y: 2 } }" }),
  },
  {
    title: "a merge key where keys are counted",
    text: machine({ a: "<<: { title: t }" }),
    finds: "error states.a",
  },
  {
    title: "a key called __proto__",
    text: machine({ root: "__proto__: { disabled: true }" }),
    finds: "error -",
  },
  {
    title: "states called like members",
    text: "instructions: x\nstates: { constructor: { triggers: { manual: } }, toString: , __proto__: }\n",
  },
  { title: "a tag of the language's own", text: "a: !!js/function 'function () {}'\n", finds: "malformed" },
  { title: "bytes", text: machine({ root: "metadata: { b: !!binary aGVsbG8= }" }), finds: "malformed" },
  { title: "a date", text: machine({ root: "metadata: { at: 2026-01-31T12:00:00Z }" }) },
  {
    title: "numbers no JSON has",
    text: machine({ root: "metadata: { a: .nan, b: .inf, c: -.inf, d: 0x1F, e: 1e999 }" }),
  },
  {
    title: "a number beyond a double",
    text: machine({ root: "metadata: { a: 123456789012345678901234567890 }" }),
  },
  { title: "a mapping as a key", text: "? { a: b }\n: c\n", finds: "malformed" },
  { title: "control characters", text: "title: a\u0000b\n", finds: "malformed" },
  { title: "half a character", text: 'title: "\\ud800"\n' },
  {
    title: "characters beyond the plane",
    text: machine({ root: "title: 🙂 ﷽ \u202E", a: "on_error: 🙂" }),
    finds: "error states.a.on_error",
  },
  { title: "a mapping that is not closed", text: "states: {\n", finds: "malformed" },
  { title: "a text that is not closed", text: 'title: "never\n', finds: "malformed" },
  { title: "HTML", text: "<!doctype html><title>x</title>", finds: "error -" },
  {
    title: "a guard that backtracks",
    text: machine({ a: `tools: { allow: [{ tool: write_file, paths: "${"*a".repeat(60)}" }] }` }),
  },
  {
    title: "a guard of braces",
    text: machine({ a: `tools: { allow: [{ tool: write_file, paths: "${"{a,b}".repeat(40)}" }] }` }),
  },
];
