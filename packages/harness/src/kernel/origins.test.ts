/** The acceptance cases of host rules, inheritance, origins and reply-only turns (spec 02 §13). */
import { describe } from "vitest";
import { machineWith } from "../machine/governance-fixture.ts";
import type { GovernanceRule } from "./governance-rule.ts";
import { inheritedDenials } from "./inherited-denials.ts";
import { alwaysForbid, inRoot, inWork, type Row, testRows } from "./judge-fixture.ts";

const houseNoNet: GovernanceRule = (action) =>
  action.kind === "tool-call" && action.tool === "fetch_page"
    ? { decision: "block", ruleId: "house.no-net" }
    : null;
const houseOk: GovernanceRule = () => ({ decision: "allow", ruleId: "house.ok" });
const ancestor = (root: Record<string, unknown>) =>
  inheritedDenials([{ workflow: "parent", machine: machineWith({ root }) }]);
const HOOK = { call: { origin: "lifecycle" } } as const;
const SCRIPT = { call: { origin: "script" } } as const;
const PARKED = { call: { replyOnly: true } } as const;

const ORIGINS: Row[] = [
  [
    "GOV-074",
    inWork({ tools: { allow: ["fetch_page"] } }, { rules: [houseNoNet] }),
    "fetch_page",
    "house.no-net",
  ],
  ["GOV-075", { rules: [houseOk] }, "write_file { file_path: AGENTS.md }", "zone.read-only"],
  ["GOV-076", { ...alwaysForbid("fetch_page"), rules: [houseOk] }, "fetch_page", "tool.forbidden"],
  ["GOV-076 without the denial", { rules: [houseOk] }, "fetch_page", "tool.not-allowed"],
  [
    "GOV-077",
    inWork(
      { tools: { allow: ["fetch_page"] } },
      { rules: ancestor({ tools: { forbid_always: ["fetch_page"] } }) },
    ),
    "fetch_page",
    "tool.forbidden",
    ["parent"],
  ],
  [
    "GOV-078",
    { rules: ancestor({ mounts: { forbid_always: ["vault"] } }), ...HOOK },
    "desk: archiver { source: scratchpad/a, destination: vault/a }",
    "mount.forbidden",
    ["parent"],
  ],
  [
    "GOV-079",
    inWork({ tools: { forbid: ["read_file"] } }, HOOK),
    "read_file { file_path: vault/a }",
    "allow",
  ],
  [
    "GOV-080",
    { ...alwaysForbid("write_file"), ...HOOK },
    "write_file { file_path: out/a }",
    "tool.forbidden",
  ],
  ["GOV-080 read-only", HOOK, "write_file { file_path: AGENTS.md }", "zone.read-only"],
  ["GOV-081", SCRIPT, "fetch_page", "tool.not-allowed"],
  [
    "GOV-082",
    SCRIPT,
    "read_file { file_path: workflows/w/workflow.yaml }",
    "zone.governance-plane",
    ["workflows/", "machine specs", "grading rubrics", "hook scripts", "test cases"],
  ],
  ["GOV-082 agent", {}, "read_file { file_path: workflows/w/workflow.yaml }", "tool.allowed"],
  ["GOV-083", PARKED, "archmax_advance { to: done, reason: x }", "tool.reply-only", [/parked/]],
  ["GOV-083 scratchpad", PARKED, "write_file { file_path: scratchpad/x }", "tool.reply-only"],
  [
    "GOV-083 script",
    { call: { replyOnly: true, origin: "script" } },
    "read_file { file_path: a }",
    "tool.reply-only",
  ],
];

const ORDER: Row[] = [
  ["a malformed path in a reply-only turn", PARKED, "pack { files: 7 }", "tool.path-argument"],
  [
    "a stray script in a reply-only turn",
    PARKED,
    "archmax_run { file_path: scratchpad/a.js }",
    "script.skill-only",
  ],
  [
    "a bundle in a denied mount",
    inWork({ mounts: { forbid: ["skills"] } }),
    "read_file { file_path: skills/hr/a }",
    "skill.not-allowed",
  ],
  [
    "an enabled bundle in a denied mount",
    inWork({ mounts: { forbid: ["skills"] } }),
    "read_file { file_path: skills/billing/a }",
    "mount.forbidden",
  ],
  [
    "a child's own refusal before an inherited one",
    { ...alwaysForbid("fetch_page"), rules: ancestor({ tools: { forbid_always: ["fetch_page"] } }) },
    "fetch_page",
    "tool.forbidden",
    [/denied by tools\.forbid_always/],
  ],
  [
    "an inherited skill denial",
    { rules: ancestor({ skills: { forbid_always: ["billing"] } }) },
    "read_file { file_path: skills/billing/a }",
    "skill.forbidden",
    ["parent"],
  ],
  [
    "a hook under the workflow's skill denial",
    { ...inRoot({ skills: { forbid_always: ["hr"] } }), ...HOOK },
    "read_file { file_path: skills/hr/a }",
    "skill.forbidden",
  ],
  ["a hook in a bundle nobody enabled", HOOK, "read_file { file_path: skills/hr/a }", "allow"],
  [
    "a script's undeclared tool reading the plane",
    { ...inWork({ tools: { allow: ["fetch_page"] } }), ...SCRIPT },
    "fetch_page { path: ./workflows/w }",
    "zone.governance-plane",
  ],
];

describe("rules, inheritance, origins, reply-only", () => testRows(ORIGINS));

describe("the order of the rules decides the id", () => testRows(ORDER));
