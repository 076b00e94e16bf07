import type { BackendProtocolV2 } from "deepagents";

/** What a session store can do beyond reading and writing. */
export interface SessionStoreCapabilities {
  /** Whether its sessions can be enumerated. */
  readonly list: boolean;
  /** Whether a session's folder can be removed. */
  readonly delete: boolean;
}

/**
 * Where session folders live (spec 04 §7). A session's files are at `<sessionId>/<path>` beneath `backend`,
 * which is a contract: a host may reach them through its own handle. A host may implement this itself.
 */
export interface SessionStore {
  readonly kind: "filesystem" | "backend" | "memory";
  readonly backend: BackendProtocolV2;
  readonly capabilities: SessionStoreCapabilities;
  /**
   * Removes everything a session holds.
   *
   * @returns whether anything was removed.
   * @throws SessionStoreIdError for an id that names no session, SessionStoreCapabilityError where the store
   * cannot delete.
   */
  deleteSession(sessionId: string): Promise<boolean>;
}
