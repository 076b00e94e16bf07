import { expect, test } from "vitest";
import { MOUNTS, machineWith, SKILLS } from "../machine/governance-fixture.ts";
import { readEvidence } from "./evidence.ts";

const machine = machineWith({
  review: {
    type: "human",
    instructions: "Decide.",
    transitions: [{ to: "done", description: "Done." }],
  },
});

function read(to: string, evidence: string[] | undefined) {
  return readEvidence(evidence, { machine, from: "work", to, mounts: MOUNTS, skills: SKILLS });
}

test("GOV-102 evidence for a state that is no person's is refused; an empty list is none", () => {
  expect(read("desk", ["scratchpad/a"])).toMatchObject({ ok: false, reason: expect.stringMatching("desk") });
  expect(read("desk", [])).toEqual({ ok: true, paths: [] });
  expect(read("desk", undefined)).toEqual({ ok: true, paths: [] });
});

test("GOV-103 at most twenty paths, counted before repeats are dropped", () => {
  expect(read("review", Array(21).fill("scratchpad/a"))).toMatchObject({ ok: false });
  expect(read("review", Array(20).fill("scratchpad/a"))).toEqual({ ok: true, paths: ["scratchpad/a"] });
});

test("GOV-104 paths are trimmed, canonicalized and refused outside the workspace's readable part", () => {
  for (const path of ["../x", "", ".", "checkpoints/c"]) expect(read("review", [path]).ok).toBe(false);
  expect(read("review", [" scratchpad/a ", "./scratchpad/a"])).toEqual({ ok: true, paths: ["scratchpad/a"] });
});

test("GOV-105 paths the state left cannot reach are refused", () => {
  expect(read("review", ["vault/a"]).ok).toBe(false);
  expect(read("review", ["skills/hr/x"]).ok).toBe(false);
  expect(read("review", ["skills/billing/x"]).ok).toBe(true);
});
