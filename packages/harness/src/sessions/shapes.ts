/**
 * The shapes the session verbs take and give (spec 04 §12.1, §13; their meaning: spec 03 §9).
 *
 * Plain data and types only: light functions import this file without the engine.
 */
import type { BaseMessage } from "@langchain/core/messages";
import type { ResolvedTrigger, TriggerInput } from "../spec/triggers.ts";

export type { ResolvedTrigger, TriggerInput };

/** Where a session stands. `completed`, `failed` and `rejected` are finished; everything else is open. */
export type WorkflowStatus =
  | "running"
  | "completed"
  | "failed"
  | "rejected"
  | "awaiting_decision"
  | "awaiting_input";

/** Session variables as read back: name to value and lock. */
export type SessionVariables = Record<string, { value: unknown; locked: boolean }>;

/** A file handed to a turn: one plain file name and the file's exact bytes. */
export interface TurnFile {
  name: string;
  content: Uint8Array;
}

/** What opens a turn. `variables` are seeded locked; `files` maps a variable to the file it will name. */
export interface TurnInput {
  message: string;
  trigger?: TriggerInput;
  variables?: Record<string, unknown>;
  /** Read by `resolveSession` alone: beside an explicit session id it changes nothing. */
  sessionPath?: string;
  files?: Record<string, TurnFile>;
}

/** A person's decision at a human state: the edge to take, and why. */
export interface DecisionResolution {
  target: string;
  comment?: string;
}

/** A firing handed to a session that waits with `archmax_wait`. */
export interface TriggerDelivery {
  trigger: TriggerInput;
  variables?: Record<string, unknown>;
  message?: string;
  files?: Record<string, TurnFile>;
}

/** What `send` takes: a turn, or one of the two resumes as a payload. */
export type SendInput = TurnInput | { decision: DecisionResolution } | { delivery: TriggerDelivery };

/** What a parked session's interrupt is resumed with, told apart by shape. */
export type ResumePayload = DecisionResolution | TriggerDelivery | { message: string };

export interface ResolveSessionInput {
  trigger?: TriggerInput;
  variables?: Record<string, unknown>;
  sessionId?: string;
  sessionPath?: string;
}

/** Which session a firing belongs to and how it meets it. `native`: the id was minted by the runtime. */
export interface ResolvedSession {
  sessionId: string;
  disposition: "turn" | "resume" | "reply";
  /** For a turn: the state it would open in. */
  startState?: string;
  /** For a resume or a reply: the state the session is parked at. */
  state?: string;
  native: boolean;
}

/** The record of a session parked at a human state. `createdAt` is ISO 8601. */
export interface PendingDecision {
  state: string;
  title?: string;
  seq: number;
  createdAt: string;
  evidence?: string[];
  transitions: { to: string; description?: string; type?: "approve" | "reject" | "refine" | "none" }[];
}

/** The record of a session parked by `archmax_wait`. `parkedAt` and `resumeAt` are ISO 8601. */
export interface PendingInput {
  state: string;
  title?: string;
  reason: string;
  parkedAt: string;
  resumeAt?: string;
}

/** How the agent itself ended a session. */
export type SessionExit = { success: true } | { success: false; code: string; reason: string };

/** Token totals; `costUsd` only where pricing is configured. */
export interface UsageSummary {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
  costUsd?: number;
}

/** One step of the audit trail. `ts` is ISO 8601. */
export interface TrailStep {
  to: string;
  kind: "trigger" | "agent" | "human" | "sub-workflow" | "reset" | "on_error";
  reason?: string;
  workflow?: string;
  status?: "ok" | "error";
  ts: string;
}

/** A delegated child's park, presented by its caller as its own (spec 05 A9). */
export interface DelegatedPark {
  workflow: string;
  sessionId: string;
  identity: string;
  dispatchId: string;
  toolCallId: string;
  state: string;
}

/** What a turn or a resume came to. */
export interface Outcome {
  kind: "completed" | "parked" | "failed" | "rejected";
  disposition: "turn" | "decide" | "reply" | "deliver";
  status?: WorkflowStatus;
  state?: string;
  parkedChannel?: "decision" | "input";
  pending?: PendingDecision | PendingInput;
  delegation?: DelegatedPark;
  reply: string;
  rejected?: string;
  exit?: SessionExit;
  messages: BaseMessage[];
  auditTrail: TrailStep[];
  variables: SessionVariables;
  usage?: UsageSummary;
}

export interface DecideOutcome {
  status?: WorkflowStatus;
  workflowState?: string;
  state?: string;
  /** The session parked again, at this or another state. */
  reparked: boolean;
  parkedChannel?: "decision" | "input";
  delegation?: DelegatedPark;
  reply: string;
  rejected?: string;
  exit?: SessionExit;
  messages: BaseMessage[];
  auditTrail: TrailStep[];
}

/** A reply parks again on the same record. */
export interface ReplyOutcome extends DecideOutcome {
  parkedChannel: "decision";
  reparked: true;
}

export interface DeliverOutcome extends DecideOutcome {
  variables: SessionVariables;
}

/** One session at a glance, read from its latest checkpoint. */
export interface SessionSummary {
  sessionId: string;
  status?: WorkflowStatus;
  /** `open` where the status is absent or unknown. */
  classification?: "open" | "finished";
  /** Position: where the next turn continues. */
  workflowState?: string;
  /** The definition the latest turn ran under; informative. */
  specHash?: string;
  /** Parked: the state awaiting a decision or an event. */
  state?: string;
  waitReason?: string;
  /** Absolute ISO 8601 instant a timed wait ends at. */
  resumeAt?: string;
  /** On status `failed` only. */
  exit?: { success: false; code: string; reason: string };
  /** `{}` when none; absent on a plain session. */
  variables?: SessionVariables;
  /** Omitted until something was spent. */
  usage?: UsageSummary;
  parentSessionId?: string;
}

/** The session handles every agent has, governed or plain (spec 04 §13). */
export interface SessionOperations {
  list(): Promise<SessionSummary[]>;
  get(sessionId: string): Promise<SessionSummary | null>;
  messageCount(sessionId: string): Promise<number>;
  delete(sessionId: string): Promise<boolean>;
  seed(sessionId: string, files: Record<string, unknown>): Promise<void>;
}
