/** The acceptance cases of tools, denials and host tools (spec 02 §13). */
import { describe } from "vitest";
import { only, SECRETS } from "../machine/governance-fixture.ts";
import { alwaysForbid, guarded, inRoot, inWork, type Row, testRows } from "./judge-fixture.ts";

const LOGS = { tool: "write_file", paths: ["logs/**"] };

const SURFACE: Row[] = [
  ["GOV-001", {}, "read_file { file_path: notes.md }", "tool.allowed"],
  [
    "GOV-002",
    {},
    "fetch_page { q: x }",
    "tool.not-allowed",
    [/not allowed in state/, "fetch_page", "work", "read_file"],
  ],
  ["GOV-002 granted", inWork({ tools: { allow: ["fetch_page"] } }), "fetch_page { q: x }", "tool.allowed"],
  ["GOV-003", inWork({ tools: { allow: [] } }), "fetch_page", "tool.not-allowed"],
  ["GOV-003 without a block", {}, "fetch_page", "tool.not-allowed"],
  ["GOV-004", inRoot({ tools: { allow_always: ["fetch_page"] } }), "done: fetch_page", "tool.allowed"],
  ["GOV-005", inWork(only("write_file", "out/**")), "write_file { file_path: out/r.md }", "tool.allowed"],
  [
    "GOV-006",
    inWork(only("write_file", "out/**")),
    "write_file { file_path: notes/r.md }",
    "tool.not-allowed",
  ],
  [
    "GOV-007",
    inWork(only("write_file", "out/**")),
    "write_file { file_path: scratchpad/r.md }",
    "tool.scratchpad",
  ],
  [
    "GOV-008",
    inRoot({ tools: { allow_always: [{ tool: "write_file", paths: ["out/**"] }] } }),
    "write_file { file_path: notes/r.md }",
    "tool.allowed",
  ],
  [
    "GOV-009",
    {
      change: {
        root: { tools: { allow_always: ["read_file"] } },
        work: { tools: { allow: [{ tool: "read_file", args: { file_path: ["skills/**"] } }] } },
      },
    },
    "read_file { file_path: notes.md }",
    "tool.not-allowed",
  ],
  ["GOV-010", {}, "archmax_wait { reason: x }", "tool.allowed"],
  [
    "GOV-011",
    guarded("archmax_advance", { to: ["done"] }),
    "archmax_advance { to: desk, reason: x }",
    "tool.allowed",
  ],
  ["GOV-012", {}, 'eval { code: "1" }', "tool.eval", ["archmax_eval"]],
  ["GOV-013", inWork({ tools: { allow: ["task"] } }), "task", "tool.ungrantable", ["archmax_workflow_"]],
];

const DENIALS: Row[] = [
  ["GOV-014", alwaysForbid("archmax_wait"), "desk: archmax_wait { reason: x }", "tool.forbidden"],
  [
    "GOV-015",
    inWork({ tools: { forbid: ["archmax_raise"] } }),
    "archmax_raise",
    "tool.forbidden-here",
    ["states.work.tools.forbid"],
  ],
  [
    "GOV-015 elsewhere",
    inWork({ tools: { forbid: ["archmax_raise"] } }),
    "done: archmax_raise",
    "tool.allowed",
  ],
  [
    "GOV-016",
    inWork({ tools: { allow: ["write_file"], forbid: ["write_file"] } }),
    "write_file { file_path: scratchpad/x }",
    "tool.forbidden-here",
  ],
  [
    "GOV-017",
    alwaysForbid(LOGS),
    "write_file { file_path: logs/a.txt }",
    "tool.forbidden",
    ["tools.forbid_always", "paths=logs/"],
  ],
  ["GOV-018", alwaysForbid(LOGS), "write_file { file_path: out/a.txt }", "tool.allowed"],
  ["GOV-019", inRoot(SECRETS), "read_file { file_path: secrets/.env }", "tool.forbidden"],
  ["GOV-020", inRoot(SECRETS), 'ls { path: "/secrets/" }', "tool.forbidden"],
  [
    "GOV-021",
    inRoot(SECRETS),
    "copy_file { source: secrets/k, destination: scratchpad/k }",
    "tool.forbidden",
  ],
  [
    "GOV-021 exchanged",
    inRoot(SECRETS),
    "copy_file { source: scratchpad/k, destination: secrets/k }",
    "tool.forbidden",
  ],
  ["GOV-022", inRoot(SECRETS), "write_file { file_path: out/../secrets/k }", "tool.forbidden"],
  [
    "GOV-023",
    inWork({ tools: { forbid: ["*"] } }),
    "archmax_advance { to: done, reason: x }",
    "tool.forbidden-here",
  ],
  [
    "GOV-024",
    alwaysForbid({ tool: "write_file", args: { file_path: ["${{dir}}/**"] } }),
    "write_file { file_path: out/a }",
    "tool.forbidden",
  ],
];

const HOST_TOOLS: Row[] = [
  ["GOV-059", {}, "render { path: scratchpad/x.md }", "tool.scratchpad"],
  ["GOV-060", {}, "mailer { attachment: scratchpad/x.pdf }", "tool.not-allowed"],
  ["GOV-061", {}, "pack { files: [out/a, vault/b] }", "mount.not-allowed"],
  ["GOV-062", {}, "pack { files: [out/a, 3] }", "tool.path-argument", ["'files'", "'pack'"]],
  ["GOV-062 number", {}, "pack { files: 7 }", "tool.path-argument"],
  ["GOV-062 mapping", {}, "pack { files: { path: x } }", "tool.path-argument"],
  ["GOV-062 omitted", {}, "pack {}", "tool.allowed"],
  [
    "GOV-063",
    inWork(only("mailer", "out/**")),
    "mailer { attachment: [out/a, notes/b] }",
    "tool.not-allowed",
  ],
  [
    "GOV-063 all inside",
    inWork(only("mailer", "out/**")),
    "mailer { attachment: [out/a, out/b] }",
    "tool.allowed",
  ],
  ["GOV-064", inWork(only("mailer", "out/**")), "mailer { attachment: [] }", "tool.not-allowed"],
  ["GOV-065", inWork({ tools: { allow: ["fetch_page"] } }), "fetch_page { path: vault/a }", "tool.allowed"],
];

describe("the surface", () => testRows(SURFACE));

describe("denials", () => testRows(DENIALS));

describe("host tools", () => testRows(HOST_TOOLS));
