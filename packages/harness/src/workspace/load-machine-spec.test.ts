import { describe, expect, test } from "vitest";
import { workflowPaths } from "../spec/workflow-files.ts";
import { loadMachineSpec, loadProblem } from "./load-machine-spec.ts";
import { memoryBackend } from "./testing-fixtures/backends.ts";
import { DESK } from "./testing-fixtures/root.ts";
import { Workspace } from "./workspace.ts";

const paths = workflowPaths("desk");
const YAML = "/workflows/desk/workflow.yaml";
const PROSE = "/workflows/desk/WORKFLOW.md";
const load = async (files: Record<string, string>) =>
  loadMachineSpec(new Workspace(await memoryBackend(files)), paths);

test("WS-093 a valid definition is usable", async () => {
  const loaded = await load({ [YAML]: DESK, [PROSE]: "# Desk\n" });
  expect(loaded).toMatchObject({ layout: "v2", usable: true, specFile: "workflows/desk/workflow.yaml" });
  expect(Object.keys(loaded.spec?.states ?? {})).toEqual(["intake", "done"]);
  expect(loaded.body).toBe("# Desk\n");
  expect(loaded.issues.filter(({ severity }) => severity === "error")).toEqual([]);
});

test("WS-093 a missing one is no layout, not usable, an issue of kind missing", async () => {
  const loaded = await load({});
  expect(loaded).toMatchObject({ layout: "none", usable: false });
  expect(loaded.spec).toBeUndefined();
  expect(loaded.issues).toEqual([expect.objectContaining({ kind: "missing", severity: "error" })]);
});

test("WS-093 a lint error alone leaves it usable", async () => {
  const loaded = await load({ [YAML]: `${DESK}tools: { forbid_always: [archmax_advance] }\n` });
  expect(loaded.issues).toContainEqual(expect.objectContaining({ kind: "lint", severity: "error" }));
  expect(loaded.issues.every(({ kind }) => kind === "lint")).toBe(true);
  expect(loaded.usable).toBe(true);
});

test("a problem is told with its field and its place in the text", async () => {
  const broken = await load({ [YAML]: DESK.replace("to: done", "to: gone") });
  expect(loadProblem(broken)).toMatch(
    /^states\.intake\.transitions\.0\.to: .*"gone".* \(line \d+, column \d+\)$/,
  );
  const unreadable = await load({ [YAML]: "a: 1\na: 2\n" });
  expect(loadProblem(unreadable)).toBe("it is no valid YAML: duplicated mapping key (line 2, column 1)");
  expect(unreadable.issues).toMatchObject([{ kind: "not-a-mapping", line: 2, column: 1 }]);
});

describe("a document that cannot be used", () => {
  test.each([
    ["no YAML", "states: [", "not-a-mapping"],
    ["a repeated key", "instructions: a\ninstructions: b\n", "not-a-mapping"],
    ["a list", "- a\n", "not-a-mapping"],
    ["a scalar", "text", "not-a-mapping"],
    ["nothing", "", "not-a-mapping"],
    ["an alias bomb", `a: &a [x,x,x,x,x,x,x,x,x]\n${bomb()}`, "not-a-mapping"],
    ["no states", "instructions: x\n", "schema"],
  ])("%s is an issue, never an error thrown", async (_what, text, kind) => {
    const loaded = await load({ [YAML]: text });
    expect(loaded.layout).toBe("v2");
    expect(loaded.usable).toBe(false);
    expect(loaded.issues).toContainEqual(expect.objectContaining({ kind, severity: "error" }));
  });

  test("prose with frontmatter competes with it", async () => {
    const loaded = await load({ [YAML]: DESK, [PROSE]: "---\nstates: {}\n---\ntext" });
    expect(loaded.usable).toBe(false);
    expect(loaded.issues).toContainEqual(
      expect.objectContaining({ kind: "competing-machines", file: "workflows/desk/WORKFLOW.md" }),
    );
  });
});

function bomb(): string {
  let text = "";
  for (const [name, of] of ["ba", "cb", "dc", "ed"].map((pair) => [...pair])) {
    text += `${name}: &${name} [${Array(9).fill(`*${of}`).join(",")}]\n`;
  }
  return text;
}
