import { readYamlDocument } from "../document/read-yaml.ts";
import { type LocatedDiagnostic, validateDocument } from "../document/validate-document.ts";
import type { MachineSpec } from "../spec/schema.ts";
import { isMapping } from "../spec/shapes.ts";
import type { Workspace } from "./workspace.ts";

/** What kind of finding a load reports (spec 01 §2). */
export type LoadIssueKind = "missing" | "not-a-mapping" | "schema" | "competing-machines" | "lint";

/** One finding of a load; `field` addresses the document, `line` and `column` its text. */
export interface LoadIssue extends LocatedDiagnostic {
  kind: LoadIssueKind;
}

/** A workflow definition as loaded. */
export interface LoadedMachineSpec {
  spec?: MachineSpec;
  issues: LoadIssue[];
  /** The prose of `WORKFLOW.md`. */
  body?: string;
  /** `v2` when a `workflow.yaml` was found. */
  layout: "v2" | "none";
  /** Path of the `workflow.yaml` that was found. */
  specFile?: string;
  /** Whether a machine is there and no error but a lint one was found. */
  usable: boolean;
}

/**
 * Reads a workflow definition (spec 04 §2.7). Never throws for a bad document: what is wrong is in `issues`.
 *
 * @param paths those of `workflowPaths(slug)`; `workflow` is the `WORKFLOW.md`
 */
export async function loadMachineSpec(
  workspace: Pick<Workspace, "readText">,
  paths: { workflowYaml: string; workflow: string },
): Promise<LoadedMachineSpec> {
  const [text, prose] = await Promise.all([
    workspace.readText(paths.workflowYaml),
    workspace.readText(paths.workflow),
  ]);
  if (text === null) {
    const message = `there is no ${paths.workflowYaml}`;
    return { layout: "none", usable: false, issues: [{ kind: "missing", severity: "error", message }] };
  }
  const issues: LoadIssue[] = [];
  const found = { layout: "v2" as const, specFile: paths.workflowYaml, issues };
  const reading = readYamlDocument(text);
  if (!reading.ok || !isMapping(reading.value)) {
    const findings: readonly LocatedDiagnostic[] = reading.ok
      ? validateDocument(reading).schema
      : [{ severity: "error", ...reading.problem }];
    for (const finding of findings)
      issues.push({ ...finding, kind: "not-a-mapping", file: paths.workflowYaml });
    return { ...found, usable: false };
  }
  const { spec, schema, lint } = validateDocument(reading);
  for (const finding of schema) issues.push({ ...finding, kind: "schema", file: paths.workflowYaml });
  for (const finding of lint) issues.push({ ...finding, kind: "lint", file: paths.workflowYaml });
  if (prose !== null && hasFrontmatter(prose)) {
    issues.push({
      kind: "competing-machines",
      severity: "error",
      message:
        "it starts with frontmatter, but workflow.yaml is the only source of the machine; keep prose alone in it",
      file: paths.workflow,
    });
  }
  const refused = issues.some((issue) => issue.severity === "error" && issue.kind !== "lint");
  return {
    ...found,
    ...(spec === undefined ? {} : { spec }),
    ...(prose === null ? {} : { body: prose }),
    usable: spec !== undefined && !refused,
  };
}

function hasFrontmatter(prose: string): boolean {
  return /^\uFEFF?---[ \t]*\r?\n/.test(prose);
}

/** A finding on one line: its field, what is wrong, and the place in the text. */
export function describeLoadIssue(issue: LoadIssue): string {
  const about = issue.field === undefined ? "" : `${issue.field}: `;
  return about + placedMessage(issue);
}

/** What a finding says, with the place in the text. */
export function placedMessage({ message, line, column }: LoadIssue): string {
  const place = line === undefined ? "" : ` (line ${line}, column ${column})`;
  return message.replace(/\.$/, "") + place;
}

/** Why a definition is not usable: the first finding that made it so. */
export function loadProblem({ issues }: LoadedMachineSpec): string {
  const first = issues.find(({ severity, kind }) => severity === "error" && kind !== "lint");
  return first === undefined ? "it holds no machine" : describeLoadIssue(first);
}
