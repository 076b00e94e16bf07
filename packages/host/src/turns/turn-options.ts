import type { Outcome } from "@archmax-ai/harness";
import type { AgentProvider } from "../ports/agent-provider.ts";
import type { SessionEventLog } from "../ports/session-event-log.ts";
import type { SessionRecords } from "../ports/session-records.ts";
import type { TurnObserver } from "../ports/turn-observer.ts";
import type { EventListener } from "./turn-events.ts";
import type { SettlementPorts } from "./turn-settlement.ts";

/** What a turn runs on. */
export interface TurnRunnerPorts extends SettlementPorts {
  agents: AgentProvider;
  records: SessionRecords;
  eventLog: SessionEventLog;
  /** Told what each turn came to; absent where nobody measures. */
  observer?: TurnObserver;
  /** A fresh unique id. */
  newId: () => string;
  /** Whether the process is about to end: a turn then stops at its next superstep and goes on in another one. */
  stopping?: () => boolean;
}

/** How one command is run. */
export interface TurnOptions {
  /** When the invocation ends, in ms since the epoch; a turn still running then goes on in another one. */
  deadline?: number;
  /** From when on a turn stops at its next superstep, in ms since the epoch, though there be time left. */
  yieldAt?: number;
  onEvent?: EventListener;
  /**
   * The command comes from the queue and nobody waits for its answer: a refusal is noted on the record, and the command
   * waits for a turn that was cut off before it instead of being refused.
   */
  queued?: boolean;
}

/** What running a command came to. */
export type TurnResult =
  | { kind: "settled"; outcome: Outcome }
  /** The invocation is near its end: the turn goes on in another one. */
  | { kind: "continued" }
  /** The command had been carried out before. */
  | { kind: "repeated" }
  /** A queued command met a turn that was cut off: that one is to be gone on with first. */
  | { kind: "unfinished"; turn: { turnId: string; commandId: string } }
  /** There is nothing left for the command to do. */
  | { kind: "stale"; reason: string };
