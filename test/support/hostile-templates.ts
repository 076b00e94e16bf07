import { dump } from "js-yaml";
import { largeWorkflow } from "./large-workflow.ts";

/** A hostile document of any size. */
export interface HostileTemplate {
  readonly name: string;
  readonly syntax: "yaml" | "json";
  /** @param size in bytes, at most */
  text(size: number): string;
}

const HEAD = "instructions: x\n";
const START = "  a:\n    triggers: { manual: }\n";

/** A text of some size: a beginning, as many pieces as fit, an end. */
function filled(size: number, head: string, piece: (at: number) => string, tail = ""): string {
  const pieces: string[] = [];
  let room = size - Buffer.byteLength(head + tail);
  for (let at = 0; ; at += 1) {
    const next = piece(at);
    room -= Buffer.byteLength(next);
    if (room < 0) return head + pieces.join("") + tail;
    pieces.push(next);
  }
}

/** The largest sound workflow of at most some size. */
function largest(size: number, write: (document: unknown) => string): string {
  let fits = "";
  for (let states = 10; ; states += 10) {
    const text = write(largeWorkflow(states));
    if (Buffer.byteLength(text) > size) return fits;
    fits = text;
  }
}

/** How many names of a list take up about half of a text. */
const half = (size: number) => Math.floor(size / 14.56);
const names = (letter: string, size: number) =>
  Array.from({ length: half(size) }, (_, at) => `${letter}${at}`).join(",");
const word = (at: number, length: number) => at.toString(36).padStart(length, "x");
const shared = "k".repeat(60);
const state = (size: number, key: string, piece: (at: number) => string) =>
  filled(size, `${HEAD}states:\n${START}    ${key}: [`, piece, "]\n");
const yaml = (name: string, text: HostileTemplate["text"]): HostileTemplate => ({
  name,
  syntax: "yaml",
  text,
});
const json = (name: string, text: HostileTemplate["text"]): HostileTemplate => ({
  name,
  syntax: "json",
  text,
});

/** Texts each aimed at one part of the reader or the validator. */
export const HOSTILE_TEMPLATES: readonly HostileTemplate[] = [
  yaml("sound, block style", (size) => largest(size, (document) => dump(document))),
  yaml("sound, flow style", (size) => largest(size, (document) => dump(document, { flowLevel: 1 }))),
  json("sound, JSON", (size) => largest(size, (document) => JSON.stringify(document))),
  yaml("states by the ten thousand", (size) =>
    filled(size, `${HEAD}states:\n${START}`, (at) => `  s${at}:\n`),
  ),
  yaml("edges to nowhere", (size) => state(size, "transitions", (at) => `{to: g${at}, description: d},`)),
  yaml("edges to names nearly declared", (size) =>
    filled(
      size,
      `${HEAD}states:\n${Array.from({ length: 64 }, (_, at) => `  ${shared}${word(at, 4)}:\n`).join("")}${START}    transitions: [`,
      (at) =>
        `{to: ${shared}${word(at * 7, 4)
          .toUpperCase()
          .replaceAll("X", "q")}, description: d},`,
      "]\n",
    ),
  ),
  yaml("one trigger in every state", (size) =>
    filled(size, `${HEAD}states:\n${START}`, (at) => `  s${at}: {triggers: {manual: }}\n`),
  ),
  yaml("unknown keys in a state", (size) =>
    filled(size, `${HEAD}states:\n${START}`, (at) => `    k${at}: 1\n`),
  ),
  yaml("unknown keys in a trigger", (size) =>
    filled(size, `${HEAD}states:\n  a:\n    triggers:\n      manual:\n`, (at) => `        k${at}: 1\n`),
  ),
  yaml("names required twice", (size) => state(size, "requires", (at) => `v${at % 9_000},`)),
  yaml("slips in every state", (size) =>
    filled(
      size,
      `${HEAD}states:\n${START}`,
      (at) =>
        `  s${at}: {transition: 1, trigger: 1, afters: 1, befor: 1, skill: 1, mount: 1, bugdet: 1, tolls: 1}\n`,
    ),
  ),
  yaml("states that are none", (size) => filled(size, `${HEAD}states:\n${START}`, (at) => `  s${at}: 1\n`)),
  yaml("names that are none", (size) => state(size, "requires", () => "A,")),
  yaml("a signature of repeats", (size) =>
    filled(size, `${HEAD}states:\n  a:\n    triggers: { manual: { requires: [`, () => "a,", "] } }\n"),
  ),
  yaml("a signature of bad entries", (size) =>
    filled(
      size,
      `${HEAD}states:\n  a:\n    triggers: { manual: { returns: [`,
      () => "{name: A, b: c},",
      "] } }\n",
    ),
  ),
  yaml("tool entries with unknown keys", (size) =>
    filled(size, `${HEAD}states:\n${START}    tools: { allow: [`, () => "{tool: x, foo: 1},", "] }\n"),
  ),
  yaml("hooks of no kind", (size) => state(size, "after", () => "{x: 1, y: 2},")),
  yaml("hooks with two kinds", (size) => state(size, "before", () => "{script: hooks/c.js, rubric: {}},")),
  yaml("skills granted twice", (size) =>
    filled(
      size,
      `${HEAD}skills: { allow_always: [${names("s", size)}] }\nstates:\n${START}    skills: { allow: [`,
      (at) => `s${half(size) - 1 - at},`,
      "] }\n",
    ),
  ),
  yaml("empty grants under a long one", (size) =>
    filled(
      size,
      `${HEAD}skills: { allow_always: [${names("s", size)}] }\nstates:\n${START}`,
      (at) => `  s${at}: {skills: {allow: []}}\n`,
    ),
  ),
  yaml("mounts granted twice", (size) =>
    filled(
      size,
      `${HEAD}mounts: { allow_always: [${names("m", size)}] }\nstates:\n${START}    mounts: { allow: [`,
      (at) => `m${half(size) - 1 - at},`,
      "] }\n",
    ),
  ),
  yaml("tools allowed and forbidden", (size) =>
    filled(
      size,
      `${HEAD}states:\n${START}    tools: { forbid: [${names("t", size)}], allow: [`,
      (at) => `t${half(size) - 1 - at},`,
      "] }\n",
    ),
  ),
  yaml("a long state of many skills, in every state", (size) =>
    filled(
      size,
      `${HEAD}skills: { forbid_always: [${names("s", size)}] }\nstates:\n${START}`,
      (at) => `  s${at}: {skills: {forbid: [s]}}\n`,
    ),
  ),
  yaml("guards on no variable", (size) =>
    filled(
      size,
      `${HEAD}states:\n${START}    tools: { allow: [{ tool: t, paths: [`,
      () => '"${{v}}",',
      "] }] }\n",
    ),
  ),
  yaml("a guard of openings", (size) =>
    filled(size, `${HEAD}states:\n${START}    tools: { allow: [{ tool: t, paths: "`, () => "${{", '" }] }\n'),
  ),
  yaml("a guard of references", (size) =>
    filled(
      size,
      `${HEAD}states:\n${START}    tools: { allow: [{ tool: t, paths: "`,
      () => "${{v}}",
      '" }] }\n',
    ),
  ),
  yaml("a path of dots", (size) =>
    filled(
      size,
      `${HEAD}states:\n${START}    tools: { allow: [{ tool: write_file, paths: "`,
      () => "../a/",
      '" }] }\n',
    ),
  ),
  yaml("a session path of dots", (size) =>
    filled(size, `${HEAD}states:\n  a:\n    triggers: { manual: { session: a`, () => ".b", " } }\n"),
  ),
  yaml("a mount name of segments", (size) =>
    filled(size, `${HEAD}states:\n${START}    mounts: { allow: [a`, () => "/b", "/] }\n"),
  ),
  yaml("a hook script of segments", (size) =>
    filled(size, `${HEAD}states:\n${START}    after: { script: hooks`, () => "/b", " }\n"),
  ),
  yaml("white space that trims", (size) =>
    filled(size, `${HEAD}states:\n${START}    title: "`, () => " ", '"\n'),
  ),
  yaml("keys with dots under a wrong member", (size) =>
    filled(size, `${HEAD}states:\n`, (at) => `  ${"a.".repeat(400)}${at}: { x: 1 }\n`),
  ),
  yaml("aliases to the bound", () => `a: &a [${"x,".repeat(1_200)}]\nb: [${"*a,".repeat(100)}]\n`),
  yaml("anchors without an alias", (size) => filled(size, "a: [", (at) => `&a${at} x,`, "]\n")),
  yaml("lists to the bound of depth", (size) =>
    filled(size, "", () => `${"[".repeat(63)}x${"]".repeat(63)}`, "\n").replace(/^/, "- "),
  ),
  yaml("openings that never close", (size) => filled(size, "a: ", () => "[", "")),
  yaml("block lists in one line", (size) => filled(size, "", () => "- ", "x\n")),
  yaml("explicit keys", (size) => filled(size, "", () => "? ", "x\n")),
  yaml("a key repeated at the end", (size) => filled(size, "", (at) => `k${at}: 1\n`, "k0: 2\n")),
  yaml("escapes in a scalar", (size) => filled(size, 'a: "', () => "\\u2028", '"\n')),
  yaml("a folded scalar of short lines", (size) => filled(size, "a: >\n", () => "  b\n\n")),
  yaml("a plain scalar of short lines", (size) => filled(size, "a:\n", () => "  b\n")),
  yaml("quotes within quotes", (size) => filled(size, "a: '", () => "''", "'\n")),
  yaml("comments", (size) => filled(size, "a: 1\n", () => "# b\n")),
  yaml("empty lines", (size) => filled(size, "a: 1\n", () => "\r\n")),
  yaml("numbers of many digits", (size) => filled(size, "a: ", () => "9", "\n")),
  yaml("documents after documents", (size) => filled(size, "", () => "---\n")),
  yaml("no document at all", (size) => filled(size, "", () => "\u0000")),
  json("lists within lists", (size) => filled(size, "", () => "[")),
  json("names by the ten thousand", (size) =>
    filled(size, '{"states":{"a":{"triggers":{"manual":null}}', (at) => `,"k${at}":0`, "}}"),
  ),
  json("escapes", (size) => filled(size, '{"a":"', () => "\\u2028", '"}')),
  json("small numbers", (size) => filled(size, "[0", () => ",1", "]")),
  json("numbers", (size) => filled(size, "[0", () => ",1e999", "]")),
];
