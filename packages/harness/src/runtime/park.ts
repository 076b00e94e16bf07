/** The records a session parks with, and the writes that park it and release it (spec 03 §8). */
import type { WorkflowMachine } from "../machine/workflow-machine.ts";
import type { WorkflowState, WorkflowUpdate } from "./channels.ts";
import type { PendingDecision, PendingInput } from "./records.ts";
import type { RuntimeContext } from "./runtime-context.ts";

/** The fields a resume clears: every park field but those of a reply, which parks again on its record. */
export const RELEASED: WorkflowUpdate = {
  pendingDecision: null,
  pendingInput: null,
  pendingDelegations: null,
  parkPhase: null,
  replyOnly: null,
};

/** The record a live park is suspended with. */
export function parkRecord(state: WorkflowState): PendingDecision | PendingInput | undefined {
  return state.pendingDecision ?? state.pendingInput ?? undefined;
}

/**
 * The record of a hand-over to a person: the edges as the document declares them, and the state's own evidence
 * followed by what the advance attached, without repeats.
 */
export function decisionRecord(
  machine: WorkflowMachine,
  state: string,
  seq: number,
  createdAt: Date,
  attached: readonly string[] = [],
): PendingDecision {
  const declared = machine.spec.states[state];
  const evidence = [...new Set([...(declared?.evidence ?? []), ...attached])];
  return {
    state,
    ...(declared?.title === undefined ? {} : { title: declared.title }),
    seq,
    createdAt: createdAt.toISOString(),
    ...(evidence.length === 0 ? {} : { evidence }),
    transitions: (declared?.transitions ?? []).map((edge) => ({
      to: edge.to,
      description: edge.description,
      ...(edge.type === undefined ? {} : { type: edge.type }),
    })),
  };
}

/** The writes that park a session with a person at `state`. The caller emits `parked`. */
export function parkForDecision(
  context: RuntimeContext,
  held: WorkflowState,
  state: string,
  attached: readonly string[] = [],
): WorkflowUpdate {
  const seq = (held.decisionCount ?? 0) + 1;
  return {
    status: "awaiting_decision",
    pendingDecision: decisionRecord(context.machine, state, seq, context.clock(), attached),
    pendingInput: null,
    decisionCount: seq,
    parkPhase: "closing",
    replyOnly: null,
  };
}

/** The entry checks passed so far, less those of a state about to be entered anew: they run once per visit. */
export function withoutVisit(
  done: Record<string, true> | null | undefined,
  state: string,
): Record<string, true> {
  const { [state]: _entered, ...rest } = done ?? {};
  return rest;
}
