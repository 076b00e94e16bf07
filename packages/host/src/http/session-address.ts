import {
  type MountPrefixes,
  NO_MOUNTS,
  parentSessionIdOf,
  rootSessionIdOf,
  sessionIdRejection,
} from "@archmax-ai/harness/spec";
import { ChildSessionError, RequestError, SessionStoreIdError } from "../errors.ts";
import type { CatalogEntry, WorkflowCatalog } from "../ports/workflow-catalog.ts";

/** The longest session id, in bytes of UTF-8. */
const MAX_ID_BYTES = 512;

/**
 * A session id as a route or a body gave it.
 *
 * @throws SessionStoreIdError for one that cannot name a session.
 */
export function sessionIdFrom(raw: string, mounts: MountPrefixes = NO_MOUNTS): string {
  if (Buffer.byteLength(raw, "utf8") > MAX_ID_BYTES) {
    throw new SessionStoreIdError(`it is longer than ${MAX_ID_BYTES} bytes`);
  }
  if (!raw.isWellFormed()) throw new SessionStoreIdError("it is no well-formed Unicode");
  const rejection = sessionIdRejection(raw, mounts);
  if (rejection !== null) throw new SessionStoreIdError(rejection);
  return raw.replace(/^\/+/, "");
}

/** The same for a verb, which a child session does not take. @throws ChildSessionError */
export function drivenSessionId(raw: string, mounts: MountPrefixes = NO_MOUNTS): string {
  const id = sessionIdFrom(raw, mounts);
  if (parentSessionIdOf(id) !== undefined) throw new ChildSessionError(rootSessionIdOf(id));
  return id;
}

/** A deployed workflow. @throws RequestError 404; whatever loading it fails with. */
export async function workflowNamed(
  catalog: WorkflowCatalog,
  tenant: string,
  slug: string,
): Promise<CatalogEntry> {
  const entry = await catalog.get(tenant, slug);
  if (entry !== null) return entry;
  throw new RequestError("UnknownWorkflowError", 404, "Unknown workflow", "There is no such workflow.");
}
