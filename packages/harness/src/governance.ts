/** Loads the workflow an assembly is governed by (spec 04 §2, §2.7). */
import { WorkflowLoadError } from "./errors.ts";
import type { EventStream } from "./events/stream.ts";
import { WorkflowMachine } from "./machine/workflow-machine.ts";
import type { ToolPaths } from "./spec/tool-paths.ts";
import { DEFAULT_WORKFLOW, workflowPaths } from "./spec/workflow-files.ts";
import { describeLoadIssue, loadMachineSpec, loadProblem } from "./workspace/load-machine-spec.ts";
import type { WorkspaceContext } from "./workspace/workspace-context.ts";

/** A loaded workflow, compiled. */
export interface Governance {
  workflow: string;
  machine: WorkflowMachine;
  /** The prose of `WORKFLOW.md`. */
  body: string | undefined;
}

/**
 * Compiles the loaded document, once the tables of the assembly are known.
 *
 * @throws WorkflowLoadError for a document that cannot govern
 */
export type CompileGovernance = (
  toolPaths: Readonly<Record<string, ToolPaths>>,
  essentialTools: readonly string[],
) => Governance;

/**
 * Reads the workflow through the authoring backend. `false` is an ungoverned agent and reads nothing; leaving it
 * out governs by the default workflow if its file exists.
 *
 * @returns undefined for an ungoverned assembly
 */
export async function loadGovernance(options: {
  workflow: string | false | undefined;
  context: WorkspaceContext;
  events: EventStream;
}): Promise<CompileGovernance | undefined> {
  const { context, events } = options;
  if (options.workflow === false) return undefined;
  const workflow = options.workflow ?? DEFAULT_WORKFLOW;
  const paths = workflowPaths(workflow);
  const loaded = await loadMachineSpec(context.authoring, paths);
  if (loaded.layout === "none" && options.workflow === undefined) return undefined;
  for (const issue of loaded.issues) {
    if (issue.kind === "missing") continue;
    events.emit({
      type: "warning",
      scope: "workflow",
      message: `${workflow}: ${describeLoadIssue(issue)}`,
    });
  }
  return (toolPaths, essentialTools) => {
    const { spec, body, usable } = loaded;
    if (!usable || spec === undefined) {
      throw new WorkflowLoadError(workflow, paths.workflowYaml, loadProblem(loaded));
    }
    return { workflow, machine: WorkflowMachine.fromSpec(spec, essentialTools, toolPaths), body };
  };
}
