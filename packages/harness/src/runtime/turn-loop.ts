/**
 * What happens between two model calls (spec 03 §4): serving a park, the turn budget of a state, and what a
 * finished message comes to. Both hooks around the model come here, because a jump back to the model skips the
 * hook before it.
 */
import { AIMessage, type BaseMessage, RemoveMessage } from "@langchain/core/messages";
import { opensTurn } from "../messages/index.ts";
import { signatureForTrigger, signatureValueIssues } from "../spec/signatures.ts";
import { mergeUpdates, projected, type WorkflowState, type WorkflowUpdate } from "./channels.ts";
import { failTurn } from "./failure.ts";
import { runHookPhase } from "./hooks.ts";
import { notePair } from "./notes.ts";
import { parkRecord } from "./park.ts";
import type { PendingDecision, PendingInput, ResumePayload } from "./records.ts";
import { applyResume } from "./resume.ts";
import type { RuntimeContext } from "./runtime-context.ts";
import { standInKind } from "./stand-in.ts";
import { valuesOf } from "./variable-writes.ts";

/** Suspends the graph with a park's record and answers with what the session was resumed with. */
export type Suspend = (record: PendingDecision | PendingInput) => ResumePayload;

/** Where the loop goes with the writes made on the way. */
export interface LoopStep {
  update: WorkflowUpdate;
  next: "model" | "end" | "onward";
}

/** How often a turn that finishes with a declared return unset is handed back (spec 03 C-1). */
const RETURNS_HANDBACKS = 1;

/** Collects the writes of one hook and reads the state as they will leave it. */
class Writes {
  update: WorkflowUpdate = {};
  state: WorkflowState;
  constructor(state: WorkflowState) {
    this.state = state;
  }
  add(update: WorkflowUpdate): void {
    this.update = mergeUpdates(this.update, update);
    this.state = projected(this.state, update);
  }
  to(next: LoopStep["next"]): LoopStep {
    return { update: this.update, next };
  }
}

/** Before a model call: ends a raised session, serves a park, holds a state to its budget. */
export function beforeModelCall(context: RuntimeContext, state: WorkflowState, suspend: Suspend): LoopStep {
  if (state.raised && state.status === "failed") return { update: {}, next: "end" };
  return serve(context, new Writes(state), suspend);
}

/** Serves parks and budgets until a model call may go ahead or the turn is over. */
function serve(context: RuntimeContext, writes: Writes, suspend: Suspend): LoopStep {
  for (;;) {
    const { state } = writes;
    if (state.parkPhase === "closing") {
      writes.add({ replyOnly: true, parkPhase: "suspend" });
      return writes.to("model");
    }
    if (state.parkPhase === "suspend") {
      const record = parkRecord(state);
      if (record === undefined) return writes.to("end");
      const resumed = applyResume(context, state, suspend(record));
      writes.add(resumed.update);
      if (resumed.ends) return writes.to("end");
      continue;
    }
    if (state.replyOnly) {
      const latest = state.messages.at(-1);
      return writes.to(latest !== undefined && opensTurn(latest) ? "model" : "end");
    }
    const position = state.workflowState ?? context.machine.entryState;
    const limit = context.machine.budget(position).maxTurns;
    const made = state.stateTurns?.state === position ? state.stateTurns.count : 0;
    if (limit === undefined || made < limit) return writes.to("model");
    const failed = failTurn(
      context,
      state,
      `The state "${position}" has spent its model calls (maxTurns: ${limit}).`,
    );
    writes.add(failed.update);
    if (!failed.routed) return writes.to("end");
  }
}

/** After a model call: settles stand-ins, suspends a hand-over, or finishes the turn. */
export async function afterModelCall(
  context: RuntimeContext,
  state: WorkflowState,
  sessionId: string,
  signal: AbortSignal | undefined,
  suspend: Suspend,
): Promise<LoopStep> {
  const message = state.messages.at(-1);
  if (!AIMessage.isInstance(message)) return { update: {}, next: "onward" };
  const writes = new Writes(state);
  const position = state.workflowState ?? context.machine.entryState;

  const standIn = standInKind(message);
  if (standIn !== undefined) {
    if (standIn.kind === "timeout" && message.id !== undefined) {
      writes.add({ messages: [new RemoveMessage({ id: message.id }) as BaseMessage] });
    }
    return fail(context, writes, standIn.reason, suspend);
  }
  const calls = message.tool_calls?.length ?? 0;
  if (state.replyOnly && state.parkPhase === "suspend") {
    // A refused call is answered first; the hook before the model suspends then, without a second call.
    return calls > 0 ? { update: {}, next: "onward" } : serve(context, writes, suspend);
  }
  if (calls > 0 || state.replyOnly) return { update: {}, next: "onward" };

  const outstanding = outstandingFailure(state);
  if (outstanding !== undefined) return fail(context, writes, outstanding, suspend);

  if (context.machine.isTerminal(position)) {
    const phase = await runHookPhase(
      { context, state, sessionId, signal },
      { state: position, phase: "after" },
    );
    writes.add(phase.update);
    if (phase.outcome === "terminal") return fail(context, writes, phase.reason, suspend);
    if (phase.outcome === "recoverable") {
      writes.add({ messages: notePair("after", `[after] ${phase.reason}`, context.newId()) });
      return serve(context, writes, suspend);
    }
  }

  const shortfall = returnsShortfall(context, writes.state);
  if (shortfall !== undefined) {
    const handedBack = writes.state.returnsHandedBack ?? 0;
    if (shortfall.unset && handedBack < RETURNS_HANDBACKS) {
      writes.add({
        messages: notePair("after", `[after] ${shortfall.reason}`, context.newId()),
        returnsHandedBack: handedBack + 1,
      });
      return serve(context, writes, suspend);
    }
    writes.add({ status: "rejected", rejected: shortfall.reason });
    return writes.to("end");
  }

  context.events.emit({ type: "state-leave", state: position, next: position });
  writes.add({ status: "completed" });
  return writes.to("end");
}

function fail(context: RuntimeContext, writes: Writes, reason: string, suspend: Suspend): LoopStep {
  const failed = failTurn(context, writes.state, reason);
  writes.add(failed.update);
  return failed.routed ? serve(context, writes, suspend) : writes.to("end");
}

/** A failure kept until the model finishes: the committed one, else every unrecovered delegation. */
function outstandingFailure(state: WorkflowState): string | undefined {
  if (state.rejected) return state.rejected;
  const failures = state.failedDelegations ?? [];
  if (failures.length === 0) return undefined;
  return failures
    .map(
      (failure) =>
        `${failure.workflow} failed (called with ${JSON.stringify(failure.input)}): ${failure.reason}`,
    )
    .join(" ");
}

/** What the opening trigger's `returns` still lack, if anything (spec 03 §7). */
function returnsShortfall(
  context: RuntimeContext,
  state: WorkflowState,
): { reason: string; unset: boolean } | undefined {
  const opener = state.openedBy ?? state.trigger?.id ?? context.defaultTrigger.id;
  const returns = signatureForTrigger(context.machine.spec, opener)?.returns ?? [];
  const issues = signatureValueIssues(returns, valuesOf(state.variables ?? {}));
  if (issues.length === 0) return undefined;
  const parts = issues.map((issue) =>
    issue.kind === "missing"
      ? `"${issue.name}" is not set`
      : `"${issue.name}" must be of type ${issue.type}, but holds a ${issue.found}`,
  );
  return {
    reason: `The trigger "${opener}" promises return values that are not there: ${parts.join("; ")}.`,
    unset: issues.some((issue) => issue.kind === "missing"),
  };
}
