import type { BackendProtocolV2 } from "deepagents";
import { SessionStoreCapabilityError } from "../errors.ts";
import { mountSubtree } from "./mount-subtree.ts";
import { sessionFolder } from "./session-store-id.ts";
import type { SessionStore } from "./session-store-types.ts";

/** What {@link createBackendSessionStore} takes. */
export interface BackendSessionStoreOptions {
  /** Any backend; session folders are its first-level folders, below `prefix`. */
  backend: BackendProtocolV2;
  /** A tenancy prefix inside the backend, for example `tenants/a/runs`. It shows in no path the SDK hands out. */
  prefix?: string | undefined;
  /** Removes a session's folder, told by its logical id; its own prefix is the host's business. */
  deleteSession?: ((sessionId: string) => Promise<boolean>) | undefined;
  /** Whether sessions can be enumerated; true unless said otherwise. */
  list?: boolean | undefined;
}

/**
 * A session store over any Deep Agents backend.
 *
 * @throws WorkspacePathEscapeError when the prefix climbs above the backend's root.
 */
export function createBackendSessionStore(options: BackendSessionStoreOptions): SessionStore {
  const { backend, prefix = "", deleteSession, list = true } = options;
  return {
    kind: "backend",
    backend: mountSubtree(backend, prefix),
    capabilities: { list, delete: deleteSession !== undefined },
    async deleteSession(sessionId) {
      const folder = sessionFolder(sessionId);
      if (deleteSession === undefined) throw new SessionStoreCapabilityError("backend", "delete");
      return deleteSession(folder);
    },
  };
}
