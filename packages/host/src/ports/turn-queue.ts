import type { Command } from "./command.ts";

/** One message for the queue. */
export interface QueueMessage {
  /**
   * Messages of one group are delivered in order and one at a time: `tenant#sessionId` for commands,
   * `tenant#sessionId#due` for timed resumes. Any text; an implementation may hash it.
   */
  group: string;
  /** The same id within five minutes is the same message, enqueued once. Any text. */
  deduplicationId: string;
  command: Command;
}

/** A message in hand. Exactly one of the three is to be called; until then the group waits. */
export interface QueueDelivery {
  readonly message: QueueMessage;
  /** When it was enqueued, in milliseconds since the epoch, where the queue knows. */
  readonly enqueuedAt?: number;
  /** Carried out, or not worth carrying out: gone from the queue. */
  done(): Promise<void>;
  /** Show it again at that instant (milliseconds since the epoch). Waiting counts as no attempt. */
  retryAt(epochMs: number): Promise<void>;
  /** Aside, with the reason, until someone puts it back. */
  deadLetter(reason: string): Promise<void>;
}

/**
 * The one FIFO queue of commands (spec 07 §3, Queue). At least once: a message whose consumer dies is delivered
 * again.
 */
export interface TurnQueue {
  /** Resolves once the message is stored durably, and not before. Of any size. */
  enqueue(message: QueueMessage): Promise<void>;
  /** The next message that may be delivered now, or `null`. Does not wait. */
  receive(): Promise<QueueDelivery | null>;
  /** Puts up to `limit` dead letters back, oldest first, and says how many. Passes over what never was a command. */
  redrive(limit: number): Promise<number>;
  /**
   * Puts aside what never became a command, an event that maps to nothing valid, as plain JSON with the reason.
   * Resolves once it is stored durably. Of any size. The same letter and reason within five minutes may be kept once.
   */
  deadLetter(letter: unknown, reason: string): Promise<void>;
}

/** The group of a session's commands. */
export function commandGroup(tenant: string, sessionId: string): string {
  return `${tenant}#${sessionId}`;
}

/** The group of a session's timed resumes: a resume that waits for its time holds up no command. */
export function dueGroup(tenant: string, sessionId: string): string {
  return `${tenant}#${sessionId}#due`;
}
