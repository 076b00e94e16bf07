import { rootSessionIdOf } from "@archmax-ai/harness/spec";
import { UnknownSessionError } from "../errors.ts";
import type { FileLinks } from "../ports/file-links.ts";
import type { SessionRecord } from "../ports/session-record.ts";
import type { SessionRecords } from "../ports/session-records.ts";
import type { WorkflowCatalog } from "../ports/workflow-catalog.ts";
import type { AppPorts } from "./host-app-base.ts";
import type { DeletionPorts } from "./session-deletion.ts";

/** What the app of the session handles needs. It loads no model runtime. */
export interface SessionsPorts extends AppPorts, DeletionPorts {
  catalog: WorkflowCatalog;
  records: SessionRecords;
  /** Absent where the routes carry the bytes themselves. */
  fileLinks?: FileLinks;
}

/**
 * The record of a session as far as a caller may know it: his tenant's, of this workflow. A child session is known
 * by its root's record.
 *
 * @throws UnknownSessionError
 */
export async function knownSession(
  records: SessionRecords,
  tenant: string,
  workflow: string,
  sessionId: string,
): Promise<SessionRecord> {
  const stored = await records.get({ tenant, sessionId: rootSessionIdOf(sessionId) });
  if (stored === null || stored.record.workflow !== workflow || stored.record.deleting) {
    throw new UnknownSessionError();
  }
  return stored.record;
}
