/** What a turn or a resume came to, read from the state the graph left (spec 03 §9). */
import type { BaseMessage } from "@langchain/core/messages";
import { lastAgentText } from "../messages/index.ts";
import { ownValue } from "../spec/shapes.ts";
import {
  auditTrailOf,
  type ChannelValues,
  exitOf,
  type ParkedSession,
  positionOf,
  recordedParkOf,
  statusOf,
  usageOf,
  variablesOf,
} from "./checkpoint-values.ts";
import type { DecideOutcome, DeliverOutcome, Outcome, ReplyOutcome } from "./shapes.ts";

/** A graph's answer: its values, and the interrupts it stopped at. */
export type GraphResult = ChannelValues & { __interrupt__?: unknown };

/** The park a run stopped at, or `null`: a parked status without a suspension is none. */
function parkOf(result: GraphResult): ParkedSession | null {
  const interrupts = ownValue(result, "__interrupt__");
  return Array.isArray(interrupts) && interrupts.length > 0 ? recordedParkOf(result) : null;
}

function messagesOf(result: GraphResult): BaseMessage[] {
  const messages = ownValue(result, "messages");
  return Array.isArray(messages) ? (messages as BaseMessage[]) : [];
}

function rejectedReasonOf(result: GraphResult): string | undefined {
  const reason = ownValue(result, "rejected");
  return statusOf(result) === "rejected" && typeof reason === "string" ? reason : undefined;
}

/** Reads an outcome. */
export function outcomeOf(result: GraphResult, disposition: Outcome["disposition"]): Outcome {
  const status = statusOf(result);
  const park = parkOf(result);
  const outcome: Outcome = {
    kind: park !== null ? "parked" : status === "rejected" || status === "failed" ? status : "completed",
    disposition,
    reply: lastAgentText(messagesOf(result)),
    messages: messagesOf(result),
    auditTrail: auditTrailOf(result),
    variables: variablesOf(result),
  };
  if (status !== undefined) outcome.status = status;
  const state = park?.record.state ?? positionOf(result);
  if (state !== undefined) outcome.state = state;
  if (park !== null) {
    outcome.parkedChannel = park.channel;
    outcome.pending = park.record;
  }
  const rejected = rejectedReasonOf(result);
  if (rejected !== undefined) outcome.rejected = rejected;
  const exit = park === null ? exitOf(result) : undefined;
  if (exit !== undefined) outcome.exit = exit;
  const usage = usageOf(result);
  if (usage !== undefined) outcome.usage = usage;
  return outcome;
}

/** The same reading as a decision's outcome. */
export function decideOutcomeOf(result: GraphResult): DecideOutcome {
  const { status, state, parkedChannel, delegation, reply, rejected, exit, messages, auditTrail } = outcomeOf(
    result,
    "decide",
  );
  const position = positionOf(result);
  return {
    ...(status === undefined ? {} : { status }),
    ...(position === undefined ? {} : { workflowState: position }),
    ...(state === undefined ? {} : { state }),
    reparked: parkedChannel !== undefined,
    ...(parkedChannel === undefined ? {} : { parkedChannel }),
    ...(delegation === undefined ? {} : { delegation }),
    reply,
    ...(rejected === undefined ? {} : { rejected }),
    ...(exit === undefined ? {} : { exit }),
    messages,
    auditTrail,
  };
}

/** The same reading as a reply's outcome: a reply parks again on its record. */
export function replyOutcomeOf(result: GraphResult): ReplyOutcome {
  return { ...decideOutcomeOf(result), parkedChannel: "decision", reparked: true };
}

/** The same reading as a delivery's outcome. */
export function deliverOutcomeOf(result: GraphResult): DeliverOutcome {
  return { ...decideOutcomeOf(result), variables: variablesOf(result) };
}
