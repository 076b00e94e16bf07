/** The workspace, the tools and the document the governance cases are written against (spec 02 §13). */
import { load } from "js-yaml";
import type { MountPrefixes } from "../spec/paths.ts";
import { parseMachineSpec } from "../spec/validate.ts";
import type { VariableStore } from "../spec/variables.ts";
import type { SkillPrefixes } from "./skill-table.ts";
import { WorkflowMachine } from "./workflow-machine.ts";

export const MOUNTS: MountPrefixes = {
  dirs: ["skills", "memo", "vault", "board", "atlas/eu"],
  files: ["AGENTS.md"],
  writable: ["memo", "vault", "board"],
  governed: ["vault", "board", "atlas/eu"],
  unsearchable: [],
};

export const SKILLS: SkillPrefixes = [
  { slug: "billing", prefix: "skills/billing" },
  { slug: "hr", prefix: "skills/hr" },
];

const ESSENTIAL = ["render", "pack", "archiver"];

const TOOL_PATHS = {
  mailer: { attachment: "read" },
  render: { path: "read" },
  pack: { files: "read" },
  archiver: { source: "remove", destination: "write" },
} as const;

const DOCUMENT = `
skills: { allow_always: [billing] }
mounts: { allow_always: [] }
states:
  work: { triggers: { manual: }, transitions: [{ to: desk, description: More. }, { to: done, description: Done. }] }
  desk: { mounts: { allow: [vault, { mount: board, access: read_write }, atlas/eu] }, transitions: [{ to: done, description: Done. }] }
  done: {}
`;

/** Keys that replace those of the document's root, or of the states named. */
export interface SpecChange {
  readonly root?: Record<string, unknown>;
  readonly [state: string]: Record<string, unknown> | undefined;
}

/** The machine of the document under a change. The changed document has to pass the schema. */
export function machineWith(change: SpecChange = {}): WorkflowMachine {
  const { root = {}, ...states } = change;
  const document = load(DOCUMENT) as { states: Record<string, object> };
  for (const [slug, keys] of Object.entries(states)) {
    document.states[slug] = { ...document.states[slug], ...keys };
  }
  const parsed = parseMachineSpec({ ...document, ...root });
  if (parsed.spec === undefined)
    throw new Error(`the changed document is invalid: ${JSON.stringify(parsed)}`);
  return WorkflowMachine.fromSpec(parsed.spec, ESSENTIAL, TOOL_PATHS);
}

/** A variable store of unlocked values. */
export function store(values: Record<string, unknown>): VariableStore {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, locked: false }]));
}

/** A state's `tools` that grants one tool on one glob. */
export function only(tool: string, glob: string): Record<string, unknown> {
  return { tools: { allow: [{ tool, paths: [glob] }] } };
}

/** The root's `tools` that denies `secrets/` to every tool. */
export const SECRETS = { tools: { forbid_always: [{ tool: "*", paths: ["secrets/**"] }] } };
