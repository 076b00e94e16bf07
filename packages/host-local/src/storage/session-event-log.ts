import type { Clock, SessionEventLog } from "@archmax-ai/host";
import type { Database } from "./database.ts";

/** How long a session's events are kept for clients that reconnect: 24 hours, in milliseconds. */
export const EVENT_RETENTION_MS = 24 * 60 * 60_000;

/** The event log with its housekeeping. */
export interface LocalSessionEventLog extends SessionEventLog {
  /** Forgets events older than 24 hours and says how many. */
  prune(): number;
}

/** Recent lifecycle events in the embedded database (spec 07 §2, Answers). */
export function createSessionEventLog(database: Database, clock: Clock): LocalSessionEventLog {
  return {
    async append({ tenant, sessionId }, events) {
      if (events.length === 0) return;
      const now = clock.now();
      database.transaction(() => {
        for (const { id, type, data } of events) {
          database.run(
            `INSERT INTO session_events (tenant, session_id, id, type, data, appended_at) VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT DO NOTHING`,
            tenant,
            sessionId,
            id,
            type,
            JSON.stringify(data),
            now,
          );
        }
      });
    },

    async read({ tenant, sessionId }, after, limit) {
      return database
        .all(
          `SELECT id, type, data FROM session_events WHERE tenant = ? AND session_id = ? AND id > ?
           ORDER BY id LIMIT ?`,
          tenant,
          sessionId,
          after,
          limit,
        )
        .map((row) => ({
          id: Number(row.id),
          type: String(row.type),
          data: JSON.parse(String(row.data)) as unknown,
        }));
    },

    async remove({ tenant, sessionId }) {
      database.run("DELETE FROM session_events WHERE tenant = ? AND session_id = ?", tenant, sessionId);
    },

    prune() {
      return database.run(
        "DELETE FROM session_events WHERE appended_at <= ?",
        clock.now() - EVENT_RETENTION_MS,
      );
    },
  };
}
