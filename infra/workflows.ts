/** Reads the workflows that are about to be deployed, for the rules and schedules they ask for. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type LocatedDiagnostic, readYamlDocument } from "@archmax-ai/harness/internal/document";
import { isSlug, workflowPaths } from "@archmax-ai/harness/spec";
import { type EventTrigger, readEventTriggers, validateWorkflowDocument } from "@archmax-ai/host/triggers";

/** A trigger that something in AWS fires: events on the bus, the clock, or both. */
export interface FiredTrigger extends EventTrigger {
  /** The slug of its workflow. */
  readonly workflow: string;
}

/** Workflows that must not be deployed; the message says what is wrong with each, and where. */
export class UndeployableWorkflowError extends Error {
  override readonly name = "UndeployableWorkflowError";

  constructor(problems: readonly string[]) {
    super(`Nothing was deployed. These workflows must be mended first:\n${problems.join("\n")}`);
  }
}

/**
 * The triggers of all workflows under `workflows/` that a bus event or a clock fires (spec 07 §5).
 *
 * @param root the folder that holds `workflows/`
 * @throws UndeployableWorkflowError with the errors of every workflow that does not validate
 */
export function readFiredTriggers(root: string): FiredTrigger[] {
  const problems: string[] = [];
  const fired = slugsIn(join(root, "workflows")).flatMap((workflow) => {
    const file = workflowPaths(workflow).workflowYaml;
    const read = triggersOf(readFileSync(join(root, file), "utf8"));
    problems.push(...read.problems.map((problem) => `${file}${problem}`));
    return read.triggers.map((trigger) => ({ workflow, ...trigger }));
  });
  if (problems.length > 0) throw new UndeployableWorkflowError(problems);
  return fired;
}

/** The workflows that the functions will find. */
function slugsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isSlug(entry.name))
    .map(({ name }) => name)
    .filter((slug) => existsSync(join(folder, slug, "workflow.yaml")))
    .sort();
}

function triggersOf(text: string): { triggers: readonly EventTrigger[]; problems: string[] } {
  const document = readYamlDocument(text);
  if (!document.ok) return { triggers: [], problems: [described(document.problem)] };
  const problems = validateWorkflowDocument(document)
    .diagnostics.filter(({ severity }) => severity === "error")
    .map(described);
  return { triggers: readEventTriggers(document.value).triggers, problems };
}

/** `:<line>:<column>: <field>: <what is wrong>`, as far as they are known. */
function described({ line, column, field, message }: Omit<LocatedDiagnostic, "severity">): string {
  const place = line === undefined ? "" : `:${line}:${column}`;
  return `${place}: ${field === undefined ? "" : `${field}: `}${message}`;
}
