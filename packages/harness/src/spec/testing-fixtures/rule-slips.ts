import fc from "fast-check";
import { isMapping } from "../shapes.ts";

/** Members whose shape is sound and that break a rule of the document. The workflow language, 2.1. */
const STATE_SLIPS: readonly Readonly<Record<string, unknown>>[] = [
  { transitions: [{ to: "ghost", description: "d" }] },
  { transitions: [{ to: "valueOf", description: "d" }] },
  { on_error: "ghost" },
  { on_error: "" },
  { before: { script: "hooks/c.js", max_iterations: 0 } },
  { before: [{ pager: "x" }, { script: "hooks/c.js", max_iterations: 1 }] },
  { tools: { allow: ["*"] } },
  { tools: { allow: ["x", { tool: "*", paths: ["**"] }] } },
  { tools: { allow: [{ tool: "x", args: { a: ["ok", "${{}}"] } }] } },
  { tools: { forbid: [{ tool: "x", paths: "${{From-Email}}/${{q..b}}" }] } },
];

const ROOT_SLIPS: readonly Readonly<Record<string, unknown>>[] = [
  { states: {} },
  { states: { a: null, b: { triggers: {} } } },
  { states: { a: { triggers: { manual: null } }, b: { triggers: { manual: null } } } },
  { tests: { maxConcurrency: 2 } },
  { tools: { allow_always: [{ tool: "*" }] } },
  { tools: { forbid_always: [{ tool: "x", args: { "a.b": "${{ .id }}" } }] } },
];

type Slip =
  | { readonly root: Readonly<Record<string, unknown>> }
  | { readonly state: Readonly<Record<string, unknown>>; readonly at: number };

/** A document whose shape is sound and that breaks one or more rules. */
export function slippedDocument(document: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const slip: fc.Arbitrary<Slip> = fc.oneof(
    fc.record({ root: fc.constantFrom(...ROOT_SLIPS) }),
    fc.record({ state: fc.constantFrom(...STATE_SLIPS), at: fc.nat() }),
  );
  return fc
    .tuple(document, fc.array(slip, { minLength: 1, maxLength: 3 }))
    .map(([original, slips]) => slips.reduce<unknown>(slipped, original));
}

function slipped(document: unknown, slip: Slip): unknown {
  if (!isMapping(document)) return document;
  if ("root" in slip) return { ...document, ...slip.root };
  const states = Object.entries(isMapping(document.states) ? document.states : {});
  const [slug, state] = states[slip.at % Math.max(1, states.length)] ?? ["a", {}];
  const changed = { ...(isMapping(state) ? state : {}), ...slip.state };
  return { ...document, states: Object.fromEntries([...states, [slug, changed]]) };
}
