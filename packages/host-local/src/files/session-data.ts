import {
  BackendCheckpointSaver,
  createBackendSessionStore,
  Workspace,
} from "@archmax-ai/harness/internal/sessions";
import type { SessionData } from "@archmax-ai/host";
import { createFilesBackend } from "./files-backend.ts";
import { removeSessionFolder, tenantFiles } from "./tenant-files.ts";

/** The stored sessions of a data folder, without a model runtime (spec 07 §8). */
export function createSessionData(dataDir: string): SessionData {
  return {
    forTenant(tenant) {
      const area = tenantFiles(dataDir, tenant);
      const sessionStore = createBackendSessionStore({
        backend: createFilesBackend(area),
        deleteSession: (sessionId) => removeSessionFolder(area, sessionId),
      });
      return { sessionStore, checkpointer: new BackendCheckpointSaver(new Workspace(sessionStore.backend)) };
    },
  };
}
