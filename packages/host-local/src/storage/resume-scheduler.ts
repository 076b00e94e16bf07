import { type Clock, dueGroup, type ResumeScheduler, scheduleName, type TimedResume } from "@archmax-ai/host";
import type { Database, Row } from "./database.ts";
import { storeMessage } from "./turn-queue.ts";

/** The scheduler with its hands: the local host turns them. */
export interface LocalResumeScheduler extends ResumeScheduler {
  /** Moves every resume that is due into the queue and says how many. */
  fireDue(): number;
}

function resumeOf(row: Row): TimedResume {
  return {
    tenant: String(row.tenant),
    sessionId: String(row.session_id),
    workflow: String(row.workflow),
    seq: Number(row.seq),
    dueAt: String(row.due_at),
  };
}

/** How many resumes one transaction moves. */
const FIRE_BATCH = 500;

/**
 * One-time schedules in the embedded database (spec 07 §4). A due resume is put into the queue and taken off the
 * schedule in one transaction.
 */
export function createResumeScheduler(database: Database, clock: Clock): LocalResumeScheduler {
  return {
    async arm({ tenant, sessionId, workflow, seq, dueAt }) {
      database.run(
        `INSERT INTO timed_resumes (tenant, session_id, seq, workflow, due_at, due_ms) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
        tenant,
        sessionId,
        seq,
        workflow,
        dueAt,
        Date.parse(dueAt),
      );
    },

    async disarm({ tenant, sessionId }, seq) {
      const removed = database.run(
        "DELETE FROM timed_resumes WHERE tenant = ? AND session_id = ? AND seq = ?",
        tenant,
        sessionId,
        seq,
      );
      return removed === 1;
    },

    async list({ tenant, sessionId }) {
      return database
        .all(
          "SELECT * FROM timed_resumes WHERE tenant = ? AND session_id = ? ORDER BY seq",
          tenant,
          sessionId,
        )
        .map(resumeOf);
    },

    fireDue() {
      return database.transaction(() => {
        const due = database
          .all(
            "SELECT * FROM timed_resumes WHERE due_ms <= ? ORDER BY due_ms LIMIT ?",
            clock.now(),
            FIRE_BATCH,
          )
          .map(resumeOf);
        for (const resume of due) {
          const name = scheduleName(resume, resume.seq);
          const command = { kind: "resume" as const, ...resume, turnId: name, commandId: name };
          storeMessage(
            database,
            { group: dueGroup(resume.tenant, resume.sessionId), deduplicationId: name, command },
            clock.now(),
          );
          database.run(
            "DELETE FROM timed_resumes WHERE tenant = ? AND session_id = ? AND seq = ?",
            resume.tenant,
            resume.sessionId,
            resume.seq,
          );
        }
        return due.length;
      });
    },
  };
}
