import { createHash } from "node:crypto";
import type { SessionKey } from "./session-record.ts";

/** One timed resume to be. `dueAt` is ISO 8601 in UTC, a whole second. */
export interface TimedResume extends SessionKey {
  workflow: string;
  /** The park's number in the session record. */
  seq: number;
  dueAt: string;
}

/**
 * One-time schedules (spec 07 §4). When one comes due, its `resume` command goes to the queue, group
 * `dueGroup(tenant, sessionId)`, and the schedule is gone.
 */
export interface ResumeScheduler {
  /** Arms a resume. The same session and `seq` twice is one schedule, the first; no error. */
  arm(resume: TimedResume): Promise<void>;
  /** Calls a resume off. False where there was none any more, which is as good. */
  disarm(key: SessionKey, seq: number): Promise<boolean>;
  /** What is armed for a session. */
  list(key: SessionKey): Promise<TimedResume[]>;
}

/** What the names of a session's schedules begin with, and no other's. */
export function scheduleNamePrefix(key: SessionKey): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([key.tenant, key.sessionId]))
    .digest("hex");
  return `r-${digest.slice(0, 40)}-`;
}

/** The schedule's name: at most 64 characters, the same for the same park. */
export function scheduleName(key: SessionKey, seq: number): string {
  return `${scheduleNamePrefix(key)}${seq}`;
}
