/** The session a graph run belongs to. */

/**
 * The thread id of a run's config as the checkpointer reads it: the session's id, the name of its folder. An entry
 * without one is refused at its first checkpoint.
 */
export function threadIdOf(configurable: unknown): string {
  const id = (configurable as { thread_id?: unknown } | undefined)?.thread_id;
  return id === undefined || id === null ? "" : String(id).replace(/^\/+/, "");
}
