/** What a parked session is resumed with, and what each resume writes (spec 03 §8). */
import { HumanMessage } from "@langchain/core/messages";
import { TITLE_VARIABLE, TRIGGER_VARIABLE, type VariableStore } from "../spec/variables.ts";
import type { WorkflowState, WorkflowUpdate } from "./channels.ts";
import { notePair } from "./notes.ts";
import { parkForDecision, parkRecord, RELEASED, withoutVisit } from "./park.ts";
import type { DecisionResolution, PendingDecision, ResumePayload, TriggerDelivery } from "./records.ts";
import type { RuntimeContext } from "./runtime-context.ts";
import { trailStep } from "./trail.ts";
import { readTitle } from "./variable-writes.ts";

/** The writes of a resume, and whether the turn ends with them. */
export interface ResumeResult {
  update: WorkflowUpdate;
  ends: boolean;
}

/** Applies a resume payload, told apart by shape: a `trigger` delivers, a lone `message` replies, else a decision. */
export function applyResume(
  context: RuntimeContext,
  state: WorkflowState,
  payload: ResumePayload,
): ResumeResult {
  if ("trigger" in payload) return applyDelivery(context, state, payload);
  if ("message" in payload && !("target" in payload)) return applyReply(context, state, payload.message);
  return applyDecision(context, state, payload as DecisionResolution);
}

function applyDecision(
  context: RuntimeContext,
  state: WorkflowState,
  decision: DecisionResolution,
): ResumeResult {
  const { machine, events } = context;
  const record = parkRecord(state) as PendingDecision;
  const from = record.state;
  const target = decision.target.trim();
  const edge = machine.getTransition(from, target);
  const to = edge === undefined || !machine.hasState(target) ? "__end__" : target;
  events.emit({ type: "decided", state: from, to });
  events.emit({ type: "state-leave", state: from, next: to });
  const offered = record.transitions.find((transition) => transition.to === target);
  const label =
    offered?.type === undefined || offered.type === "none" ? `'${target}'` : `${offered.type} → '${target}'`;
  const comment = decision.comment?.trim();
  const sentences = [
    `[decision] A person decided ${label}.`,
    ...(comment ? [`Their comment: "${comment}".`] : []),
    to === "__end__"
      ? "The workflow no longer has this edge, so the session ends here."
      : `The session is now in "${to}".`,
  ];
  const update: WorkflowUpdate = {
    ...RELEASED,
    messages: notePair("decision", sentences.join(" "), context.newId()),
    rejected: null,
    stateTurns: null,
    status: "running",
    auditTrail: [trailStep(context.clock(), to, "human", comment ? { reason: comment } : {})],
  };
  if (to === "__end__") return { ends: true, update: { ...update, status: "completed" } };
  events.emit({ type: "state-enter", state: to });
  update.workflowState = to;
  update.beforeDone = withoutVisit(state.beforeDone, to);
  if (!machine.isHumanState(to)) return { ends: false, update };
  events.emit({ type: "parked", state: to, awaiting: "decision" });
  return { ends: false, update: { ...update, ...parkForDecision(context, state, to) } };
}

function applyReply(context: RuntimeContext, state: WorkflowState, text: string): ResumeResult {
  const record = parkRecord(state);
  context.events.emit({
    type: "park-message",
    state: record?.state ?? state.workflowState ?? "",
    direction: "inbound",
    text,
  });
  // The record stays as it is: the same seq and time, so the reported wait still measures the original park.
  return {
    ends: false,
    update: { messages: [new HumanMessage({ content: text, id: context.newId() })], parkPhase: "closing" },
  };
}

function applyDelivery(
  context: RuntimeContext,
  state: WorkflowState,
  delivery: TriggerDelivery,
): ResumeResult {
  const { events } = context;
  const record = parkRecord(state);
  const at = record?.state ?? state.workflowState ?? context.machine.entryState;
  const triggerId = delivery.trigger.id.trim();
  const store: Record<string, VariableStore[string]> = {
    [TRIGGER_VARIABLE]: { value: triggerId, locked: true, reseed: true },
  };
  const names: string[] = [];
  const lines: string[] = [];
  let title: string | undefined;
  for (const [name, value] of Object.entries(delivery.variables ?? {})) {
    if (name === TRIGGER_VARIABLE) continue;
    if (name === TITLE_VARIABLE) {
      const read = readTitle(value);
      if ("problem" in read) {
        events.emit({
          type: "warning",
          scope: "session",
          message: `The delivered title was skipped: ${read.problem}.`,
        });
        continue;
      }
      title = read.title;
      store[name] = { value: title, locked: false, reseed: true };
    } else {
      store[name] = { value, locked: true, reseed: true };
      names.push(name);
    }
    lines.push(`${name} = ${JSON.stringify(store[name]?.value)}`);
  }
  events.emit({ type: "delivered", state: at, trigger: triggerId, to: at });
  if (names.length > 0) events.emit({ type: "variables-set", state: at, names, locked: true });
  if (title !== undefined) events.emit({ type: "title-set", state: at, title });
  const said = delivery.message?.trim() ? delivery.message : undefined;
  if (said !== undefined) events.emit({ type: "park-message", state: at, direction: "inbound", text: said });
  events.emit({ type: "state-enter", state: at });
  const note = [`[event] The trigger "${triggerId}" arrived.`, ...lines].join("\n");
  return {
    ends: false,
    update: {
      ...RELEASED,
      messages: [
        ...notePair("event", note, context.newId()),
        ...(said === undefined ? [] : [new HumanMessage({ content: said, id: context.newId() })]),
      ],
      status: "running",
      rejected: null,
      trigger: { id: triggerId },
      variables: store,
      auditTrail: [trailStep(context.clock(), at, "trigger", { reason: triggerId })],
    },
  };
}
