/**
 * Documents made from sound ones by a fixed seed: as trees, with values replaced, keys renamed, added or taken away,
 * written as JSON, which is YAML; and as texts, with lines or characters lost, doubled or moved.
 */
import fc from "fast-check";
import { load } from "js-yaml";
import {
  INCIDENT_TRIAGE,
  INVOICE_APPROVAL,
} from "../../../packages/harness/src/spec/testing-fixtures/examples.ts";
import { machine, type TestDocument } from "./document.ts";

const SEED = 20_261_201;
const TREES = 160;
const TEXTS = 80;

const SOURCES = [INVOICE_APPROVAL, INCIDENT_TRIAGE, machine()];

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  "",
  "  ",
  "*",
  "ghost",
  "archmax_advance",
  "read_file",
  "${{1bad}}",
  "${{nowhere}}",
  "../escape",
  [],
  [null],
  ["v", "v"],
  {},
  { tool: "write_file", paths: "scratchpad/x" },
  { script: "hooks/x.js", max_iterations: 1 },
  { to: "ghost", description: "d" },
];
const ODD_KEYS = [
  "colour",
  "toString",
  "__proto__",
  "type",
  "tools",
  "model",
  "before",
  "requires",
  "Bad Key",
  "",
];

type Node = Record<string, unknown> | unknown[];
interface Step {
  what: "replace" | "remove" | "rename" | "add" | "double";
  where: number;
  which: number;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Every member of the tree that can be changed: the mapping or list it is in, and its key. */
function members(node: Node): [Node, string][] {
  return Object.entries(node).flatMap(([key, value]) => [
    [node, key] as [Node, string],
    ...(isNode(value) ? members(value) : []),
  ]);
}

function change(tree: Node, { what, where, which }: Step): void {
  const all = members(tree);
  const found = all[where % all.length];
  if (found === undefined) return;
  const [node, key] = found;
  const odd = structuredClone(ODD_VALUES[which % ODD_VALUES.length]);
  const name = ODD_KEYS[which % ODD_KEYS.length] ?? "";
  if (Array.isArray(node)) {
    const at = Number(key);
    if (what === "remove") node.splice(at, 1);
    else if (what === "double") node.push(structuredClone(node[at]));
    else if (what === "add") node.splice(at, 0, odd);
    else node[at] = odd;
    return;
  }
  const value = node[key];
  if (what === "remove" || what === "rename") delete node[key];
  if (what === "replace") node[key] = odd;
  // By definition, not by assignment: `__proto__` is to be a key like any other.
  if (what === "rename" || what === "add" || what === "double") {
    const given = what === "add" ? odd : structuredClone(value);
    Object.defineProperty(node, name, { value: given, enumerable: true, writable: true, configurable: true });
  }
}

function changedTree(source: number, steps: readonly Step[]): string {
  const tree = load(SOURCES[source] ?? "") as Node;
  for (const step of steps) change(tree, step);
  return JSON.stringify(tree, undefined, source === 0 ? 2 : undefined);
}

function changedText(source: number, steps: readonly Step[]): string {
  let lines = (SOURCES[source] ?? "").split("\n");
  for (const { what, where, which } of steps) {
    const at = where % lines.length;
    const line = lines[at] ?? "";
    const cut = which % (line.length + 1);
    if (what === "remove") lines.splice(at, 1);
    else if (what === "double") lines.splice(which % lines.length, 0, line);
    else if (what === "rename") lines[at] = ` ${line}`;
    else if (what === "add")
      lines[at] = `${line.slice(0, cut)}${":{}[]-*&!|>'\"%@`,?#"[which % 20]}${line.slice(cut)}`;
    else lines = [...lines.slice(0, at), line.slice(0, cut), ...lines.slice(at + 1)];
  }
  return lines.join("\n");
}

const step = fc.record<Step>({
  what: fc.constantFrom("replace", "remove", "rename", "add", "double"),
  where: fc.nat(10_000),
  which: fc.nat(10_000),
});

/** As many documents as asked for, no two alike. */
function distinct(
  count: number,
  steps: { minLength: number; maxLength: number },
  make: (source: number, steps: readonly Step[]) => string,
  title: string,
): TestDocument[] {
  const texts = fc
    .sample(fc.tuple(fc.nat(SOURCES.length - 1), fc.array(step, steps)), { seed: SEED, numRuns: count * 3 })
    .map(([source, taken]) => make(source, taken));
  return [...new Set(texts)].slice(0, count).map((text, at) => ({ title: `${title} ${at}`, text }));
}

export const GENERATED_DOCUMENTS: readonly TestDocument[] = [
  ...distinct(TREES, { minLength: 0, maxLength: 4 }, changedTree, "tree"),
  ...distinct(TEXTS, { minLength: 1, maxLength: 3 }, changedText, "text"),
];
