/** Terminal failures: to the state's `on_error`, or a rejected session (spec 03 §7). */

import type { WorkflowState, WorkflowUpdate } from "./channels.ts";
import { notePair } from "./notes.ts";
import { parkForDecision, RELEASED, withoutVisit } from "./park.ts";
import type { RuntimeContext } from "./runtime-context.ts";
import { trailStep } from "./trail.ts";

/** What a terminal failure came to: the writes, and whether the turn goes on in another state. */
export interface FailureResult {
  update: WorkflowUpdate;
  routed: boolean;
}

/**
 * Settles a terminal failure of the active state. The failing state's `on_error` takes the session on, in
 * another state and with a note saying why; without one the session is rejected and the turn ends.
 */
export function failTurn(context: RuntimeContext, state: WorkflowState, reason: string): FailureResult {
  const { machine, events } = context;
  const from = state.workflowState ?? machine.entryState;
  const to = machine.onError(from);
  if (to === undefined || !machine.hasState(to)) {
    return {
      routed: false,
      update: { ...RELEASED, status: "rejected", rejected: reason, failedDelegations: null },
    };
  }
  events.emit({ type: "state-error-routed", state: from, to, reason });
  events.emit({ type: "state-leave", state: from, next: to });
  events.emit({ type: "state-enter", state: to });
  const note = `[error] The state "${from}" failed: ${reason} The session continues in "${to}".`;
  const update: WorkflowUpdate = {
    ...RELEASED,
    messages: notePair("error", note, context.newId()),
    workflowState: to,
    status: "running",
    rejected: null,
    failedDelegations: null,
    stateTurns: null,
    beforeDone: withoutVisit(state.beforeDone, to),
    auditTrail: [trailStep(context.clock(), to, "on_error", { reason })],
  };
  if (!machine.isHumanState(to)) return { routed: true, update };
  events.emit({ type: "parked", state: to, awaiting: "decision" });
  return { routed: true, update: { ...update, ...parkForDecision(context, state, to) } };
}
