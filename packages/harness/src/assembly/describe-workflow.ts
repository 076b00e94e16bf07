/** What an assembly says of its workflow, for whoever watches the events (spec 03 §11). */
import type { LifecycleEventPayload } from "../events/types.ts";
import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import { hookLabel } from "../runtime/hooks.ts";
import type { Hook } from "../spec/schema-hooks.ts";

/** The assembly's events about a workflow: its graph, and its hooks where it declares any. */
export function describeWorkflow(machine: WorkflowMachine): LifecycleEventPayload[] {
  const hooks = machine.states.flatMap((state) => [
    ...labelled(state, "before", machine.beforeHooks(state)),
    ...labelled(state, "after", machine.afterHooks(state)),
  ]);
  return [
    ...(hooks.length === 0
      ? []
      : [{ type: "hooks-summary" as const, summary: `hooks: ${hooks.join("; ")}` }]),
    { type: "graph-topology", topology: machine.states.map((state) => waysOut(machine, state)).join("; ") },
  ];
}

function labelled(state: string, phase: "before" | "after", hooks: readonly Hook[]): string[] {
  return hooks.map((hook, index) => `${state} ${phase} ${hookLabel(hook, index)}`);
}

/** A state and where it leads: `review (human) -> sent, draft, on_error hand-over`. */
function waysOut(machine: WorkflowMachine, state: string): string {
  const route = machine.onError(state);
  const ways = [...machine.transitionTargets(state), ...(route === undefined ? [] : [`on_error ${route}`])];
  const name = machine.isHumanState(state) ? `${state} (human)` : state;
  return ways.length === 0 ? `${name} (terminal)` : `${name} -> ${ways.join(", ")}`;
}
