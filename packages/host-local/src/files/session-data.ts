import { rm } from "node:fs/promises";
import {
  BackendCheckpointSaver,
  createBackendSessionStore,
  sessionFolder,
  Workspace,
} from "@archmax-ai/harness/internal/sessions";
import type { SessionData } from "@archmax-ai/host";
import { createFilesBackend } from "./files-backend.ts";
import { type FileArea, fileIn } from "./placed-file.ts";
import { removeSessionFolder, tenantFiles } from "./tenant-files.ts";

/** The harness's checkpointer, whose files go with the thread: a host forgets a session for good. */
class StoredCheckpointSaver extends BackendCheckpointSaver {
  readonly #area: FileArea;

  constructor(area: FileArea) {
    super(new Workspace(createFilesBackend(area)));
    this.#area = area;
  }

  override async deleteThread(threadId: string): Promise<void> {
    await super.deleteThread(threadId);
    await rm(fileIn(this.#area.dir, `${sessionFolder(threadId)}/checkpoints`), {
      recursive: true,
      force: true,
    });
  }
}

/** The stored sessions of a data folder, without a model runtime (spec 07 §8). */
export function createSessionData(dataDir: string): SessionData {
  return {
    forTenant(tenant) {
      const area = tenantFiles(dataDir, tenant);
      const sessionStore = createBackendSessionStore({
        backend: createFilesBackend(area),
        deleteSession: (sessionId) => removeSessionFolder(area, sessionId),
      });
      return { sessionStore, checkpointer: new StoredCheckpointSaver(area) };
    },
  };
}
