import type { Outcome, SendInput, WorkflowLifecycleEvent } from "@archmax-ai/harness";
import type { SessionKey } from "./session-record.ts";

/** The part of LangGraph's run config the host sets. */
export interface TurnConfig {
  signal?: AbortSignal;
  /** `sync`: a superstep's checkpoint is stored before the next superstep begins. */
  durability?: "sync";
  configurable?: Record<string, unknown>;
}

/** The part of LangGraph's state snapshot the host reads. */
export interface AgentSnapshot {
  values: unknown;
  next: readonly string[];
  tasks: readonly { interrupts?: readonly { value?: unknown }[] }[];
  config: { configurable?: Record<string, unknown> };
}

/** The part of the harness's governed `Agent` the host uses. */
export interface HostedAgent {
  workflow: {
    /** A turn; or a decision or a delivery as `{ decision }`, `{ delivery }`. */
    send(sessionId: string, input: SendInput, config?: TurnConfig): Promise<Outcome>;
    /** A message within a decision park. The outcome is read from the session's state. */
    reply(sessionId: string, text: string, config?: TurnConfig): Promise<unknown>;
    /** How a firing meets the session. Rejects with `SessionNotResumableError` where a turn is under way. */
    resolveSession(input: { sessionId: string }): Promise<unknown>;
  };
  /** `null` continues from the newest checkpoint. */
  invoke(input: null, config: TurnConfig): Promise<unknown>;
  getState(config: TurnConfig): Promise<AgentSnapshot>;
  dispose(sessionId: string): void;
}

/**
 * The hold a turn has on its session, and what a checkpointer must ask before it writes (spec 07 §3). Once the
 * lease is lost, nothing the turn does may be stored.
 */
export interface SessionFence {
  /** The lease's token; an older turn's is lower. */
  readonly token: number;
  /** Rejects with `LeaseLostError` where another turn has taken the session since. Reads the record. */
  assertHeld(): Promise<void>;
}

/** A checkpoint that has just been stored. */
export interface StoredCheckpoint {
  id: string;
  /** It closes a superstep; false for the one that records the input. */
  closesSuperstep: boolean;
}

/** One turn's need of an agent. */
export interface AgentRequest extends SessionKey {
  workflow: string;
  fence: SessionFence;
  /** Called after each checkpoint of the session itself is stored; what it throws ends the turn there. */
  afterCheckpoint(checkpoint: StoredCheckpoint): void;
  /** Every lifecycle event of the session and its children during the turn. */
  onEvent(event: WorkflowLifecycleEvent): void;
}

/**
 * Gives the agent that runs one turn. The caller holds the session's lease and disposes the session at the
 * agent when the turn has settled.
 *
 * A provider hands `fenceCheckpointer(saver, request)` to the harness as its checkpointer, so that a writer
 * whose lease is lost stores nothing and a turn can stop between supersteps. The saver must read what is stored
 * now: a session moves between processes, and a saver that replays a session once is made anew for each turn.
 */
export interface AgentProvider {
  /** Rejects with the harness's assembly errors, `WorkflowLoadError` among them. */
  agentFor(request: AgentRequest): Promise<HostedAgent>;
}
