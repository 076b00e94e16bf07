import { dump } from "js-yaml";
import { largeWorkflow } from "./large-workflow.ts";

/** A document that is meant to cost the validator as much as a text of its size can. */
export interface HostileDocument {
  readonly name: string;
  readonly syntax: "yaml" | "json";
  readonly text: string;
}

/** The largest document the validator service takes, in bytes. */
const SIZE = 262_144;

const HEAD = "instructions: x\n";
const START = "  a:\n    triggers: { manual: }\n";

/** A text of the largest size: a beginning, as many pieces as fit, an end. */
function filled(head: string, piece: (at: number) => string, tail = ""): string {
  const pieces: string[] = [];
  let room = SIZE - Buffer.byteLength(head + tail);
  for (let at = 0; ; at += 1) {
    const next = piece(at);
    room -= Buffer.byteLength(next);
    if (room < 0) return head + pieces.join("") + tail;
    pieces.push(next);
  }
}

function largest(write: (document: unknown) => string): string {
  let fits = "";
  for (let states = 10; ; states += 10) {
    const text = write(largeWorkflow(states));
    if (Buffer.byteLength(text) > SIZE) return fits;
    fits = text;
  }
}

const word = (at: number, length: number) => at.toString(36).padStart(length, "x");

/** Texts of 256 KB, each aimed at one part of the reader or the validator. */
export function hostileDocuments(): HostileDocument[] {
  const yaml = (name: string, text: string): HostileDocument => ({ name, syntax: "yaml", text });
  const json = (name: string, text: string): HostileDocument => ({ name, syntax: "json", text });
  const state = (key: string, piece: (at: number) => string) =>
    filled(`${HEAD}states:\n${START}    ${key}: [`, piece, "]\n");
  const shared = word(0, 60).replaceAll("x", "k");
  return [
    yaml(
      "sound, block style",
      largest((document) => dump(document)),
    ),
    yaml(
      "sound, flow style",
      largest((document) => dump(document, { flowLevel: 1 })),
    ),
    json(
      "sound, JSON",
      largest((document) => JSON.stringify(document)),
    ),
    yaml(
      "states by the ten thousand",
      filled(`${HEAD}states:\n${START}`, (at) => `  s${at}:\n`),
    ),
    yaml(
      "edges to nowhere",
      state("transitions", (at) => `{to: g${at}, description: d},`),
    ),
    yaml(
      "edges to names nearly declared",
      filled(
        `${HEAD}states:\n${Array.from({ length: 64 }, (_, at) => `  ${shared}${word(at, 4)}:\n`).join("")}${START}    transitions: [`,
        (at) =>
          `{to: ${shared}${word(at * 7, 4)
            .toUpperCase()
            .replaceAll("X", "q")}, description: d},`,
        "]\n",
      ),
    ),
    yaml(
      "one trigger in every state",
      filled(`${HEAD}states:\n${START}`, (at) => `  s${at}: {triggers: {manual: }}\n`),
    ),
    yaml(
      "unknown keys in a state",
      filled(`${HEAD}states:\n${START}`, (at) => `    k${at}: 1\n`),
    ),
    yaml(
      "unknown keys in a trigger",
      filled(`${HEAD}states:\n  a:\n    triggers:\n      manual:\n`, (at) => `        k${at}: 1\n`),
    ),
    yaml(
      "names required twice",
      state("requires", (at) => `v${at % 9_000},`),
    ),
    yaml(
      "names that are none",
      state("requires", () => "A,"),
    ),
    yaml(
      "a signature of repeats",
      filled(`${HEAD}states:\n  a:\n    triggers: { manual: { requires: [`, () => "a,", "] } }\n"),
    ),
    yaml(
      "a signature of bad entries",
      filled(
        `${HEAD}states:\n  a:\n    triggers: { manual: { returns: [`,
        () => "{name: A, b: c},",
        "] } }\n",
      ),
    ),
    yaml(
      "tool entries with unknown keys",
      filled(`${HEAD}states:\n${START}    tools: { allow: [`, () => "{tool: x, foo: 1},", "] }\n"),
    ),
    yaml(
      "hooks of no kind",
      state("after", () => "{x: 1, y: 2},"),
    ),
    yaml(
      "hooks with two kinds",
      state("before", () => "{script: hooks/c.js, rubric: {}},"),
    ),
    yaml(
      "skills granted twice",
      filled(
        `${HEAD}skills: { allow_always: [${Array.from({ length: 18_000 }, (_, at) => `s${at}`).join(",")}] }\nstates:\n${START}    skills: { allow: [`,
        (at) => `s${17_999 - at},`,
        "] }\n",
      ),
    ),
    yaml(
      "empty grants under a long one",
      filled(
        `${HEAD}skills: { allow_always: [${Array.from({ length: 18_000 }, (_, at) => `s${at}`).join(",")}] }\nstates:\n${START}`,
        (at) => `  s${at}: {skills: {allow: []}}\n`,
      ),
    ),
    yaml(
      "mounts granted twice",
      filled(
        `${HEAD}mounts: { allow_always: [${Array.from({ length: 18_000 }, (_, at) => `m${at}`).join(",")}] }\nstates:\n${START}    mounts: { allow: [`,
        (at) => `m${17_999 - at},`,
        "] }\n",
      ),
    ),
    yaml(
      "tools allowed and forbidden",
      filled(
        `${HEAD}states:\n${START}    tools: { forbid: [${Array.from({ length: 18_000 }, (_, at) => `t${at}`).join(",")}], allow: [`,
        (at) => `t${17_999 - at},`,
        "] }\n",
      ),
    ),
    yaml(
      "a long state of many skills, in every state",
      filled(
        `${HEAD}skills: { forbid_always: [${Array.from({ length: 18_000 }, (_, at) => `s${at}`).join(",")}] }\nstates:\n${START}`,
        (at) => `  s${at}: {skills: {forbid: [s]}}\n`,
      ),
    ),
    yaml(
      "guards on no variable",
      filled(
        `${HEAD}states:\n${START}    tools: { allow: [{ tool: t, paths: [`,
        () => '"${{v}}",',
        "] }] }\n",
      ),
    ),
    yaml(
      "a guard of openings",
      filled(`${HEAD}states:\n${START}    tools: { allow: [{ tool: t, paths: "`, () => "${{", '" }] }\n'),
    ),
    yaml(
      "a guard of references",
      filled(`${HEAD}states:\n${START}    tools: { allow: [{ tool: t, paths: "`, () => "${{v}}", '" }] }\n'),
    ),
    yaml(
      "a path of dots",
      filled(
        `${HEAD}states:\n${START}    tools: { allow: [{ tool: write_file, paths: "`,
        () => "../a/",
        '" }] }\n',
      ),
    ),
    yaml(
      "a session path of dots",
      filled(`${HEAD}states:\n  a:\n    triggers: { manual: { session: a`, () => ".b", " } }\n"),
    ),
    yaml(
      "a mount name of segments",
      filled(`${HEAD}states:\n${START}    mounts: { allow: [a`, () => "/b", "/] }\n"),
    ),
    yaml(
      "a hook script of segments",
      filled(`${HEAD}states:\n${START}    after: { script: hooks`, () => "/b", " }\n"),
    ),
    yaml(
      "white space that trims",
      filled(`${HEAD}states:\n${START}    title: "`, () => " ", '"\n'),
    ),
    yaml(
      "keys with dots under a wrong member",
      filled(`${HEAD}states:\n`, (at) => `  ${"a.".repeat(400)}${at}: { x: 1 }\n`),
    ),
    yaml("aliases to the bound", `a: &a [${"x,".repeat(1_200)}]\nb: [${"*a,".repeat(100)}]\n`),
    yaml(
      "anchors without an alias",
      filled("a: [", (at) => `&a${at} x,`, "]\n"),
    ),
    yaml(
      "lists to the bound of depth",
      filled("", () => `${"[".repeat(63)}x${"]".repeat(63)}`, "\n").replace(/^/, "- "),
    ),
    yaml(
      "openings that never close",
      filled("a: ", () => "[", ""),
    ),
    yaml(
      "block lists in one line",
      filled("", () => "- ", "x\n"),
    ),
    yaml(
      "explicit keys",
      filled("", () => "? ", "x\n"),
    ),
    yaml(
      "a key repeated at the end",
      filled("", (at) => `k${at}: 1\n`, "k0: 2\n"),
    ),
    yaml(
      "escapes in a scalar",
      filled('a: "', () => "\\u2028", '"\n'),
    ),
    yaml(
      "a folded scalar of short lines",
      filled("a: >\n", () => "  b\n\n"),
    ),
    yaml(
      "a plain scalar of short lines",
      filled("a:\n", () => "  b\n"),
    ),
    yaml(
      "quotes within quotes",
      filled("a: '", () => "''", "'\n"),
    ),
    yaml(
      "comments",
      filled("a: 1\n", () => "# b\n"),
    ),
    yaml(
      "empty lines",
      filled("a: 1\n", () => "\r\n"),
    ),
    yaml(
      "numbers of many digits",
      filled("a: ", () => "9", "\n"),
    ),
    yaml(
      "documents after documents",
      filled("", () => "---\n"),
    ),
    yaml(
      "no document at all",
      filled("", () => "\u0000"),
    ),
    json(
      "lists within lists",
      filled("", () => "["),
    ),
    json(
      "names by the ten thousand",
      filled('{"states":{"a":{"triggers":{"manual":null}}', (at) => `,"k${at}":0`, "}}"),
    ),
    json(
      "escapes",
      filled('{"a":"', () => "\\u2028", '"}'),
    ),
    json(
      "numbers",
      filled("[0", () => ",1e999", "]"),
    ),
  ];
}
