/**
 * The shapes the session verbs take and give (spec 04 §12.1, §13; their meaning: spec 03 §9).
 *
 * Plain data and types only: light functions import this file without the engine.
 */
import type { BaseMessage } from "@langchain/core/messages";
import type { UsageSummary } from "../events/usage.ts";
import type {
  DecisionResolution,
  DelegatedPark,
  PendingDecision,
  PendingInput,
  ResumePayload,
  TrailStep,
  TriggerDelivery,
  TurnFile,
  WorkflowStatus,
} from "../runtime/records.ts";
import type { ResolvedTrigger, TriggerInput } from "../spec/triggers.ts";

export type {
  DecisionResolution,
  DelegatedPark,
  PendingDecision,
  PendingInput,
  ResolvedTrigger,
  ResumePayload,
  TrailStep,
  TriggerDelivery,
  TriggerInput,
  TurnFile,
  UsageSummary,
  WorkflowStatus,
};

/** Session variables as read back: name to value and lock. */
export type SessionVariables = Record<string, { value: unknown; locked: boolean }>;

/** What opens a turn. `variables` are seeded locked; `files` maps a variable to the file it will name. */
export interface TurnInput {
  message: string;
  trigger?: TriggerInput;
  variables?: Record<string, unknown>;
  /** Read by `resolveSession` alone: beside an explicit session id it changes nothing. */
  sessionPath?: string;
  files?: Record<string, TurnFile>;
}

/** What `send` takes: a turn, or one of the two resumes as a payload. */
export type SendInput = TurnInput | { decision: DecisionResolution } | { delivery: TriggerDelivery };

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

/** How the agent itself ended a session. */
export type SessionExit = { success: true } | { success: false; code: string; reason: string };

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
