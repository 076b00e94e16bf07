import { SessionStoreIdError } from "../spec/errors.ts";
import type { MountPrefixes } from "../spec/paths.ts";
import { sessionIdRejection } from "../spec/session-ids.ts";

/**
 * The folder of a session, which is its id without leading slashes.
 *
 * @param mounts the mount names whose first segments no session may take
 * @throws SessionStoreIdError for an id that cannot name a session (spec 04 §6).
 */
export function sessionFolder(sessionId: string, mounts?: MountPrefixes): string {
  const rejection = sessionIdRejection(sessionId, mounts);
  if (rejection !== null) throw new SessionStoreIdError(sessionId, rejection);
  return sessionId.replace(/^\/+/, "");
}
