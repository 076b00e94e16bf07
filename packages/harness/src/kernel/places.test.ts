/** The acceptance cases of zones, skills and mounts (spec 02 §13). */
import { describe, expect, test } from "vitest";
import { MOUNTS, only } from "../machine/governance-fixture.ts";
import { isReservedRootName } from "../spec/paths.ts";
import { inRoot, inWork, type Row, testRows } from "./judge-fixture.ts";

const ZONES: Row[] = [
  [
    "GOV-025",
    {},
    "write_file { file_path: skills/billing/SKILL.md }",
    "zone.read-only",
    [/read-only/, "'skills'", "scratchpad/"],
  ],
  ["GOV-026", {}, 'edit_file { file_path: "./skills/../AGENTS.md" }', "zone.read-only"],
  ["GOV-027", {}, "write_file { file_path: AGENTS.md.bak }", "tool.allowed"],
  ["GOV-028", {}, "write_file { file_path: atlas/eu/x.csv }", "zone.read-only", ["atlas/eu"]],
  ["GOV-028 beside the mount", {}, "write_file { file_path: atlas/uk/x.csv }", "tool.allowed"],
  [
    "GOV-029",
    {},
    "read_file { file_path: checkpoints/c.json }",
    "zone.runtime-internal",
    ["checkpoints/", "artifacts/", "_specs/"],
  ],
  ["GOV-030", {}, "read_file { path: _specs/h.json }", "zone.runtime-internal"],
  ["GOV-031", {}, "write_file { file_path: scratchpad/../checkpoints/c.json }", "zone.runtime-internal"],
  ["GOV-032", {}, "read_file { file_path: Checkpoints/c.json }", "tool.allowed"],
  [
    "GOV-033",
    {},
    "write_file { file_path: large_tool_results/r }",
    "zone.runtime-managed",
    ["large_tool_results/", "conversation_history/"],
  ],
  [
    "GOV-034",
    inWork(only("read_file", "out/**")),
    "read_file { file_path: large_tool_results/r }",
    "tool.offload-read",
  ],
  [
    "GOV-035",
    {},
    "move_file { source: skills/billing/t.md, destination: scratchpad/t.md }",
    "zone.read-only",
    [/\(source\)/],
  ],
  [
    "GOV-035 copied",
    {},
    "copy_file { source: skills/billing/t.md, destination: scratchpad/t.md }",
    "tool.allowed",
  ],
  ["GOV-036", {}, 'read_file { file_path: "../../etc/passwd" }', "tool.allowed"],
  [
    "GOV-037",
    inWork(only("read_file", "**")),
    'read_file { file_path: "../../etc/passwd" }',
    "tool.not-allowed",
  ],
  [
    "GOV-038",
    inWork(only("read_file", "reports/**")),
    "read_file { file_path: reports/../secrets/k }",
    "tool.not-allowed",
  ],
  [
    "GOV-039",
    inWork(only("read_file", "reports/**")),
    'read_file { file_path: "/reports//q3/./x.md" }',
    "tool.allowed",
  ],
  [
    "GOV-040",
    inWork(only("read_file", "reports/**")),
    "read_file { file_path: Reports/x.md }",
    "tool.not-allowed",
  ],
  ["GOV-041", inWork(only("grep", "reports/**")), "grep { pattern: x, path: drafts }", "tool.not-allowed"],
  ["GOV-042", inWork(only("ls", "**")), "ls {}", "tool.not-allowed"],
];

const SKILL_CASES: Row[] = [
  [
    "GOV-043",
    {},
    "read_file { file_path: skills/hr/SKILL.md }",
    "skill.not-allowed",
    ["'hr'", "'work'", /enabled here: billing\./],
  ],
  [
    "GOV-043 granted",
    inWork({ skills: { allow: ["hr"] } }),
    "read_file { file_path: skills/hr/SKILL.md }",
    "tool.allowed",
  ],
  ["GOV-044", {}, "grep { pattern: x, path: skills//billing/../hr }", "skill.not-allowed"],
  [
    "GOV-045",
    inWork({ skills: { forbid: ["billing"] } }),
    "read_file { file_path: skills/billing/SKILL.md }",
    "skill.forbidden",
    ["work"],
  ],
  [
    "GOV-046",
    {
      change: {
        root: { skills: { allow_always: ["billing"], forbid_always: ["hr"] } },
        work: { skills: { allow: ["hr"] } },
      },
    },
    "read_file { file_path: skills/hr/SKILL.md }",
    "skill.forbidden",
    ["skills.forbid_always"],
  ],
  ["GOV-047", {}, "read_file { file_path: skills/hr-archive/x }", "tool.allowed"],
  ["GOV-047 beside the bundles", {}, "read_file { file_path: skills/README.md }", "tool.allowed"],
  ["GOV-048", {}, "archmax_run { file_path: skills/billing/scripts/a.js }", "tool.allowed"],
  [
    "GOV-049",
    inWork(only("archmax_run", "**")),
    "archmax_run { file_path: scratchpad/a.js }",
    "script.skill-only",
  ],
  ["GOV-050", { skills: [] }, "archmax_run { file_path: skills/billing/scripts/a.js }", "script.skill-only"],
  [
    "GOV-051",
    inWork(only("archmax_run", "skills/**")),
    "archmax_run { file_path: skills/hr/scripts/a.js }",
    "skill.not-allowed",
  ],
];

const MOUNT_CASES: Row[] = [
  [
    "GOV-052",
    {},
    "read_file { file_path: vault/a.md }",
    "mount.not-allowed",
    ["'vault'", "'work'", /was not given it/],
  ],
  ["GOV-052 given", {}, "desk: read_file { file_path: vault/a.md }", "tool.allowed"],
  ["GOV-053", {}, "desk: write_file { file_path: vault/a.md }", "mount.read-only", ["scratchpad/"]],
  ["GOV-053 for writing", {}, "desk: write_file { file_path: board/a.md }", "tool.allowed"],
  [
    "GOV-054",
    inRoot({ mounts: { allow_always: [{ mount: "board", access: "read" }] } }),
    "desk: write_file { file_path: board/a.md }",
    "mount.read-only",
  ],
  [
    "GOV-055",
    inWork({ mounts: { forbid: ["memo"] } }),
    "read_file { file_path: memo/a.md }",
    "mount.forbidden",
  ],
  [
    "GOV-056",
    inRoot({ mounts: { forbid_always: ["vault"] } }),
    "desk: read_file { file_path: vault/a.md }",
    "mount.forbidden",
  ],
  ["GOV-057", {}, "ls { path: atlas }", "tool.allowed"],
  [
    "GOV-058",
    {},
    "copy_file { source: vault/a, destination: scratchpad/a }",
    "mount.not-allowed",
    [/\(source\)/],
  ],
];

describe("zones and paths", () => testRows(ZONES));

describe("skills", () => testRows(SKILL_CASES));

describe("mounts", () => testRows(MOUNT_CASES));

test("GOV-101 the first segments of mounts and the run areas are reserved root names", () => {
  const reserved = (name: string) => isReservedRootName(name, MOUNTS);
  expect([reserved("atlas"), reserved("AGENTS.md"), reserved("atla")]).toEqual([true, true, false]);
  expect(isReservedRootName("checkpoints")).toBe(true);
});
