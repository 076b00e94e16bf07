import { createHash } from "node:crypto";
import type { Outcome, PendingDecision, PendingInput } from "@archmax-ai/harness";
import type { Clock } from "../ports/clock.ts";
import type { Command } from "../ports/command.ts";
import type { OutEvent, ParkRecord, SessionRecord, SessionStatus } from "../ports/session-record.ts";

/** How long a carried-out command is remembered, in ms. */
const REMEMBERED_MS = 24 * 3_600_000;

/** What a settled turn puts on the record. */
export interface SettledTurn {
  command: Command;
  outcome: Outcome;
  /** Id of the session's newest checkpoint. */
  head: string | undefined;
}

/** The record after a turn (spec 07 §3): where the session stands, its park, what is still to be published. */
export function recordOutcome(record: SessionRecord, turn: SettledTurn, clock: Clock): SessionRecord {
  const { command, outcome } = turn;
  const now = clock.now();
  const at = new Date(now).toISOString();
  const { turn: _mark, stalled: _stalled, park: former, attempts, ...rest } = record;
  const { park, parkSeq } = parkAfter(former, record.parkSeq, outcome);
  const title = outcome.variables.title?.value;
  const { [command.commandId]: _spent, ...otherAttempts } = attempts;
  const next: SessionRecord = {
    ...rest,
    status: statusOf(outcome),
    updatedAt: at,
    parkSeq,
    attempts: otherAttempts,
    carriedOut: [
      ...record.carriedOut.filter(
        (entry) => entry.at > now - REMEMBERED_MS && entry.commandId !== command.commandId,
      ),
      { commandId: command.commandId, at: now },
    ],
    lastTurn: {
      turnId: command.turnId,
      commandId: command.commandId,
      kind: command.kind,
      digest: outcomeDigest(outcome),
      at,
    },
    ...(outcome.state === undefined ? {} : { state: outcome.state }),
    ...(typeof title === "string" ? { title } : {}),
    ...(outcome.usage === undefined ? {} : { usage: outcome.usage }),
    ...(turn.head === undefined ? {} : { head: turn.head }),
    ...(park === undefined ? {} : { park }),
  };
  // A session whose turn never settled before has no head: this is its first.
  const started = record.head === undefined;
  return { ...next, unpublished: [...record.unpublished, ...outEvents(next, turn, started)] };
}

/**
 * The park after a turn. A park that differs from the one held (a decision told by its `seq`, a wait by its
 * `parkedAt`) takes the next number; a reply or a re-read changes nothing.
 */
function parkAfter(
  former: ParkRecord | undefined,
  parkSeq: number,
  outcome: Outcome,
): { park?: ParkRecord; parkSeq: number } {
  const { pending, parkedChannel } = outcome;
  if (outcome.kind !== "parked" || pending === undefined || parkedChannel === undefined) return { parkSeq };
  const identity =
    parkedChannel === "decision"
      ? `decision:${(pending as PendingDecision).seq}`
      : `input:${(pending as PendingInput).parkedAt}`;
  if (former?.identity === identity) return { park: former, parkSeq };
  const resumeAt = parkedChannel === "input" ? (pending as PendingInput).resumeAt : undefined;
  return {
    parkSeq: parkSeq + 1,
    park: {
      seq: parkSeq + 1,
      channel: parkedChannel,
      identity,
      state: pending.state,
      ...(resumeAt === undefined ? {} : { resumeAt }),
      armed: resumeAt === undefined,
      record: JSON.parse(JSON.stringify(pending)) as Record<string, unknown>,
    },
  };
}

function statusOf(outcome: Outcome): SessionStatus {
  if (outcome.kind === "parked")
    return outcome.parkedChannel === "decision" ? "awaiting_decision" : "awaiting_input";
  return outcome.status ?? outcome.kind;
}

/** SHA-256 of an outcome without its transcript, hex. */
function outcomeDigest(outcome: Outcome): string {
  const { messages: _messages, ...told } = outcome;
  return createHash("sha256").update(JSON.stringify(told)).digest("hex");
}

/** The events of a turn for the bus (spec 07 §5). They hold no variable's value and no message's text. */
function outEvents(record: SessionRecord, { command, outcome }: SettledTurn, started: boolean): OutEvent[] {
  const types: OutEvent["type"][] = [];
  if (started) types.push("SessionStarted");
  if (outcome.disposition === "decide" || outcome.disposition === "deliver") types.push("SessionResumed");
  if (outcome.kind === "parked" && outcome.disposition !== "reply") {
    types.push("SessionParked");
    if (outcome.parkedChannel === "decision") types.push("DecisionRequested");
  }
  if (outcome.kind === "completed") types.push("SessionCompleted");
  if (outcome.kind === "failed") types.push("SessionFailed");
  if (outcome.kind === "rejected") types.push("SessionRejected");
  const detail = {
    tenant: record.tenant,
    workflow: record.workflow,
    sessionId: record.sessionId,
    ...(record.state === undefined ? {} : { state: record.state }),
    ...(record.title === undefined ? {} : { title: record.title }),
    ...(record.park?.resumeAt === undefined ? {} : { resumeAt: record.park.resumeAt }),
    ...(record.usage === undefined ? {} : { usage: record.usage }),
  };
  return types.map((type, ordinal) => ({
    id: `${command.turnId}-${ordinal}`,
    type,
    time: record.updatedAt,
    detail,
  }));
}
