import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import { listOf } from "../spec/shapes.ts";
import { ADVANCE_TOOL, SET_VARIABLES_TOOL } from "../spec/tool-names.ts";
import type { VariableStore } from "../spec/variables.ts";
import type { EnterStateAction, HookFact, TransitionAction } from "./action.ts";
import { firstRefusal } from "./hook-facts.ts";
import { allow, blockMove, type Verdict } from "./verdict.ts";

const ALLOWED = allow("allow");

/** Judges a move: what the state left requires, then its edges, then what its hooks said on leaving. */
export function judgeTransition(
  machine: WorkflowMachine,
  action: TransitionAction,
  variables: VariableStore,
): Verdict {
  const { from, to } = action;
  const missing = machine.requiredVariables(from).filter((name) => !isSet(variables, name));
  if (missing.length > 0) {
    return blockMove(
      "transition.requires",
      `state '${from}' is left with ${missing.join(", ")} set, and ${missing.length === 1 ? "it is" : "they are"} ` +
        `not. Set ${missing.length === 1 ? "it" : "them"} with ${SET_VARIABLES_TOOL} first.`,
    );
  }
  if (machine.getTransition(from, to) === undefined) {
    const targets = machine.transitionTargets(from);
    const edges =
      targets.length === 0 ? "That state has no transitions." : `Valid targets: ${targets.join(", ")}.`;
    return blockMove("transition.no-edge", `no transition leads from '${from}' to '${to}'. ${edges}`);
  }
  const repeat = `call ${ADVANCE_TOOL} with to '${to}' again`;
  return firstRefusal(factsOf(action), "after", repeat) ?? ALLOWED;
}

/** Judges the entry of a state by what its hooks said. */
export function judgeEntry(action: EnterStateAction): Verdict {
  return firstRefusal(factsOf(action), "before", `enter '${action.state}' again`) ?? ALLOWED;
}

/** A variable stored as `null` is set. */
function isSet(variables: VariableStore, name: string): boolean {
  return Object.hasOwn(variables, name) && variables[name]?.value !== undefined;
}

function factsOf(action: TransitionAction | EnterStateAction): readonly HookFact[] {
  return listOf(action.hookFacts) as readonly HookFact[];
}
