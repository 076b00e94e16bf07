import { WorkflowMachine } from "../machine/workflow-machine.ts";
import type { Diagnostic } from "../spec/diagnostics.ts";
import { MANUAL_TRIGGER } from "../spec/schema-triggers.ts";
import { show } from "../spec/shapes.ts";
import { isSlug } from "../spec/slugs.ts";
import { DEFAULT_SUB_WORKFLOW_DEPTH, workflowToolName } from "../spec/tool-names.ts";
import { workflowPaths } from "../spec/workflow-files.ts";
import { loadMachineSpec, loadProblem } from "../workspace/load-machine-spec.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { errorOn, type ValidationSubject, warningOn } from "./findings.ts";

/** A workflow on the way from the one under validation to a target. */
interface Caller {
  readonly workflow: string;
  readonly machine: WorkflowMachine;
}

/** A target that can be called, or why none is there. */
type Target = { readonly machine: WorkflowMachine } | { readonly problem: string };

/**
 * Walks what each workflow may call from the states a session can reach, as far as a delegation may go (spec 02
 * §12, 05 A16). A call is looked at once, on the first way that leads to it.
 */
export async function checkDelegation(
  { workflow, machine }: ValidationSubject,
  authoring: Pick<Workspace, "readText">,
): Promise<Diagnostic[]> {
  const loaded = new Map<string, Promise<Target>>();
  const load = (slug: string): Promise<Target> => {
    const known = loaded.get(slug) ?? readTarget(slug, authoring);
    loaded.set(slug, known);
    return known;
  };
  const found = new Map<string, Diagnostic>();
  await walk([{ workflow, machine }], load, (key, finding) => {
    if (!found.has(key)) found.set(key, finding);
  });
  return [...found.values()];
}

async function walk(
  chain: readonly Caller[],
  load: (slug: string) => Promise<Target>,
  report: (key: string, finding: Diagnostic) => void,
): Promise<void> {
  const caller = chain.at(-1);
  if (caller === undefined) return;
  for (const state of caller.machine.reachableStates()) {
    for (const slug of caller.machine.delegationTargets(state)) {
      const at = `state ${show(state)} of ${show(caller.workflow)} may call ${workflowToolName(slug)}, `;
      const key = JSON.stringify([caller.workflow, state, slug]);
      const refuse = (problem: string): void => report(key, errorOn("states", at + problem));
      const path = [...chain.map(({ workflow }) => workflow), slug];
      if (!isSlug(slug)) refuse(`and ${show(slug)} is no workflow slug`);
      else if (chain.some(({ workflow }) => workflow === slug)) {
        refuse(`which closes a circle: ${path.join(" → ")}`);
      } else if (chain.length > DEFAULT_SUB_WORKFLOW_DEPTH) {
        refuse(`which goes deeper than ${DEFAULT_SUB_WORKFLOW_DEPTH} delegations: ${path.join(" → ")}`);
      } else {
        const target = await load(slug);
        if ("problem" in target) refuse(target.problem);
        else {
          if (target.machine.disabled) {
            report(key, warningOn("states", `${at}which is disabled: the call will be refused`));
          }
          await walk([...chain, { workflow: slug, machine: target.machine }], load, report);
        }
      }
    }
  }
}

async function readTarget(slug: string, authoring: Pick<Workspace, "readText">): Promise<Target> {
  const paths = workflowPaths(slug);
  const loaded = await loadMachineSpec(authoring, paths);
  const { spec, usable, layout } = loaded;
  if (layout === "none") return { problem: `and there is no ${paths.workflowYaml}` };
  if (spec === undefined || !usable) {
    return { problem: `and ${paths.workflowYaml} cannot be loaded: ${loadProblem(loaded)}` };
  }
  const machine = WorkflowMachine.fromSpec(spec);
  return machine.startStateFor(MANUAL_TRIGGER) === undefined
    ? { problem: `and no state of it declares the trigger ${MANUAL_TRIGGER}` }
    : { machine };
}
