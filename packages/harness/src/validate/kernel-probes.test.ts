import fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "../kernel/decide.ts";
import { MOUNTS, SKILLS } from "../machine/governance-fixture.ts";
import { WorkflowMachine } from "../machine/workflow-machine.ts";
import { parseMachineSpec } from "../spec/validate.ts";
import { probeGrants } from "./kernel-probes.ts";

const tool = fc.constantFrom(
  "read_file",
  "write_file",
  "edit_file",
  "ls",
  "copy_file",
  "move_file",
  "remove_file",
  "archmax_run",
);
const path = fc.constantFrom(
  "out/a.md",
  "memo/a.md",
  "AGENTS.md",
  "skills/billing/scripts/a.js",
  "skills/hr/SKILL.md",
  "vault/a.md",
  "board/a.md",
  "atlas/eu/a.md",
  "checkpoints/c",
  "large_tool_results/r",
  "conversation_history/h",
  "scratchpad/a.md",
  "secrets/k",
  "workflows/w/workflow.yaml",
  "/out//a.md",
);
const entry = fc.tuple(tool, path).map(([name, glob]) => ({ tool: name, paths: [glob] }));
const denial = fc.oneof(
  tool,
  fc.tuple(fc.oneof(tool, fc.constant("*")), path).map(([name, glob]) => ({ tool: name, paths: [glob] })),
);
const names = (...known: string[]) => fc.subarray(known);

test("property: a path that is granted without a finding is not refused when it is called", () => {
  let passed = 0;
  fc.assert(
    fc.property(
      fc.array(entry, { minLength: 1, maxLength: 4 }),
      fc.array(denial, { maxLength: 2 }),
      fc.array(denial, { maxLength: 1 }),
      fc.record({ allow: names("billing", "hr"), forbid: names("hr") }),
      fc.record({ allow: names("vault", "board", "atlas/eu"), forbid: names("memo", "vault") }),
      (allow, forbid, always, skills, mounts) => {
        const parsed = parseMachineSpec({
          tools: { forbid_always: always },
          states: { work: { triggers: { manual: null }, tools: { allow, forbid }, skills, mounts } },
        });
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
        const { spec } = parsed;
        const machine = WorkflowMachine.fromSpec(spec);
        const found = probeGrants({ workflow: "w", spec, machine, mounts: MOUNTS, skills: SKILLS });
        if (found.length > 0) return;
        for (const { tool: name, paths } of allow) {
          const [given] = paths;
          const args = Object.fromEntries(machine.pathArgs(name).map((argument) => [argument, given]));
          const verdict = decide(
            machine,
            { kind: "tool-call", state: "work", tool: name, args },
            [],
            MOUNTS,
            {},
            SKILLS,
          );
          expect([name, given, verdict.ruleId, verdict.decision]).toEqual([
            name,
            given,
            verdict.ruleId,
            "allow",
          ]);
          passed += 1;
        }
      },
    ),
    { numRuns: 2000 },
  );
  expect(passed).toBeGreaterThan(200);
});
