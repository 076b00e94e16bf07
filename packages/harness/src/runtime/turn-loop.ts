/**
 * What stands around the model calls of a turn (spec 03 §4): what holds a call back, and what a finished message
 * comes to. Neither is a node of its own on the way from a tool to the next call, so a governed call takes no
 * more supersteps than an ungoverned one.
 */
import { AIMessage, type BaseMessage, RemoveMessage } from "@langchain/core/messages";
import { opensTurn } from "../messages/index.ts";
import { signatureValueIssues } from "../spec/signatures.ts";
import { mergeUpdates, projected, type WorkflowState, type WorkflowUpdate } from "./channels.ts";
import { failTurn } from "./failure.ts";
import { runHookPhase } from "./hooks.ts";
import { notePair } from "./notes.ts";
import { parkForDecision } from "./park.ts";
import type { RuntimeContext } from "./runtime-context.ts";
import { type StandIn, standInOf } from "./stand-in.ts";
import { valuesOf } from "./variable-writes.ts";

/** Where the turn goes with the writes made: another model call, its end, or on to the park. */
export interface LoopStep {
  update: WorkflowUpdate;
  next: "model" | "end" | "park";
}

/** How often a turn that finishes with a declared return unset is handed back (spec 03 C-1). */
const RETURNS_HANDBACKS = 1;

/**
 * Why the model is not to be called now, if so: the agent raised, the session is to be suspended, nothing was
 * said that a reply-only call could answer, or the state's calls are spent.
 */
export function holdBack(context: RuntimeContext, state: WorkflowState): StandIn | undefined {
  if (state.raised && state.status === "failed") return { kind: "ended", reason: "" };
  const position = state.workflowState ?? context.machine.entryState;
  // No ordinary turn runs in a human state, however the session came there: a person alone moves it on.
  if (context.machine.isHumanState(position) && !state.pendingDecision)
    return { kind: "present", reason: "" };
  if (state.parkPhase === "suspend") return { kind: "suspend", reason: "" };
  if (state.parkPhase === "closing") return undefined;
  if (state.replyOnly) {
    const latest = state.messages.at(-1);
    return latest !== undefined && opensTurn(latest) ? undefined : { kind: "ended", reason: "" };
  }
  const limit = context.machine.budget(position).maxTurns;
  const made = state.stateTurns?.state === position ? state.stateTurns.count : 0;
  if (limit === undefined || made < limit) return undefined;
  return {
    kind: "failure",
    reason: `The state "${position}" has spent its model calls (maxTurns: ${limit}).`,
  };
}

/** Collects the writes of one step and reads the state as they will leave it. */
class Writes {
  update: WorkflowUpdate = {};
  state: WorkflowState;
  constructor(state: WorkflowState) {
    this.state = state;
  }
  add(update: WorkflowUpdate): this {
    this.update = mergeUpdates(this.update, update);
    this.state = projected(this.state, update);
    return this;
  }
  to(next: LoopStep["next"]): LoopStep {
    return { update: this.update, next };
  }
}

/** Once the model has finished: settles a stand-in, hands over to the park, or finishes the turn. */
export async function finishTurn(
  context: RuntimeContext,
  state: WorkflowState,
  sessionId: string,
  signal: AbortSignal | undefined,
): Promise<LoopStep> {
  const message = state.messages.at(-1);
  const writes = new Writes(state);
  const standIn = message === undefined ? undefined : standInOf(message);
  if (standIn !== undefined && message?.id !== undefined) {
    // What the entry check said stays as the reply; every other stand-in leaves the transcript again.
    if (standIn.kind !== "before")
      writes.add({ messages: [new RemoveMessage({ id: message.id }) as BaseMessage] });
    if (standIn.kind === "ended") return writes.to("end");
    if (standIn.kind === "suspend") return suspend(context, writes);
    if (standIn.kind === "present") return present(context, writes);
    return fail(context, writes, standIn.reason);
  }
  // Refused at the boundary, or finished with the message itself: nothing is left to do.
  if (state.status === "rejected" || state.status === "completed") return { update: {}, next: "end" };
  if (state.parkPhase === "suspend") return suspend(context, writes);
  if (state.replyOnly || !AIMessage.isInstance(message)) return writes.to("end");

  const outstanding = outstandingFailure(state);
  if (outstanding !== undefined) return fail(context, writes, outstanding);

  const position = state.workflowState ?? context.machine.entryState;
  if (context.machine.isTerminal(position)) {
    const phase = await runHookPhase(
      { context, state, sessionId, signal },
      { state: position, phase: "after" },
    );
    writes.add(phase.update);
    if (phase.outcome === "terminal") return fail(context, writes, phase.reason);
    if (phase.outcome === "recoverable") return handBack(context, writes, phase.reason).to("model");
  }

  const shortfall = returnsShortfall(context, writes.state);
  if (shortfall !== undefined) {
    const handedBack = writes.state.returnsHandedBack ?? 0;
    if (shortfall.unset && handedBack < RETURNS_HANDBACKS) {
      return handBack(context, writes, shortfall.reason)
        .add({ returnsHandedBack: handedBack + 1 })
        .to("model");
    }
    return writes.add({ status: "rejected", rejected: shortfall.reason }).to("end");
  }

  context.events.emit({ type: "state-leave", state: position, next: position });
  return writes.add({ status: "completed" }).to("end");
}

/**
 * The writes of a turn that finishes with nothing left to check, to be committed with the model's own message: the
 * step after it then has nothing to write.
 */
export function plainFinish(context: RuntimeContext, state: WorkflowState): WorkflowUpdate | undefined {
  const position = state.workflowState ?? context.machine.entryState;
  const checked = context.machine.isTerminal(position) && context.machine.afterHooks(position).length > 0;
  if (checked || outstandingFailure(state) !== undefined || returnsShortfall(context, state) !== undefined) {
    return undefined;
  }
  context.events.emit({ type: "state-leave", state: position, next: position });
  return { status: "completed" };
}

/** Hands over to the park. A wait that was asked for beside a move waits where the move has led. */
function suspend(context: RuntimeContext, writes: Writes): LoopStep {
  const { pendingInput, workflowState } = writes.state;
  if (!pendingInput || !workflowState || pendingInput.state === workflowState) return writes.to("park");
  const { title: _left, ...record } = pendingInput;
  const title = context.machine.spec.states[workflowState]?.title;
  return writes
    .add({ pendingInput: { ...record, state: workflowState, ...(title === undefined ? {} : { title }) } })
    .to("park");
}

/** Presents a human state the session stands in without a person asked, as after a reset: one call, then the park. */
function present(context: RuntimeContext, writes: Writes): LoopStep {
  const position = writes.state.workflowState ?? context.machine.entryState;
  context.events.emit({ type: "parked", state: position, awaiting: "decision" });
  return writes.add(parkForDecision(context, writes.state, position)).to("model");
}

function handBack(context: RuntimeContext, writes: Writes, reason: string): Writes {
  return writes.add({ messages: notePair("after", `[after] ${reason}`, context.newId()) });
}

function fail(context: RuntimeContext, writes: Writes, reason: string): LoopStep {
  const failed = failTurn(context, writes.state, reason);
  return writes.add(failed.update).to(failed.routed ? "model" : "end");
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
  const returns = context.machine.signature(opener)?.returns ?? [];
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
