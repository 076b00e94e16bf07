import {
  type CreateAgentParams,
  createAgent,
  createFilesystemSessionStore,
  SessionStoreIdError,
} from "@archmax-ai/harness";
import { BackendCheckpointSaver, Workspace } from "@archmax-ai/harness/internal/sessions";
import { type AgentProvider, fenceCheckpointer } from "@archmax-ai/host";
import { withAtomicWrites } from "../files/atomic-writes.ts";
import { tenantFiles } from "../files/tenant-files.ts";

/** What a host may say about its agents beside where they live. */
export type AgentOptions = Omit<
  CreateAgentParams,
  "workflow" | "workspace" | "backend" | "authoring" | "mounts" | "checkpointer" | "onEvent"
>;

/** Where the local agents' files are. */
export interface LocalAgentLocations {
  /** The workspace: the folder that holds `workflows/`, `skills/` and `AGENTS.md`. */
  rootDir: string;
  /** Sessions are kept below it, in `tenants/<tenant>/runs`. */
  dataDir: string;
}

/** The longest name of a session's folder, in bytes: file systems take 255, and a child's id adds its number. */
const LONGEST_NAME = 240;

/** @throws SessionStoreIdError for an id that no folder of this file system can be named after */
function assertStorable(sessionId: string): void {
  if (sessionId.split("/").some((name) => Buffer.byteLength(name) > LONGEST_NAME)) {
    throw new SessionStoreIdError(
      sessionId,
      `a part of it is longer than ${LONGEST_NAME} bytes, too long for a folder's name`,
    );
  }
}

/**
 * Agents on this machine: the workspace's documents, session folders in the data folder. Each turn gets an agent
 * of its own, which reads the documents and the checkpoints as they are then.
 */
export function createLocalAgentProvider(
  { rootDir, dataDir }: LocalAgentLocations,
  options: AgentOptions = {},
): AgentProvider {
  return {
    async agentFor(request) {
      assertStorable(request.sessionId);
      const area = tenantFiles(dataDir, request.tenant);
      const store = createFilesystemSessionStore({ dir: area.dir });
      const sessionStore = { ...store, backend: withAtomicWrites(store.backend, area) };
      const saver = new BackendCheckpointSaver(new Workspace(sessionStore.backend));
      const agent = await createAgent({
        ...options,
        workflow: request.workflow,
        workspace: { rootDir, sessionStore },
        checkpointer: fenceCheckpointer(saver, request),
        onEvent: (event) => request.onEvent(event),
      });
      const { workflow } = agent;
      if (workflow === undefined) {
        throw new TypeError(
          `The workflow ${JSON.stringify(request.workflow)} gave an agent without governance.`,
        );
      }
      return {
        workflow,
        invoke: (input, config) => agent.invoke(input, config),
        getState: (config) => agent.getState(config),
        dispose: (sessionId) => agent.dispose(sessionId),
      };
    },
  };
}
