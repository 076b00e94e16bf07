import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import { StoreBackend } from "deepagents";
import { isAbsence } from "./file-content.ts";
import { sessionFolder } from "./session-store-id.ts";
import type { SessionStore } from "./session-store-types.ts";

/** An ephemeral session store for tests: it lives as long as the object does and touches no disk. */
export function createMemorySessionStore(): SessionStore {
  const backend = new StoreBackend({ store: new InMemoryStore(), namespace: ["sessions"] });
  return {
    kind: "memory",
    backend,
    capabilities: { list: true, delete: true },
    async deleteSession(sessionId) {
      const result = await backend.delete(`/${sessionFolder(sessionId)}`);
      if (result.error === undefined) return true;
      if (isAbsence(result.error)) return false;
      throw new Error(`The session could not be removed: ${result.error}`);
    },
  };
}
