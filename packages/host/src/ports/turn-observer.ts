import type { Command } from "./command.ts";
import type { CommandKind } from "./session-record.ts";

/** Whose turn something is told of. */
export interface ObservedTurn {
  tenant: string;
  workflow: string;
  sessionId: string;
  turnId: string;
  kind: CommandKind;
}

/**
 * How a command ended: the outcome of its turn; `continued` where the turn goes on in another invocation; `repeated` or
 * `stale` where there was nothing to do; `refused` where the harness or the host would not begin; `broken-off` where a
 * model, a tool or a store failed it.
 */
export type TurnEnding =
  | "completed"
  | "parked"
  | "failed"
  | "rejected"
  | "continued"
  | "repeated"
  | "stale"
  | "refused"
  | "broken-off";

/** What a turn came to and what it took. */
export interface EndedTurn extends ObservedTurn {
  ending: TurnEnding;
  /** The name of the error that refused it or broke it off. */
  error?: string;
  durationMs: number;
  /** Of this run alone, its children's included. */
  inputTokens: number;
  outputTokens: number;
  /** US dollars; absent where nothing was priced. */
  costUsd?: number;
  toolCalls: number;
  /** Calls the kernel refused. */
  toolBlocks: number;
  /** How long after its time a timed wait was resumed; a `resume` alone, and one that had something to do. */
  resumeLagMs?: number;
}

/**
 * Told what a host does, by whoever measures it (spec 07 §9): names, ids, counts and durations, never a variable's
 * value or a message's text. An implementation never throws and holds nothing up.
 */
export interface TurnObserver {
  /** A command has been run, whatever came of it; not one that found its session busy. */
  turnEnded(turn: EndedTurn): void;
  /** A command found its session held by another turn, or lost it to one. */
  leaseConflict(turn: ObservedTurn): void;
  /** A queued command was taken up, so long after it was enqueued, or after its time where it had to wait for that. */
  commandTaken(turn: ObservedTurn, waitedMs: number): void;
}

/** Observes nothing. */
export const blindObserver: TurnObserver = { turnEnded() {}, leaseConflict() {}, commandTaken() {} };

/** Whose turn a command is. */
export function observedTurn({ tenant, workflow, sessionId, turnId, kind }: Command): ObservedTurn {
  return { tenant, workflow, sessionId, turnId, kind };
}
