/**
 * Readers of a session's checkpointed channels (spec 03 §2, §9; spec 04 §13).
 *
 * A checkpoint may be older than a field, or hold one damaged by hand. Every reader here is total: what is
 * missing or malformed reads as empty, so that one bad field never hides a session.
 */
import { type CheckpointTuple, INTERRUPT, RESUME } from "@langchain/langgraph-checkpoint";
import { isMapping, ownValue } from "../spec/shapes.ts";
import type {
  PendingDecision,
  PendingInput,
  SessionExit,
  SessionVariables,
  TrailStep,
  UsageSummary,
  WorkflowStatus,
} from "./shapes.ts";

/** A checkpoint's channel values, or a state snapshot's: channel name to value. */
export type ChannelValues = Readonly<Record<string, unknown>>;

/** What the readers need of a LangGraph state snapshot: the values and the tasks with their interrupts. */
export interface SessionSnapshot {
  readonly values: unknown;
  readonly tasks?: readonly { readonly interrupts?: readonly unknown[] }[];
}

/** A live park: who it waits for, and its record. */
export type ParkedSession =
  | { channel: "decision"; record: PendingDecision }
  | { channel: "input"; record: PendingInput };

/** The task LangGraph files a graph's own input under, a resume's answer among it. */
const NULL_TASK = "00000000-0000-0000-0000-000000000000";

const STATUSES: readonly WorkflowStatus[] = [
  "running",
  "completed",
  "failed",
  "rejected",
  "awaiting_decision",
  "awaiting_input",
];
const FINISHED: readonly (WorkflowStatus | undefined)[] = ["completed", "failed", "rejected"];
const TRAIL_KINDS: readonly TrailStep["kind"][] = [
  "trigger",
  "agent",
  "human",
  "sub-workflow",
  "reset",
  "on_error",
];
const TRANSITION_TYPES: readonly unknown[] = [undefined, "approve", "reject", "refine", "none"];

/** Channels only a governed session has: a checkpoint with none of them was left by a plain agent. */
const GOVERNED_CHANNELS = ["status", "workflowState", "entryState", "trigger", "specHash"] as const;

/** The session's status, or `undefined` where none is recorded or the recorded one is unknown. */
export function statusOf(values: ChannelValues): WorkflowStatus | undefined {
  const status = ownValue(values, "status");
  return STATUSES.find((known) => known === status);
}

/** The partition of statuses: `completed`, `failed` and `rejected` are finished, the rest and none are open. */
export function classificationOf(status: WorkflowStatus | undefined): "open" | "finished" {
  return FINISHED.includes(status) ? "finished" : "open";
}

/** The position: the slug of the state the session stands in, where its next turn continues. */
export function positionOf(values: ChannelValues): string | undefined {
  return textOf(ownValue(values, "workflowState"));
}

/** The hash of the definition the latest turn ran under. */
export function specHashOf(values: ChannelValues): string | undefined {
  return textOf(ownValue(values, "specHash"));
}

/** Whether the checkpoint was left by a governed agent. */
export function isGoverned(values: ChannelValues): boolean {
  return GOVERNED_CHANNELS.some((channel) => {
    const value = ownValue(values, channel);
    return value !== undefined && value !== null;
  });
}

/**
 * The park record of a checkpoint's values, on either channel, or `null` where there is none. The status
 * chooses between two records; a status that names no channel leaves the decision first. Says nothing of
 * whether the park is live: {@link readParkedSession} does.
 */
export function pendingParkOf(values: ChannelValues): PendingDecision | PendingInput | null {
  const decision = ownValue(values, "pendingDecision");
  const input = ownValue(values, "pendingInput");
  const inputFirst = statusOf(values) === "awaiting_input";
  if (inputFirst && isPendingInput(input)) return input;
  if (isPendingDecision(decision)) return decision;
  return isPendingInput(input) ? input : null;
}

/** The park a checkpoint records under its status, live or not; `null` unless the status is a parked one. */
export function recordedParkOf(values: ChannelValues): ParkedSession | null {
  const status = statusOf(values);
  if (status === "awaiting_decision") {
    const record = ownValue(values, "pendingDecision");
    return isPendingDecision(record) ? { channel: "decision", record } : null;
  }
  if (status === "awaiting_input") {
    const record = ownValue(values, "pendingInput");
    return isPendingInput(record) ? { channel: "input", record } : null;
  }
  return null;
}

/** The state a park record names: a decision's or a wait's. */
export function parkedStateOf(record: PendingDecision | PendingInput): string {
  return record.state;
}

/**
 * The park of a state snapshot, or `null` unless a parked status, its record and a live suspension are all
 * there. A status alone is not a park: a crash in the handoff call leaves one, and such a session is running.
 */
export function readParkedSession(snapshot: SessionSnapshot): ParkedSession | null {
  const live = (snapshot.tasks ?? []).some((task) => (task.interrupts ?? []).length > 0);
  return live && isMapping(snapshot.values) ? recordedParkOf(snapshot.values) : null;
}

/** The same reading of a checkpoint, whose suspension is among its pending writes: {@link isSuspended}. */
export function readParkedCheckpoint(tuple: CheckpointTuple): ParkedSession | null {
  return isSuspended(tuple) ? recordedParkOf(tuple.checkpoint.channel_values) : null;
}

/**
 * Whether a checkpoint waits for its interrupt to be answered. An interrupt whose answer is already among the
 * pending writes is none: a resume was accepted and its turn died. LangGraph would hand that first answer to the
 * graph again whatever a second resume says, so such a session is continued, never answered anew.
 */
export function isSuspended(tuple: CheckpointTuple): boolean {
  const writes = tuple.pendingWrites ?? [];
  const answered = new Set(writes.flatMap(([task, channel]) => (channel === RESUME ? [task] : [])));
  if (answered.has(NULL_TASK)) return false;
  return writes.some(([task, channel]) => channel === INTERRUPT && !answered.has(task));
}

/**
 * The session's variables; an empty set where none are recorded or the recorded set is malformed: part of a
 * damaged set would read as a whole one.
 */
export function variablesOf(values: ChannelValues): SessionVariables {
  const store = ownValue(values, "variables");
  if (!isMapping(store)) return {};
  const entries: [string, { value: unknown; locked: boolean }][] = [];
  for (const [name, entry] of Object.entries(store)) {
    const locked = ownValue(entry, "locked");
    if (typeof locked !== "boolean" || !Object.hasOwn(Object(entry), "value")) return {};
    entries.push([name, { value: ownValue(entry, "value"), locked }]);
  }
  return Object.fromEntries(entries);
}

/** What the session has spent; `undefined` where nothing was spent, or the record is malformed. */
export function usageOf(values: ChannelValues): UsageSummary | undefined {
  const usage = ownValue(values, "usage");
  const inputTokens = amountOf(ownValue(usage, "inputTokens"));
  const outputTokens = amountOf(ownValue(usage, "outputTokens"));
  const cacheReadTokens = amountOf(ownValue(usage, "cacheReadTokens"));
  const cacheCreationTokens = amountOf(ownValue(usage, "cacheCreationTokens"));
  const cost = ownValue(usage, "costUsd");
  const costUsd = amountOf(cost);
  if (
    inputTokens === undefined ||
    outputTokens === undefined ||
    cacheReadTokens === undefined ||
    cacheCreationTokens === undefined ||
    (cost !== undefined && costUsd === undefined)
  ) {
    return undefined;
  }
  if (inputTokens + outputTokens + cacheReadTokens + cacheCreationTokens + (costUsd ?? 0) === 0) {
    return undefined;
  }
  const totals = { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens };
  return costUsd === undefined ? totals : { ...totals, costUsd };
}

/**
 * How the agent itself ended the session: success on `completed`, what was raised on `failed`; `undefined`
 * on any other status, and on a `failed` one whose record is malformed.
 */
export function exitOf(values: ChannelValues): SessionExit | undefined {
  const status = statusOf(values);
  return status === "completed" ? { success: true } : status === "failed" ? raisedExitOf(values) : undefined;
}

/** What the agent raised, as an exit, whatever the status; `undefined` where nothing readable was raised. */
export function raisedExitOf(values: ChannelValues): Extract<SessionExit, { success: false }> | undefined {
  const raised = ownValue(values, "raised");
  const code = ownValue(raised, "code");
  const reason = ownValue(raised, "reason");
  return typeof code === "string" && typeof reason === "string"
    ? { success: false, code, reason }
    : undefined;
}

/** The audit trail, oldest step first; a step of another shape is passed over. */
export function auditTrailOf(values: ChannelValues): TrailStep[] {
  const trail = ownValue(values, "auditTrail");
  return Array.isArray(trail) ? trail.filter(isTrailStep) : [];
}

/** How many messages the transcript holds; 0 where there is none. */
export function messageCountOf(values: ChannelValues): number {
  const messages = ownValue(values, "messages");
  return Array.isArray(messages) ? messages.length : 0;
}

function isPendingDecision(value: unknown): value is PendingDecision {
  const transitions = ownValue(value, "transitions");
  const evidence = ownValue(value, "evidence");
  return (
    textOf(ownValue(value, "state")) !== undefined &&
    isTextOrAbsent(ownValue(value, "title")) &&
    Number.isInteger(ownValue(value, "seq")) &&
    typeof ownValue(value, "createdAt") === "string" &&
    (evidence === undefined ||
      (Array.isArray(evidence) && evidence.every((path) => typeof path === "string"))) &&
    Array.isArray(transitions) &&
    transitions.every(isDecisionEdge)
  );
}

function isDecisionEdge(value: unknown): boolean {
  return (
    textOf(ownValue(value, "to")) !== undefined &&
    isTextOrAbsent(ownValue(value, "description")) &&
    TRANSITION_TYPES.includes(ownValue(value, "type"))
  );
}

function isPendingInput(value: unknown): value is PendingInput {
  return (
    textOf(ownValue(value, "state")) !== undefined &&
    isTextOrAbsent(ownValue(value, "title")) &&
    typeof ownValue(value, "reason") === "string" &&
    typeof ownValue(value, "parkedAt") === "string" &&
    isTextOrAbsent(ownValue(value, "resumeAt"))
  );
}

function isTrailStep(value: unknown): value is TrailStep {
  const kind = ownValue(value, "kind");
  const status = ownValue(value, "status");
  return (
    typeof ownValue(value, "to") === "string" &&
    TRAIL_KINDS.some((known) => known === kind) &&
    isTextOrAbsent(ownValue(value, "reason")) &&
    isTextOrAbsent(ownValue(value, "workflow")) &&
    (status === undefined || status === "ok" || status === "error") &&
    typeof ownValue(value, "ts") === "string"
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function amountOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
