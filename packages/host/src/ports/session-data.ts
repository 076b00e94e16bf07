import type { SessionStore } from "@archmax-ai/harness";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** Where one tenant's sessions live. */
export interface TenantStorage {
  /** Session folders and spec snapshots. */
  sessionStore: SessionStore;
  /** Checkpoints. Reads what is stored now: a saver that caches a thread is made anew for each call. */
  checkpointer: BaseCheckpointSaver;
  /**
   * The child sessions of a session, at any depth, that have anything stored, files or checkpoints, in any order. What
   * it costs follows the children, not the tenant's sessions, where the store can tell them apart.
   */
  childrenOf(sessionId: string): Promise<string[]>;
}

/**
 * The stored sessions, for the functions that read, seed and delete without running anything: their bundles hold
 * no model runtime (spec 07 §2).
 */
export interface SessionData {
  /** The storage of one tenant; nothing in it reaches another's. Cheap, and asked for on each request. */
  forTenant(tenant: string): TenantStorage;
}
