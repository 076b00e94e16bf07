/** The kernel and the whole agent answer alike: what `decide` allows runs, what it blocks does not. */
import { ToolMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { createMiddleware } from "langchain";
import { expect, test } from "vitest";
import { decide } from "../kernel/decide.ts";
import { MOUNTS, SKILLS, store } from "../machine/governance-fixture.ts";
import { WorkflowMachine } from "../machine/workflow-machine.ts";
import { parseMachineSpec } from "../spec/validate.ts";
import type { MountSpec } from "../workspace/mounts.ts";
import { memoryBackend } from "../workspace/testing-fixtures/backends.ts";
import { calling, desk, hostTool, speaking } from "./turn-fixture.ts";

const BUILT_IN = [
  "read_file",
  "write_file",
  "edit_file",
  "ls",
  "glob",
  "grep",
  "copy_file",
  "move_file",
  "remove_file",
];
const HOST = ["fetch_page", "mailer", "render"];
const TOOL_PATHS = { mailer: { attachment: "read" }, render: { path: "read" } } as const;
const SEEDS = { case_id: "K-9", wild: "*", order: { to: ["a", "out"] } };

const bundle = (slug: string) => `---\nname: ${slug}\ndescription: Does ${slug}.\n---\n`;
const skills = await memoryBackend({ "/billing/SKILL.md": bundle("billing"), "/hr/SKILL.md": bundle("hr") });
const files = await memoryBackend({ "/a.md": "a", "/AGENTS.md": "persona" });
/** The mounts of the governance cases, each over a backend. */
const mounts: Record<string, MountSpec> = {
  "/skills/": skills,
  "/memo/": { backend: files, readOnly: false },
  "/vault/": { backend: files, readOnly: false, governed: true },
  "/board/": { backend: files, readOnly: false, governed: true },
  "/atlas/eu/": { backend: files, governed: true },
  "/AGENTS.md": files,
};

const toolName = fc.constantFrom(...BUILT_IN, ...HOST, "archmax_get_variables", "write_todos");
const glob = fc.constantFrom(
  "**",
  "*",
  "out/**",
  "*.md",
  "scratchpad/*",
  "skills/**",
  "vault/**",
  "memo/a.md",
  "out/${{case_id}}/**",
  "${{wild}}",
  "${{order.to.-1}}/*",
  "${{unset}}/x",
  "{out,memo}/**",
  "!(out)/**",
  "",
);
const globs = fc.oneof(glob, fc.array(glob, { maxLength: 3 }));
const guards = fc.oneof(
  globs.map((paths) => ({ paths })),
  fc
    .dictionary(fc.constantFrom("file_path", "path", "destination", "attachment", "q"), globs, { maxKeys: 2 })
    .map((args) => ({ args })),
);
const entry = (tool: fc.Arbitrary<string>) =>
  fc.oneof(
    tool,
    fc.tuple(tool, guards).map(([name, guard]) => ({ tool: name, ...guard })),
  );
const some = <T>(element: fc.Arbitrary<T>) => fc.array(element, { maxLength: 4 });
const denial = entry(fc.oneof({ weight: 6, arbitrary: toolName }, fc.constant("*")));
const slug = fc.constantFrom("billing", "hr");
const mount = fc.constantFrom("memo", "vault", "board", "atlas/eu", "AGENTS.md");
const grant = fc.oneof(
  mount,
  fc.record({ mount, access: fc.constantFrom("read", "read_write") }, { requiredKeys: ["mount"] }),
);
const lists = <G, D>(given: fc.Arbitrary<G>, denied: fc.Arbitrary<D>) =>
  fc.record({ given: some(given), denied: some(denied) }, { requiredKeys: [] });
const surface = fc.record({
  tools: lists(entry(toolName), denial),
  skills: lists(slug, slug),
  mounts: lists(grant, mount),
});

type Surface = Record<"tools" | "skills" | "mounts", { given?: unknown[]; denied?: unknown[] }>;

/** A surface as a document writes it: `allow` and `forbid` in a state, `allow_always` and `forbid_always` at the root. */
function written(blocks: Surface, suffix: "" | "_always"): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(blocks).map(([key, { given, denied }]) => [
      key,
      {
        ...(given === undefined ? {} : { [`allow${suffix}`]: given }),
        ...(denied === undefined ? {} : { [`forbid${suffix}`]: denied }),
      },
    ]),
  );
}

const START = { triggers: { manual: null } };
const state = fc.constantFrom("work", "done");
const documents = fc.tuple(surface, surface, surface, state).map(([root, work, done, start]) => ({
  instructions: "x",
  ...written(root, "_always"),
  states: {
    work: {
      ...(start === "work" ? START : {}),
      ...written(work, ""),
      transitions: [{ to: "done", description: "d" }],
    },
    done: { ...(start === "done" ? START : {}), ...written(done, "") },
  },
}));

const path = fc.constantFrom(
  "out/K-9/a.md",
  "./out//x.md",
  "memo/a.md",
  "scratchpad/a.md",
  "scratchpad/../checkpoints/c",
  "large_tool_results/r",
  "AGENTS.md",
  "AGENTS.md.bak",
  "skills/billing/SKILL.md",
  "/skills//hr/SKILL.md",
  "vault/a.md",
  "atlas/eu/a.md",
  "atlas",
  "workflows/desk/workflow.yaml",
  "../x",
  "/",
  // The session's own id in front of a declared path: the same file, and the same verdict as without it.
  "s1/checkpoints/c",
  "/s1//scratchpad/a.md",
);
const withoutOwnId = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutOwnId)
    : typeof value === "string"
      ? value.replace(/^\/?s1\/+/, "")
      : value;

const pathValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: path },
  fc.array(path, { maxLength: 2 }),
  fc.constantFrom<unknown>(null, 7),
);
const args = fc.dictionary(
  fc.constantFrom("file_path", "path", "source", "destination", "attachment", "q", "pattern", "content"),
  pathValue,
  { maxKeys: 5 },
);
const made = fc.array(fc.tuple(fc.oneof(toolName, fc.constantFrom("eval", "task")), args), {
  minLength: 1,
  maxLength: 8,
});

/** `q` of `write_todos` is no path: the session's id stays in it, and the guard sees the text as written. */
const OWN_ID_IN_A_PLAIN_ARGUMENT: [Record<string, unknown>, [string, Record<string, unknown>][]] = [
  {
    instructions: "x",
    states: {
      done: { ...START, tools: { forbid: [{ tool: "write_todos", args: { q: "scratchpad/*" } }] } },
    },
  },
  [["write_todos", { q: "/s1//scratchpad/a.md" }]],
];

const isServedByTheRuntime = (tool: string) => tool.startsWith("archmax_");

test("property: a call runs iff the kernel allows it, and a refusal is the kernel's own", async () => {
  const seen = { allowed: 0, blocked: 0 };
  await fc.assert(
    fc.asyncProperty(documents, made, async (document, calls) => {
      const parsed = parseMachineSpec(document);
      fc.pre(parsed.ok);
      const machine = WorkflowMachine.fromSpec(parsed.spec, ["render"], TOOL_PATHS);
      const ran = new Set<string>();
      const recorder = createMiddleware({
        name: "Recorder",
        wrapToolCall: (request, handler) => {
          ran.add(request.toolCall.id ?? "");
          return handler(request);
        },
      });
      // The list of todos is written once in a message: the runtime refuses a second list, whatever the kernel says.
      const message = calling(
        ...calls.filter(
          ([tool], index) => tool !== "write_todos" || index === calls.findIndex(([name]) => name === tool),
        ),
      );
      const { agent } = await desk(document, [message, speaking("ok")], {
        tools: HOST.map((name) => hostTool(name)),
        essentialTools: ["render"],
        toolPaths: TOOL_PATHS,
        mounts,
        variables: SEEDS,
        middleware: [recorder],
      });
      const { messages } = (await agent.invoke(
        { messages: "m" },
        { configurable: { thread_id: "s1" } },
      )) as unknown as { messages: ToolMessage[] };
      const variables = store({ ...SEEDS, trigger: "manual" });
      for (const { id = "", name: tool, args: given } of message.tool_calls ?? []) {
        const declared = machine.pathArgumentNames(tool);
        const judged = Object.fromEntries(
          Object.entries(given).map(([name, value]) => [
            name,
            declared.includes(name) ? withoutOwnId(value) : value,
          ]),
        );
        const action = { kind: "tool-call", state: machine.entryState, tool, args: judged } as const;
        const verdict = decide(machine, action, [], MOUNTS, variables, SKILLS);
        const answer = messages.find((each) => ToolMessage.isInstance(each) && each.tool_call_id === id);
        const allowed = verdict.decision === "allow";
        seen[allowed ? "allowed" : "blocked"] += 1;
        if (!isServedByTheRuntime(tool)) expect([tool, given, ran.has(id)]).toEqual([tool, given, allowed]);
        expect(answer?.additional_kwargs.governance_blocked === true).toBe(!allowed);
        const asWritten = JSON.stringify(judged) === JSON.stringify(given);
        if (!allowed && asWritten) expect(answer?.content).toBe(verdict.reason);
      }
    }),
    { numRuns: 150, examples: [OWN_ID_IN_A_PLAIN_ARGUMENT] },
  );
  expect(Math.min(seen.allowed, seen.blocked)).toBeGreaterThan(40);
}, 180_000); // hundreds of turns: seconds in memory, a minute over a store on the network
