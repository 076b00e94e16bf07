import type { TimedResume } from "../ports/resume-scheduler.ts";
import type { SessionKey } from "../ports/session-record.ts";
import { dueGroup, type QueueMessage } from "../ports/turn-queue.ts";

/** The id of a park's resume: the same however often it is armed, and by whom. */
export function resumeCommandId(key: SessionKey, seq: number): string {
  return `resume:${key.tenant}:${key.sessionId}:${seq}`;
}

/** A timed resume as the queue carries it: in the session's group of what is due, the same message each time. */
export function resumeMessage({ tenant, workflow, sessionId, seq, dueAt }: TimedResume): QueueMessage {
  const commandId = resumeCommandId({ tenant, sessionId }, seq);
  return {
    group: dueGroup(tenant, sessionId),
    deduplicationId: commandId,
    command: { kind: "resume", tenant, workflow, sessionId, turnId: commandId, commandId, seq, dueAt },
  };
}
