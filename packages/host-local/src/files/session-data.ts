import { rm } from "node:fs/promises";
import {
  BackendCheckpointSaver,
  createBackendSessionStore,
  sessionFolder,
  Workspace,
} from "@archmax-ai/harness/internal/sessions";
import { isChildSessionOf } from "@archmax-ai/harness/spec";
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
      const backend = createFilesBackend(area);
      const sessionStore = createBackendSessionStore({
        backend,
        deleteSession: (sessionId) => removeSessionFolder(area, sessionId),
      });
      const checkpointer = new StoredCheckpointSaver(area);
      return { sessionStore, checkpointer, childrenOf: (id) => childrenOf(new Workspace(backend), id) };
    },
  };
}

/** The child sessions whose folders stand beside the session's own: files and checkpoints alike are in them. */
async function childrenOf(store: Workspace, sessionId: string): Promise<string[]> {
  const parent = sessionId.includes("/") ? sessionId.slice(0, sessionId.lastIndexOf("/") + 1) : "";
  const entries = await store.listDirStrict(`/${parent}`);
  return entries
    .map((entry) => `${parent}${entry.path.replace(/\/+$/, "").split("/").at(-1) ?? ""}`)
    .filter((id) => isChildSessionOf(id, sessionId));
}
