/**
 * The turn boundary: runs once per invocation, never on a resume (spec 03 §3).
 *
 * It settles the trigger, the position and the opening variables, refuses a turn that may not start, and commits
 * the fields a new turn begins with. The messages of the turn are in the transcript already.
 */
import { signatureValueIssues } from "../spec/signatures.ts";
import type { VariableStore } from "../spec/variables.ts";
import type { WorkflowState, WorkflowUpdate } from "./channels.ts";
import { parkForDecision } from "./park.ts";
import type { RuntimeContext } from "./runtime-context.ts";
import { trailStep } from "./trail.ts";
import { seedVariables, valuesOf } from "./variable-writes.ts";

/** What the boundary settled: the writes, and whether the turn is refused before any model call. */
export interface BoundaryResult {
  update: WorkflowUpdate;
  refused: boolean;
}

/** The fields every new turn starts from. */
const FRESH_TURN: WorkflowUpdate = {
  rejected: null,
  failedDelegations: null,
  raised: null,
  iterations: {},
  beforeDone: {},
  pendingDecision: null,
  pendingInput: null,
  pendingDelegations: null,
  parkPhase: null,
  replyOnly: null,
  parkCounts: {},
  stateTurns: null,
  returnsHandedBack: 0,
  opening: null,
};

function refusal(context: RuntimeContext, reason: string, position: WorkflowUpdate): BoundaryResult {
  context.events.emit({ type: "warning", scope: "workflow", message: reason });
  return {
    refused: true,
    update: { ...position, status: "rejected", rejected: reason, raised: null, opening: null },
  };
}

/**
 * Opens a turn.
 * @param state the session as its checkpoint holds it, the turn's input messages appended
 */
export async function openTurn(context: RuntimeContext, state: WorkflowState): Promise<BoundaryResult> {
  const { machine, events } = context;
  const opening = state.opening ?? {};
  const trigger = { id: opening.trigger?.id ?? context.defaultTrigger.id };
  const start = machine.startStateFor(trigger.id) ?? machine.entryState;
  const retained = state.workflowState ?? undefined;
  const retainedIsDeclared = retained !== undefined && machine.hasState(retained);
  const position = retainedIsDeclared ? retained : start;
  const entryState = state.entryState ?? position;

  if (context.specHash !== state.specHash) await context.saveSpecSnapshot();
  const standing: WorkflowUpdate = {
    workflowState: position,
    entryState,
    specHash: context.specHash,
    trigger,
    openedBy: trigger.id,
  };
  if (machine.disabled) {
    return refusal(
      context,
      `The workflow "${context.workflow}" is disabled and starts no new turns.`,
      standing,
    );
  }

  if (retained !== undefined && !retainedIsDeclared) events.emit({ type: "workflow-reset", entry: position });
  events.emit({ type: "advance", from: "__start__", to: position });

  const held: VariableStore = state.variables ?? {};
  const seeding = seedVariables(trigger.id, { ...context.seeds, ...(opening.variables ?? {}) }, held);
  if (seeding.names.length > 0) events.emit({ type: "variables-set", names: seeding.names, locked: true });
  if (seeding.title !== undefined) events.emit({ type: "title-set", title: seeding.title });

  const shortfall = unmetRequires(context, trigger.id, valuesOf(seeding.store));
  if (shortfall !== undefined) {
    return refusal(context, shortfall, { ...standing, variables: seeding.store });
  }

  events.emit({ type: "state-enter", state: position });
  const update: WorkflowUpdate = {
    ...FRESH_TURN,
    ...standing,
    status: "running",
    variables: seeding.store,
    auditTrail: [trailStep(context.clock(), position, "trigger", { reason: trigger.id })],
  };
  if (!machine.isHumanState(position)) return { refused: false, update };

  const parked = parkForDecision(context, state, position);
  events.emit({ type: "parked", state: position, awaiting: "decision" });
  return { refused: false, update: { ...update, ...parked } };
}

/**
 * Why a turn may not start: every missing name and every value not of its declared type, in one reason. Only the
 * opening variables count; what an earlier turn left in the store does not satisfy the signature.
 */
function unmetRequires(
  context: RuntimeContext,
  triggerId: string,
  values: Record<string, unknown>,
): string | undefined {
  const signature = context.machine.signature(triggerId);
  const issues = signature === undefined ? [] : signatureValueIssues(signature.requires, values);
  if (issues.length === 0) return undefined;
  const parts = issues.map((issue) =>
    issue.kind === "missing"
      ? `"${issue.name}" is missing`
      : `"${issue.name}" must be of type ${issue.type}, but a ${issue.found} arrived: ${preview(values[issue.name])}`,
  );
  return `The trigger "${triggerId}" requires values that were not given: ${parts.join("; ")}.`;
}

function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
