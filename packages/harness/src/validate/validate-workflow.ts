/**
 * The static checks of a workflow (spec 02 §12): everything its document alone says, and everything the workspace
 * it will run in adds. The kernel is asked by its own function, so what passes here is not refused there.
 */
import { WorkflowMachine } from "../machine/workflow-machine.ts";
import type { Diagnostic } from "../spec/diagnostics.ts";
import { workflowPaths } from "../spec/workflow-files.ts";
import { type LoadIssue, loadMachineSpec, placedMessage } from "../workspace/load-machine-spec.ts";
import { DEFAULT_SKILL_SOURCES, discoverSkills } from "../workspace/skills.ts";
import { checkDelegation } from "./delegation-checks.ts";
import { checkDocument, checkWorkflowSlug } from "./document-checks.ts";
import type { ValidationSubject } from "./findings.ts";
import { checkHooks } from "./hook-checks.ts";
import { probeGrants } from "./kernel-probes.ts";
import { checkMounts } from "./mount-checks.ts";
import { checkSkills } from "./skill-checks.ts";
import { openValidationWorkspace, type ValidationSources } from "./validation-workspace.ts";

/** What {@link validateWorkflow} takes. */
export interface ValidateWorkflowOptions extends ValidationSources {
  /** The slug of the workflow: `workflows/<slug>/workflow.yaml` is read. */
  workflow: string;
  /** Sources of skill bundles; `["skills/"]` when left out. */
  skills?: readonly string[] | undefined;
}

/** What {@link validateWorkflow} found. */
export interface ValidationResult {
  /** Whether there is no finding of severity `error`. */
  valid: boolean;
  workflow: string;
  /** The root the sources were resolved under; absent when every source was given. */
  rootDir?: string;
  /** The loader's findings, then those about the workspace. A finding has no code: it is told by severity and field. */
  diagnostics: Diagnostic[];
}

/**
 * Validates a workflow against the workspace it will run in. No model is called and nothing is written.
 *
 * @example
 * const { valid, diagnostics } = await validateWorkflow({ rootDir: "./ws", workflow: "order-lookup" });
 *
 * @throws WorkspaceRootRequiredError, MountCollisionError or AuthoringBackendExposedError for sources no
 * workspace can be built of; a bad document is a finding, never a throw
 */
export async function validateWorkflow(options: ValidateWorkflowOptions): Promise<ValidationResult> {
  const { workflow, skills: sources = DEFAULT_SKILL_SOURCES } = options;
  const opened = openValidationWorkspace(options);
  const result = (diagnostics: Diagnostic[]): ValidationResult => ({
    valid: !diagnostics.some(({ severity }) => severity === "error"),
    workflow,
    ...(opened.rootDir === undefined ? {} : { rootDir: opened.rootDir }),
    diagnostics,
  });
  const misnamed = checkWorkflowSlug(workflow);
  if (workflow.trim() === "") return result(misnamed);
  const { spec, issues } = await loadMachineSpec(opened.authoring, workflowPaths(workflow));
  const loaded = [...misnamed, ...issues.map(asDiagnostic)];
  if (spec === undefined) return result(loaded);
  const discovered = await discoverSkills(opened.workspace, sources);
  const subject: ValidationSubject = {
    workflow,
    spec,
    machine: WorkflowMachine.fromSpec(spec),
    mounts: opened.mountPrefixes,
    skills: discovered.prefixes,
  };
  return result([
    ...loaded,
    ...checkDocument(subject),
    ...(await checkHooks(subject, opened.authoring)),
    ...checkSkills(subject, discovered),
    ...(options.mounts === undefined ? [] : checkMounts(subject)),
    ...probeGrants(subject),
    ...(await checkDelegation(subject, opened.authoring)),
  ]);
}

/** A finding of the loader without its kind, its place in the text told in the message. */
function asDiagnostic(issue: LoadIssue): Diagnostic {
  const { severity, file, field } = issue;
  return {
    severity,
    message: placedMessage(issue),
    ...(file === undefined ? {} : { file }),
    ...(field === undefined ? {} : { field }),
  };
}
