/**
 * `npm run bench:kernel`: how many decisions the kernel makes in a second, on one core.
 *
 * A workflow whose every state has 30 grants, over a workspace of 10 mounts and 8 skills, and a mix of the calls a
 * session makes: granted and refused, on paths of every zone, guarded by fixed globs and by variables. The same mix is
 * measured with 10, 40 and 400 states: the number of states must not show. Prints the rate of the mix for each, and
 * that of each kind of call for 40 states.
 *
 * `-- --seconds 1` measures for less time.
 */
import { parseArgs } from "node:util";
import { type MountPrefixes, parseMachineSpec, type VariableStore } from "@archmax-ai/harness/spec";
import type { ToolCallAction } from "../../packages/harness/src/kernel/action.ts";
import { decide } from "../../packages/harness/src/kernel/decide.ts";
import { WorkflowMachine } from "../../packages/harness/src/machine/workflow-machine.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "2" } } });
const seconds = Number(values.seconds);
if (!(seconds > 0)) throw new Error("--seconds takes a number above zero.");

/** Decisions a second the kernel is meant to make here. */
const AIM = 200_000;
const GRANTS = 30;

const MOUNTS: MountPrefixes = {
  dirs: ["skills", ".platform", "policies", "catalogs", "catalogs/eu", "contracts", "memo", "vault", "board"],
  files: ["AGENTS.md"],
  writable: ["memo", "vault", "board"],
  governed: ["catalogs/eu", "contracts", "vault", "board"],
  unsearchable: ["contracts"],
};

const SKILLS = ["billing", "claims", "hr", "legal", "notes", "onboarding", "pricing", "terms"].map(
  (slug) => ({
    slug,
    prefix: `skills/${slug}`,
  }),
);

const VARIABLES: VariableStore = {
  case_id: { value: "K-2024-0815", locked: true },
  region: { value: "eu-central", locked: true },
  order: { value: { id: "O-77", lines: [{ sku: "A-1" }, { sku: "B-2" }] }, locked: true },
};

/** Thirty entries: bare host tools, narrowed file tools, guards with fixed globs and with references. */
function grants(): unknown[] {
  const narrowed = [
    { tool: "write_file", paths: ["out/${{case_id}}/**", "reports/**"] },
    { tool: "edit_file", paths: ["out/**"] },
    { tool: "copy_file", paths: ["out/**", "vault/**", "scratchpad/**"] },
    { tool: "orders__get", args: { id: "${{order.id}}" } },
    { tool: "orders__search", args: { region: ["eu-*", "${{region}}"], "filter.sku": ["A-*", "B-*"] } },
    { tool: "mail__send", args: { to: ["*@example.test", "*@example.org"] } },
  ];
  const bare = Array.from({ length: GRANTS - narrowed.length }, (_, index) => `host__tool_${index}`);
  return [...narrowed, ...bare];
}

function machineOf(states: number): WorkflowMachine {
  const slugs = Array.from({ length: states }, (_, index) => `state-${index}`);
  const document = {
    instructions: "Bench.",
    tools: {
      forbid_always: [
        { tool: "*", paths: ["secrets/**"] },
        { tool: "write_file", paths: ["logs/**"] },
      ],
    },
    skills: { allow_always: ["notes"], forbid_always: ["hr"] },
    mounts: { allow_always: ["catalogs/eu"] },
    states: Object.fromEntries(
      slugs.map((slug, index) => [
        slug,
        {
          instructions: "Work.",
          ...(index === 0 ? { triggers: { manual: null } } : {}),
          tools: { allow: grants(), forbid: ["host__tool_23"] },
          skills: { allow: ["billing", "terms"] },
          mounts: { allow: ["vault", { mount: "board", access: "read_write" }] },
          transitions: slugs[index + 1] === undefined ? [] : [{ to: slugs[index + 1], description: "Next." }],
        },
      ]),
    ),
  };
  const parsed = parseMachineSpec(document);
  if (!parsed.ok) throw new Error(`The bench document is not valid: ${JSON.stringify(parsed.issues)}`);
  return WorkflowMachine.fromSpec(parsed.spec);
}

/** The calls of the mix, each with the rule that has to answer it. */
const CALLS: [tool: string, args: Record<string, unknown>, rule: string][] = [
  ["read_file", { file_path: "skills/billing/SKILL.md" }, "tool.allowed"],
  ["read_file", { file_path: "/policies/2024/returns.md" }, "tool.allowed"],
  ["read_file", { file_path: "catalogs/eu/a.csv" }, "tool.allowed"],
  ["read_file", { file_path: "scratchpad/plan.md" }, "tool.scratchpad"],
  ["write_file", { file_path: "scratchpad/comparison.md", content: "x" }, "tool.scratchpad"],
  ["write_file", { file_path: "out/K-2024-0815/report.md", content: "x" }, "tool.allowed"],
  ["write_file", { file_path: "out/K-9/report.md", content: "x" }, "tool.not-allowed"],
  ["write_file", { file_path: "AGENTS.md", content: "x" }, "zone.read-only"],
  ["copy_file", { source: "vault/a.md", destination: "out/a.md" }, "tool.allowed"],
  ["grep", { pattern: "total", path: "out" }, "tool.allowed"],
  ["ls", { path: "/" }, "tool.allowed"],
  ["read_file", { file_path: "contracts/a.pdf" }, "mount.not-allowed"],
  ["read_file", { file_path: "skills/legal/SKILL.md" }, "skill.not-allowed"],
  ["read_file", { file_path: "secrets/key" }, "tool.forbidden"],
  ["host__tool_7", { q: "x" }, "tool.allowed"],
  ["host__tool_23", { q: "x" }, "tool.forbidden-here"],
  ["orders__get", { id: "O-77" }, "tool.allowed"],
  ["orders__search", { region: "eu-west", filter: { sku: "B-2" } }, "tool.allowed"],
  ["mail__send", { to: "someone@elsewhere.test" }, "tool.not-allowed"],
  ["archmax_advance", { to: "state-1", reason: "done" }, "tool.allowed"],
];

function actionsOf(machine: WorkflowMachine, calls: typeof CALLS): ToolCallAction[] {
  // Ten states, however many there are: each has compiled globs of its own, and what is measured is the number of
  // states, not how many of them fit the processor's caches.
  const { states } = machine;
  const visited = Array.from(
    { length: 10 },
    (_, at) => states[Math.floor((at * (states.length - 1)) / 9)] ?? "",
  );
  return visited.flatMap((state) =>
    calls.map(([tool, args]): ToolCallAction => ({ kind: "tool-call", state, tool, args })),
  );
}

function check(machine: WorkflowMachine): void {
  for (const [tool, args, rule] of CALLS) {
    const action: ToolCallAction = { kind: "tool-call", state: machine.states[0] ?? "", tool, args };
    const { ruleId } = decide(machine, action, [], MOUNTS, VARIABLES, SKILLS);
    if (ruleId !== rule)
      throw new Error(`In the benchmark ${tool} was answered by ${ruleId} instead of ${rule}.`);
  }
}

/** Decisions a second over the actions, round after round. */
function rateOf(machine: WorkflowMachine, actions: readonly ToolCallAction[], forSeconds: number): number {
  let decisions = 0;
  const started = performance.now();
  let elapsed = 0;
  while (elapsed < forSeconds * 1000) {
    for (let round = 0; round < 20; round++) {
      for (const action of actions) decide(machine, action, [], MOUNTS, VARIABLES, SKILLS);
    }
    decisions += 20 * actions.length;
    elapsed = performance.now() - started;
  }
  return (decisions / elapsed) * 1000;
}

/** How many slices each figure is measured in. They take turns, so that a noisy machine disturbs all alike. */
const SLICES = 9;

/** The median and the best slice of each: the best is what the code does where nothing else runs. */
function measured(runs: readonly (() => number)[]): { median: number; best: number }[] {
  const samples = runs.map((): number[] => []);
  for (let slice = -1; slice < SLICES; slice++) {
    for (const [index, run] of runs.entries()) {
      const rate = run();
      if (slice >= 0) samples[index]?.push(rate); // the first slice warms up
    }
  }
  return samples.map((rates) => {
    const sorted = rates.toSorted((one, other) => one - other);
    return { median: sorted[SLICES >> 1] ?? 0, best: sorted.at(-1) ?? 0 };
  });
}

const figure = (rate: number) => `${Math.round(rate).toLocaleString("en-US").padStart(10)} /s`;
const line = ({ median, best }: { median: number; best: number }) =>
  `median ${figure(median)}, best ${figure(best)}`;

const machines = [10, 40, 400].map((states) => ({ states, machine: machineOf(states) }));
for (const { machine } of machines) check(machine);

const mixes = measured(
  machines.map(({ machine }) => {
    const actions = actionsOf(machine, CALLS);
    return () => rateOf(machine, actions, seconds / SLICES);
  }),
);
console.log(
  `decisions of the mix, ${GRANTS} grants a state, ${MOUNTS.dirs.length + MOUNTS.files.length} mounts`,
);
for (const [index, { states }] of machines.entries()) {
  const aim = states === 40 ? ` (aim: at least ${AIM.toLocaleString("en-US")} /s)` : "";
  console.log(
    `  ${String(states).padStart(3)} states  ${line(mixes[index] ?? { median: 0, best: 0 })}${aim}`,
  );
}

const forty = machines[1]?.machine;
if (forty !== undefined) {
  const rates = measured(
    CALLS.map((call) => {
      const actions = actionsOf(forty, [call]);
      return () => rateOf(forty, actions, seconds / SLICES / 10);
    }),
  );
  console.log("by call, 40 states");
  for (const [index, [tool, args, rule]] of CALLS.entries()) {
    const rate = line(rates[index] ?? { median: 0, best: 0 });
    console.log(`  ${rate}  ${rule.padEnd(20)} ${tool} ${JSON.stringify(args)}`);
  }
}
