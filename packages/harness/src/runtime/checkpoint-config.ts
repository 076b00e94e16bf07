/** What a run's config says of the checkpoint it means: its session and its namespace. */
import type { RunnableConfig } from "@langchain/core/runnables";
import { SessionStoreIdError } from "../spec/errors.ts";
import { sessionIdRejection } from "../spec/session-ids.ts";

/** The session a config names, or `undefined` where it names none. */
export function namedBy(config: RunnableConfig): string | undefined {
  const threadId: unknown = config.configurable?.thread_id;
  return threadId === undefined || threadId === null ? undefined : sessionOf(threadId);
}

/**
 * The folder a thread id names, so that two spellings of one folder are one thread.
 *
 * @throws SessionStoreIdError for an id that cannot name a session.
 */
export function sessionOf(threadId: unknown): string {
  const id = String(threadId);
  const rejection = sessionIdRejection(id);
  if (rejection !== null) throw new SessionStoreIdError(id, rejection);
  return id.replace(/^\/+/, "");
}

/** The config, naming the session by its folder. */
export function withThread(config: RunnableConfig, session: string): RunnableConfig {
  return { ...config, configurable: { ...config.configurable, thread_id: session } };
}

/** The checkpoint namespace a config names; the root's where it names none. */
export function namespaceOf(config: RunnableConfig): string {
  const ns: unknown = config.configurable?.checkpoint_ns;
  return typeof ns === "string" ? ns : "";
}
