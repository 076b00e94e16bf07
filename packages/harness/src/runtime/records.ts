/**
 * The plain records a session's checkpoint holds and its resumes carry (spec 03 §2, §8; spec 04 §12.1).
 *
 * Types only. They stand below the verbs because the turn writes what the verbs read.
 */
import type { TriggerInput } from "../spec/triggers.ts";

/** Where a session stands. `completed`, `failed` and `rejected` are finished; everything else is open. */
export type WorkflowStatus =
  | "running"
  | "completed"
  | "failed"
  | "rejected"
  | "awaiting_decision"
  | "awaiting_input";

/** A file handed to a turn: one plain file name and the file's exact bytes. */
export interface TurnFile {
  name: string;
  content: Uint8Array;
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

/** What a parked session's interrupt is resumed with, told apart by shape. */
export type ResumePayload = DecisionResolution | TriggerDelivery | { message: string };

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
