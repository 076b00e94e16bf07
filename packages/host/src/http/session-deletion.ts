import { createSessionOperations } from "@archmax-ai/harness/internal/sessions";
import { NO_MOUNTS } from "@archmax-ai/harness/spec";
import type { ResumeScheduler } from "../ports/resume-scheduler.ts";
import type { SessionData } from "../ports/session-data.ts";
import type { SessionEventLog } from "../ports/session-event-log.ts";
import type { SessionRecord } from "../ports/session-record.ts";
import type { SessionRecords } from "../ports/session-records.ts";

/** What deleting a session touches. */
export interface DeletionPorts {
  records: SessionRecords;
  data: SessionData;
  eventLog: SessionEventLog;
  scheduler: ResumeScheduler;
}

/**
 * Removes everything of a session whose record says that it is being deleted: its timed resume, checkpoints, files
 * and events, those of its child sessions, and the record last, so that a crash on the way is picked up again.
 */
export async function finishDeletion(ports: DeletionPorts, record: SessionRecord): Promise<void> {
  const { tenant, sessionId } = record;
  const key = { tenant, sessionId };
  if (record.park !== undefined) await ports.scheduler.disarm(key, record.park.seq);
  const { sessionStore, checkpointer, childrenOf } = ports.data.forTenant(tenant);
  const operations = createSessionOperations({
    sessionStore,
    checkpointer,
    ownCheckpointer: true,
    mountPrefixes: NO_MOUNTS,
    dispose: () => {},
  });
  for (const child of await childrenOf(sessionId)) await operations.delete(child);
  await operations.delete(sessionId);
  await ports.eventLog.remove(key);
  const stored = await ports.records.get(key);
  if (stored !== null) await ports.records.remove(key, stored.version);
}
