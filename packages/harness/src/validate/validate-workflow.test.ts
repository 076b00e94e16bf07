/** The acceptance cases of the static checks (spec 02 §12, §13), and the rows of its table. */
import { dump as stringify } from "js-yaml";
import { describe, expect, test } from "vitest";
import { MOUNTS, SECRETS } from "../machine/governance-fixture.ts";
import type { Diagnostic } from "../spec/diagnostics.ts";
import { memoryBackend } from "../workspace/testing-fixtures/backends.ts";
import { rootDirectory, writeFiles } from "../workspace/testing-fixtures/root.ts";
import { createWorkspaceContext } from "../workspace/workspace-context.ts";
import { type ValidateWorkflowOptions, validateWorkflow } from "./validate-workflow.ts";

type Keys = Record<string, unknown>;

/** The document of the governance cases, with these keys in its states or at its root. */
function document({ root = {}, work = {}, desk = {}, done = {} }: Record<string, Keys> = {}): Keys {
  return {
    instructions: "Work.",
    skills: { allow_always: ["billing"] },
    mounts: { allow_always: [] },
    ...root,
    states: {
      work: {
        instructions: "Choose.",
        triggers: { manual: null },
        transitions: [
          { to: "desk", description: "More." },
          { to: "done", description: "Done." },
        ],
        ...work,
      },
      desk: {
        mounts: { allow: ["vault", { mount: "board", access: "read_write" }, "atlas/eu"] },
        transitions: [{ to: "done", description: "Done." }],
        ...desk,
      },
      done,
    },
  };
}

const SKILL = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\n`;

/** A backend that holds the workflow `w` and the bundles of the cases. */
const backendWith = (spec: unknown, files: Record<string, string> = {}) =>
  memoryBackend({
    "/workflows/w/workflow.yaml": stringify(spec),
    "/skills/billing/SKILL.md": SKILL("billing"),
    "/skills/hr/SKILL.md": SKILL("hr"),
    ...files,
  });

/** The findings of `w` under the mounts of the cases, unless a case says otherwise. */
async function findings(
  spec: unknown,
  options: Partial<ValidateWorkflowOptions> = {},
  files: Record<string, string> = {},
): Promise<Diagnostic[]> {
  const backend = await backendWith(spec, files);
  return (await validateWorkflow({ workflow: "w", backend, mounts: MOUNTS, ...options })).diagnostics;
}

const inWork = (allow: unknown[], root: Keys = {}) => document({ work: { tools: { allow } }, root });
const FIELD = "states.work.tools.allow";

/** Findings as `severity field: message`, the shape an expectation reads best. */
const lines = (found: readonly Diagnostic[]) =>
  found.map(({ severity, field = "", message }) => `${severity} ${field}: ${message}`);

const errors = (found: readonly Diagnostic[]) => lines(found).filter((line) => line.startsWith("error"));

test("the document of the cases has no finding", async () => {
  const backend = await backendWith(document());
  expect(await validateWorkflow({ workflow: "w", backend, mounts: MOUNTS })).toEqual({
    valid: true,
    workflow: "w",
    diagnostics: [],
  });
});

describe("kernel probes", () => {
  test("GOV-106 a grant to write where nobody writes", async () => {
    const found = await findings(inWork([{ tool: "write_file", paths: ["checkpoints/**", "AGENTS.md"] }]));
    expect(lines(found)).toEqual([
      expect.stringMatching(`^error ${FIELD}: "write_file" on "checkpoints/\\*\\*"`),
      expect.stringMatching(`^error ${FIELD}: "write_file" on "AGENTS.md" .*zone.read-only`),
    ]);
  });

  test("GOV-107 scripts are granted out of bundles the state enables", async () => {
    const runs = (glob: string) => findings(inWork([{ tool: "archmax_run", paths: [glob] }]));
    expect(lines(await runs("**"))).toEqual([expect.stringMatching(`^error ${FIELD}: .*"\\*\\*"`)]);
    expect(await runs("skills/**")).toEqual([]);
    expect(lines(await runs("skills/hr/scripts/**"))).toEqual([
      expect.stringMatching(`^error ${FIELD}: .*skills/hr/scripts.*"hr"`),
    ]);
    expect(await runs("skills/billing/scripts/a.js")).toEqual([]);
    expect(errors(await runs("scratchpad/a.js"))).toHaveLength(1);
  });

  test("GOV-108 nothing grants task", async () => {
    const found = await findings(inWork(["task"], { tools: { allow_always: ["task"] } }));
    expect(errors(found)).toEqual([
      expect.stringMatching(/^error tools\.allow_always: "task"/),
      expect.stringMatching(`^error ${FIELD}: "task"`),
    ]);
  });

  test("GOV-109 a grant that a denial takes back, and one below workflows/", async () => {
    const denied = await findings(inWork(["fetch_page"], { tools: { forbid_always: ["fetch_page"] } }));
    expect(lines(denied)).toEqual([expect.stringMatching(`^error ${FIELD}: .*"fetch_page" is void`)]);
    const plane = await findings(inWork([{ tool: "read_file", paths: ["workflows/**"] }]));
    expect(lines(plane)).toEqual([expect.stringMatching(`^error ${FIELD}: .*workflows/`)]);
  });

  test("GOV-110 mount names are checked when the host says what it serves", async () => {
    const spec = document({
      work: { tools: { allow: [{ tool: "read_file", paths: ["vault/x"] }] } },
      root: { mounts: { allow_always: ["ghost"] } },
    });
    expect(lines(await findings(spec))).toEqual([
      expect.stringMatching(/^error mounts\.allow_always: .*"ghost"/),
      expect.stringMatching(`^warning ${FIELD}: .*"vault/x".*"vault"`),
    ]);
    const unknown = await findings(spec, { mounts: undefined, skills: [] });
    expect(lines(unknown).filter((line) => /vault|ghost/.test(line))).toEqual([]);
  });

  test("a target of archmax_advance is a state, and an edge of this one", async () => {
    const advance = (...to: string[]) => [{ tool: "archmax_advance", args: { to } }];
    const spec = document({
      work: { tools: { allow: advance("desk", "nowhere", "d*", "work", "${{next}}") }, requires: ["next"] },
    });
    expect(lines(await findings(spec))).toEqual([
      expect.stringMatching(`^warning ${FIELD}: .*"nowhere"`),
      expect.stringMatching(/^warning states\.work\.transitions: .*'work' to 'work'/),
    ]);
  });

  test("each mutating argument is probed, one finding for a glob that bears on several", async () => {
    const found = await findings(
      inWork([
        { tool: "copy_file", args: { source: ["AGENTS.md"], destination: ["AGENTS.md"] } },
        { tool: "move_file", paths: ["skills/billing/x.md", "large_tool_results/**"] },
        { tool: "remove_file", paths: ["memo/a", "out/?"] },
        { tool: "read_file", paths: ["large_tool_results/**", "artifacts/**"] },
      ]),
    );
    expect(lines(found)).toEqual([
      expect.stringMatching(/"copy_file" on "AGENTS.md" .*zone.read-only.*\(destination\)/),
      expect.stringMatching(/"move_file" on "skills\/billing\/x.md" .*\(source\)/),
      expect.stringMatching(/"move_file" on "large_tool_results/),
      expect.stringMatching(/"read_file" on "artifacts/),
    ]);
  });

  test("a denial of a spelled-out path is found, one that names a variable is not taken for unset", async () => {
    const denied = await findings(inWork([{ tool: "write_file", paths: ["secrets/k", "out/k"] }], SECRETS));
    expect(lines(denied)).toEqual([expect.stringMatching(/"write_file" on "secrets\/k".*tool.forbidden/)]);
    const dir = { tools: { forbid_always: [{ tool: "write_file", paths: ["${{case.dir}}/**"] }] } };
    const requires = { requires: ["case"] };
    const spec = document({
      root: dir,
      work: { tools: { allow: [{ tool: "write_file", paths: ["out/k", "${{case.dir}}/k"] }] }, ...requires },
    });
    expect(lines(await findings(spec))).toEqual([expect.stringMatching(/"\$\{\{case.dir\}\}\/k"/)]);
  });

  test("a glob to write into a mount the state may only read, or that is denied", async () => {
    const writes = {
      tools: { allow: [{ tool: "write_file", paths: ["vault/**", "board/**", "memo/a", "memo/**"] }] },
    };
    const { mounts } = (document().states as Record<string, Keys>).desk as { mounts: Keys };
    const found = await findings(document({ desk: { ...writes, mounts: { ...mounts, forbid: ["memo"] } } }));
    expect(lines(found)).toEqual([
      expect.stringMatching(/^warning states\.desk\.tools\.allow: .*"vault\/\*\*".*"vault".*may only read/),
      expect.stringMatching(/^warning states\.desk\.tools\.allow: .*"memo\/a".*"memo"/),
      expect.stringMatching(/^warning states\.desk\.tools\.allow: .*"memo\/\*\*".*"memo"/),
    ]);
  });

  test("a glob into a bundle or a governed mount the state is kept from", async () => {
    const found = await findings(
      inWork([
        { tool: "grep", args: { path: "skills/hr/**" } },
        { tool: "fetch_page", args: { file_path: ["skills/hr/a", "vault/a"], q: ["skills/hr/a"] } },
        { tool: "ls", paths: ["atlas/eu", "atlas/eu/*", "skills/hr"] },
      ]),
    );
    expect(lines(found)).toEqual([
      expect.stringMatching(/^error .*"grep" on "skills\/hr\/\*\*".*"hr"/),
      expect.stringMatching(/^error .*"fetch_page" on "skills\/hr\/a".*"hr"/),
      expect.stringMatching(/^warning .*"fetch_page" on "vault\/a".*"vault"/),
      expect.stringMatching(/^warning .*"ls" on "atlas\/eu" .*mount\.not-allowed/),
      expect.stringMatching(/^warning .*"ls" on "atlas\/eu\/\*".*"atlas\/eu"/),
      expect.stringMatching(/^error .*"ls" on "skills\/hr" .*skill\.not-allowed/),
    ]);
  });
});

describe("the document", () => {
  test("slugs", async () => {
    const spec = { ...document(), states: { "Not A Slug": { triggers: { manual: null } }, " ": {} } };
    const backend = await memoryBackend({ "/workflows/My_Flow/workflow.yaml": stringify(spec) });
    const { diagnostics, valid } = await validateWorkflow({ workflow: "My_Flow", backend, skills: [] });
    expect(valid).toBe(false);
    expect(errors(diagnostics).map((line) => line.split(":")[0])).toEqual(
      expect.arrayContaining(["error workflow", "error states.Not A Slug", "error states"]),
    );
    const blank = await validateWorkflow({ workflow: " ", backend });
    expect(lines(blank.diagnostics)).toEqual([expect.stringMatching(/^error workflow: .*blank/)]);
  });

  test("what the loader finds comes first, and a missing or unreadable document is a finding", async () => {
    const missing = await validateWorkflow({ workflow: "none", backend: await memoryBackend() });
    expect(missing).toEqual({
      valid: false,
      workflow: "none",
      diagnostics: [{ severity: "error", message: "there is no workflows/none/workflow.yaml" }],
    });
    const torn = await memoryBackend({ "/workflows/w/workflow.yaml": "states: [" });
    expect((await validateWorkflow({ workflow: "w", backend: torn })).valid).toBe(false);
    const { instructions: _dropped, ...silent } = document();
    expect((await findings(silent))[0]).toEqual({
      severity: "warning",
      field: "instructions",
      file: "workflows/w/workflow.yaml",
      message: expect.any(String),
    });
  });

  test("an unsupported runtime contract", async () => {
    const found = await findings(document({ root: { runtime: { version: "9" } } }));
    expect(lines(found)).toEqual([expect.stringMatching(/^error runtime: .*archmax-harness@9/)]);
  });

  test("allow_always in an area of the runtime's", async () => {
    const entry = { tool: "fetch_page", args: { file_path: ["conversation_history/**", "out/**"] } };
    const found = await findings(document({ root: { tools: { allow_always: [entry] } } }));
    expect(lines(found)).toEqual([
      expect.stringMatching(/^error tools\.allow_always: .*"conversation_history\/\*\*"/),
    ]);
  });
});

describe("hooks", () => {
  const hook = (before: unknown, root: Keys = {}) => document({ work: { before }, root });

  test("a script is there and imports nothing foreign", async () => {
    const files = {
      "/workflows/w/hooks/good.js":
        'import { ok } from "@archmax-ai/harness/sandbox";\nexport default () => ok();\n',
      "/workflows/w/hooks/bad.js": 'import fs from "node:fs";\n',
      "/workflows/w/hooks/torn.mjs": "export default (",
    };
    const scripts = ["good.js", "bad.js", "torn.mjs", "none.js"].map((name) => ({ script: `hooks/${name}` }));
    expect(lines(await findings(hook(scripts), {}, files))).toEqual([
      expect.stringMatching(/^error states\.work\.before: .*hooks\/bad\.js imports "node:fs"/),
      expect.stringMatching(/^error states\.work\.before: .*hooks\/torn\.mjs does not parse/),
      expect.stringMatching(/^error states\.work\.before: .*hooks\/none\.js is missing/),
    ]);
  });

  test("a custom kind is declared", async () => {
    const custom = { webhook: "https://h.test/x" };
    expect(errors(await findings(hook(custom)))).toEqual([
      expect.stringMatching(/states\.work\.before: .*"webhook"/),
    ]);
    expect(await findings(hook(custom, { extensions: { hooks: ["webhook"] } }))).toEqual([]);
    expect(await findings(hook({ rubric: { instructions: "Fair?" } }))).toEqual([]);
  });
});

describe("skills", () => {
  test("names nobody has, in any list", async () => {
    const found = await findings(
      document({
        root: { skills: { allow_always: ["ghost"] } },
        work: { skills: { forbid: ["spook", "billing"] } },
      }),
    );
    expect(errors(found)).toEqual([
      expect.stringMatching(/^error skills\.allow_always: .*"ghost"/),
      expect.stringMatching(/^error states\.work\.skills\.forbid: .*"spook"/),
    ]);
  });

  test("bundles that are misnamed, shadowed or unusable, and a document that says nothing of skills", async () => {
    const { skills: _dropped, ...silent } = document();
    const found = await findings(
      silent,
      { skills: ["skills/", "skills/billing"] },
      {
        "/skills/Other_Case/SKILL.md": SKILL("other"),
        "/skills/empty/SKILL.md": "no frontmatter",
      },
    );
    expect(lines(found)).toEqual([
      expect.stringMatching(/^warning skills: there is no skills block/),
      expect.stringMatching(/^warning skills: .*skills\/empty/),
      expect.stringMatching(/^warning skills: .*billing.*shadows/),
      expect.stringMatching(/^error skills: .*Other_Case.*no skill slug/),
      expect.stringMatching(/^error skills: .*"other".*"Other_Case"/),
    ]);
  });
});

describe("mounts", () => {
  test("grants that open nothing and denials of what nothing enables", async () => {
    const found = await findings(
      document({
        root: { mounts: { allow_always: ["memo"], forbid_always: ["ghost"] } },
        work: { mounts: { allow: [{ mount: "atlas/eu", access: "read_write" }], forbid: ["vault", "memo"] } },
      }),
    );
    expect(lines(found)).toEqual([
      expect.stringMatching(/^warning mounts\.allow_always: .*"memo".*not governed/),
      expect.stringMatching(/^warning states\.work\.mounts\.allow: .*"atlas\/eu".*read-only/),
      expect.stringMatching(/^error mounts\.forbid_always: .*"ghost"/),
      expect.stringMatching(/^warning states\.work\.mounts\.forbid: .*"vault"/),
    ]);
  });

  test("governed mounts without a mounts block", async () => {
    const { mounts: _dropped, ...silent } = document({ desk: { mounts: {} } });
    expect(lines(await findings(silent))).toEqual([
      expect.stringMatching(/^warning mounts: .*vault, board, atlas\/eu/),
    ]);
  });
});

describe("delegation", () => {
  const calling = (...targets: string[]) => ({
    tools: { allow: targets.map((slug) => `archmax_workflow_${slug}`) },
  });
  const flow = (state: Keys, root: Keys = {}) =>
    stringify({ instructions: "x", ...root, states: { go: { triggers: { manual: null }, ...state } } });

  test("targets that cannot be called, said of the state that calls", async () => {
    const found = await findings(
      document({ work: calling("Bad_Slug", "ghost", "torn", "quiet", "off") }),
      {},
      {
        "/workflows/torn/workflow.yaml": "states: 3",
        "/workflows/quiet/workflow.yaml": stringify({ states: { go: { triggers: { mail: null } } } }),
        "/workflows/off/workflow.yaml": flow({}, { disabled: true }),
      },
    );
    expect(lines(found)).toEqual([
      expect.stringMatching(/^error states: .*"work".*"Bad_Slug" is no workflow slug/),
      expect.stringMatching(/^error states: .*"work".*no workflows\/ghost\/workflow\.yaml/),
      expect.stringMatching(/^warning states: .*"work".*off, which is disabled/),
      expect.stringMatching(/^error states: .*"work".*quiet, and no state of it declares the trigger manual/),
      expect.stringMatching(/^error states: .*"work".*torn\/workflow\.yaml cannot be loaded/),
    ]);
  });

  test("circles and chains past the default depth", async () => {
    const found = await findings(
      document({ work: calling("w", "a") }),
      {},
      {
        "/workflows/a/workflow.yaml": flow(calling("b")),
        "/workflows/b/workflow.yaml": flow(calling("c", "a")),
        "/workflows/c/workflow.yaml": flow(calling("d")),
        "/workflows/d/workflow.yaml": flow({}),
      },
    );
    expect(lines(found)).toEqual([
      expect.stringMatching(/^error states: .*"go" of "b".*w → a → b → a$/),
      expect.stringMatching(/^error states: .*"go" of "c".*3 delegations: w → a → b → c → d$/),
      expect.stringMatching(/^error states: .*"work" of "w".*w → w$/),
    ]);
  });

  test("a state no session reaches calls nothing", async () => {
    const spec = document();
    (spec.states as Record<string, Keys>).island = calling("ghost");
    expect(errors(await findings(spec))).toEqual([]);
  });
});

describe("sources", () => {
  test("a root is the working directory when nothing is given, and absent when everything is", async () => {
    const root = await rootDirectory();
    const here = await validateWorkflow({ rootDir: root, workflow: "desk" });
    expect(here).toMatchObject({ valid: true, rootDir: root });
    const authoring = await backendWith(document());
    const whole = await validateWorkflow({ workflow: "w", authoring, mounts: {}, skills: [] });
    expect(Object.hasOwn(whole, "rootDir")).toBe(false);
    expect((await validateWorkflow({ workflow: "nope" })).rootDir).toBe(process.cwd());
    await expect(validateWorkflow({ workflow: "w", authoring })).rejects.toMatchObject({
      name: "WorkspaceRootRequiredError",
      option: "mounts",
    });
    await expect(validateWorkflow({ workflow: "w", authoring, mounts: MOUNTS })).rejects.toMatchObject({
      name: "WorkspaceRootRequiredError",
    });
  });

  test("a table and its resolved prefixes say the same", async () => {
    const root = await rootDirectory();
    await writeFiles(root, {
      "workflows/w/workflow.yaml": stringify(document({ root: { mounts: { allow_always: ["ghost"] } } })),
      "skills/billing/SKILL.md": SKILL("billing"),
    });
    const { mountPrefixes } = createWorkspaceContext({ rootDir: root });
    const backend = await backendWith(document());
    const table = { "/skills/": backend, "/.platform/": backend, "/AGENTS.md": backend };
    const byPrefixes = await validateWorkflow({ rootDir: root, workflow: "w", mounts: mountPrefixes });
    expect(errors(byPrefixes.diagnostics)).toEqual([
      expect.stringMatching(/ghost.*skills, \.platform, AGENTS\.md/),
      expect.stringMatching(/desk.*vault/),
      expect.stringMatching(/desk.*board/),
      expect.stringMatching(/desk.*atlas/),
    ]);
    const byTable = await validateWorkflow({
      rootDir: root,
      workflow: "w",
      mounts: table,
      skills: ["skills/skills/"],
    });
    expect(errors(byTable.diagnostics)).toEqual(errors(byPrefixes.diagnostics));
  });
});
