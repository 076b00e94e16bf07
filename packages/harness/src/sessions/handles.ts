import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { SessionStoreCapabilityError } from "../errors.ts";
import type { MountPrefixes } from "../spec/paths.ts";
import { sessionIdRejection } from "../spec/session-ids.ts";
import { sessionFolder } from "../workspace/session-store-id.ts";
import type { SessionStore } from "../workspace/session-store-types.ts";
import { Workspace } from "../workspace/workspace.ts";
import { messageCountOf } from "./checkpoint-values.ts";
import { seedFiles } from "./seed.ts";
import type { SessionOperations, SessionSummary } from "./shapes.ts";
import { summarize } from "./summary.ts";

/** How many sessions a listing reads at a time. */
const LISTING_WIDTH = 8;

/** What the session handles are built over. */
export interface SessionOperationsOptions {
  sessionStore: SessionStore;
  checkpointer: BaseCheckpointSaver;
  /** Whether the checkpointer is the harness's own over this store: only then can its sessions be listed. */
  ownCheckpointer: boolean;
  mountPrefixes: MountPrefixes;
  /** Releases what the process holds for a session and its children. */
  dispose: (sessionId: string) => void;
}

/**
 * The session handles of an agent, governed or plain (spec 04 §13). Every id passes the session id rule first,
 * so each handle rejects with `SessionStoreIdError` before anything is read.
 *
 * - `list`: the store's first-level folders that hold a checkpoint, children included, in the store's order;
 *   `[]` where the store cannot list or the checkpointer is the host's.
 * - `get`: one session, through any checkpointer; `null` before its first checkpoint. A failing store rejects.
 * - `messageCount`: length of the transcript, 0 before the first checkpoint.
 * - `delete`: checkpoints, folder and what the process holds; whether anything was removed. Throws
 *   `SessionStoreCapabilityError` before anything is evicted where the store cannot delete.
 * - `seed`: see {@link seedFiles}.
 */
export function createSessionOperations(options: SessionOperationsOptions): SessionOperations {
  const { sessionStore, checkpointer, ownCheckpointer, mountPrefixes, dispose } = options;
  const store = new Workspace(sessionStore.backend);
  const idOf = (sessionId: string): string => sessionFolder(sessionId, mountPrefixes);
  const read = (sessionId: string): Promise<CheckpointTuple | undefined> =>
    checkpointer.getTuple({ configurable: { thread_id: sessionId, checkpoint_ns: "" } });

  async function summaryOf(sessionId: string): Promise<SessionSummary | null> {
    const tuple = await read(sessionId);
    return tuple === undefined ? null : summarize(sessionId, tuple);
  }

  return {
    async list() {
      if (!ownCheckpointer || !sessionStore.capabilities.list) return [];
      const ids = await sessionFolders(store, mountPrefixes);
      const summaries: SessionSummary[] = [];
      for (let start = 0; start < ids.length; start += LISTING_WIDTH) {
        const batch = await Promise.all(ids.slice(start, start + LISTING_WIDTH).map(summaryOf));
        summaries.push(...batch.filter((summary) => summary !== null));
      }
      return summaries;
    },
    async get(sessionId) {
      return summaryOf(idOf(sessionId));
    },
    async messageCount(sessionId) {
      const tuple = await read(idOf(sessionId));
      return tuple === undefined ? 0 : messageCountOf(tuple.checkpoint.channel_values);
    },
    async delete(sessionId) {
      const id = idOf(sessionId);
      if (!sessionStore.capabilities.delete)
        throw new SessionStoreCapabilityError(sessionStore.kind, "delete");
      const elsewhere = !ownCheckpointer && (await read(id)) !== undefined;
      await checkpointer.deleteThread(id);
      const removed = await sessionStore.deleteSession(id);
      dispose(id);
      return removed || elsewhere;
    },
    async seed(sessionId, files) {
      await seedFiles(store, idOf(sessionId), files, mountPrefixes);
    },
  };
}

/** The store's first-level folders that can be sessions (no reserved name can), each once, in the store's order. */
async function sessionFolders(store: Workspace, mountPrefixes: MountPrefixes): Promise<string[]> {
  const names = (await store.listDirStrict("/"))
    .filter((entry) => entry.is_dir === true || entry.path.endsWith("/"))
    .map((entry) => entry.path.replace(/^\/+|\/+$/g, ""))
    .filter((name) => sessionIdRejection(name, mountPrefixes) === null);
  return [...new Set(names)];
}
