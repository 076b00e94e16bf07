/** One document or more for each document rule (X) and each lint (L) of the workflow language, 2.1 and 2.2. */
import { machine, type TestDocument } from "./document.ts";

const HUMAN = "type: human\ninstructions: Decide.\n";

/** By rule: what it finds, and the document. */
const RULES: readonly (readonly [rule: string, finds: string, text: string])[] = [
  ["X1", "error states", "instructions: x\nstates: {}\n"],
  ["X2", "error states.a.transitions.0.to", machine({ a: "transitions: [{ to: ghost, description: d }]" })],
  [
    "X2",
    "error states.a.transitions.0.to",
    machine({ a: "transitions: [{ to: toString, description: d }]" }),
  ],
  ["X3", "error states.a.on_error", machine({ a: "on_error: ghost" })],
  ["X4", "error states.a.before", machine({ a: "before: { script: hooks/a.js, max_iterations: 2 }" })],
  ["X5", "error states.a.tools.allow.0", machine({ a: 'tools: { allow: ["*"] }' })],
  ["X5", "error tools.allow_always.1", machine({ root: 'tools: { allow_always: [ls, "*"] }' })],
  [
    "X6",
    "error states.a.tools.allow.0",
    machine({ a: 'tools: { allow: [{ tool: t, args: { x: "${{1bad}}" } }] }' }),
  ],
  [
    "X6",
    "error states.a.tools.forbid.0",
    machine({ a: 'tools: { forbid: [{ tool: t, paths: "${{a..b}}" }] }' }),
  ],
  [
    "X6",
    "error tools.forbid_always.0",
    machine({ root: 'tools: { forbid_always: [{ tool: t, paths: "${{ }}" }] }' }),
  ],
  ["X7", "error states", machine({ z: "triggers: { manual: }" })],
  ["X8", "error states", "instructions: x\nstates:\n  a:\n"],
  ["X9", "error tests.maxConcurrency", machine({ root: "tests: { maxConcurrency: 2 }" })],
  ["L1", "warning instructions", "states: { a: { triggers: { manual: } } }\n"],
  ["L2", "warning disabled", machine({ root: "disabled: true" })],
  ["L3", "warning tools.allow_always", machine({ root: "tools: { allow_always: [read_file] }" })],
  [
    "L4",
    "warning skills.forbid_always",
    machine({ root: "skills: { allow_always: [s], forbid_always: [s] }" }),
  ],
  [
    "L5",
    "warning mounts.forbid_always",
    machine({ a: "mounts: { allow: [m] }", root: "mounts: { forbid_always: [m] }" }),
  ],
  ["L6", "error tools.forbid_always", machine({ root: "tools: { forbid_always: [archmax_advance] }" })],
  ["L7", "warning states.a.model", machine({ a: "model: small", root: "settings: { model: small }" })],
  [
    "L8",
    "warning states.a.skills.allow",
    machine({ a: "skills: { allow: [] }", root: "skills: { allow_always: [s] }" }),
  ],
  [
    "L9",
    "warning states.a.mounts.allow",
    machine({ a: "mounts: { allow: [m] }", root: "mounts: { allow_always: [m] }" }),
  ],
  ["L10", "warning states.a.mounts.allow", machine({ a: "mounts: { allow: [m], forbid: [m] }" })],
  ["L11", "warning states.a.skills.allow", machine({ a: "skills: { allow: [s], forbid: [s] }" })],
  ["L12", "warning states.a.skills.forbid", machine({ a: "skills: { forbid: [s] }" })],
  ["L13", "warning states.a.tools.allow", machine({ a: "tools: { allow: [t], forbid: [t] }" })],
  [
    "L14",
    "warning states.a.instructions",
    machine({ a: "transitions: [{ to: z, description: d }, { to: a, description: d }]" }),
  ],
  [
    "L15",
    "error states.z.instructions",
    machine({ z: "type: human\ntransitions: [{ to: a, description: d }]" }),
  ],
  ["L15", "error states.z.transitions", machine({ z: HUMAN })],
  [
    "L15",
    "error states.z.transitions.0.to",
    machine({ z: `${HUMAN}transitions: [{ to: z, description: d }]` }),
  ],
  [
    "L15",
    "error states.z.transitions",
    machine({
      z: `${HUMAN}transitions: [{ to: a, type: reject, description: d }, { to: a, type: reject, description: e }]`,
    }),
  ],
  [
    "L16",
    "error states.z.before",
    machine({ z: `${HUMAN}before: []\ntransitions: [{ to: a, description: d }]` }),
  ],
  ["L17", "warning states.a.requires", machine({ a: "requires: [v, v]" })],
  [
    "L18",
    "warning states.a.tools.allow",
    machine({ a: "tools: { allow: [{ tool: write_file, paths: scratchpad/x }] }" }),
  ],
  ["L19", "warning states.a.triggers.manual", machine({ a: "triggers: { manual: { colour: red } }" })],
  [
    "L20",
    "warning states.a.tools.forbid",
    machine({ a: 'tools: { forbid: [{ tool: t, args: { x: "${{nowhere}}" } }] }' }),
  ],
];

export const RULE_DOCUMENTS: readonly TestDocument[] = RULES.map(([rule, finds, text]) => ({
  title: `${rule} on ${finds}`,
  text,
  finds,
}));

/** The labels that have a document here. */
export const RULES_SHOWN: readonly string[] = [...new Set(RULES.map(([rule]) => rule))];
