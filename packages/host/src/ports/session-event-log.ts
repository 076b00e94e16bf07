import type { SessionKey } from "./session-record.ts";

/** One line of a session's event log: what a server-sent event carries. */
export interface LoggedEvent {
  /** Grows over the session's events, with gaps, on across invocations. A safe integer. */
  id: number;
  /** The lifecycle event's type, or `outcome` or `continued`. */
  type: string;
  /** The event as plain JSON. */
  data: unknown;
}

/**
 * The recent events of each session, for clients that reconnect (spec 07 §2, Answers). Ids are the host's; only
 * the holder of a session's lease appends.
 */
export interface SessionEventLog {
  /** Adds events, in order. An id that is there already is kept as it is. Kept at least 24 h. */
  append(key: SessionKey, events: readonly LoggedEvent[]): Promise<void>;
  /** Up to `limit` events with an id above `after`, in order of id. */
  read(key: SessionKey, after: number, limit: number): Promise<LoggedEvent[]>;
  /** Forgets a session's events. */
  remove(key: SessionKey): Promise<void>;
}
