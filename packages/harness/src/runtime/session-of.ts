/** The session a graph run belongs to. */

/** The thread id of a run's config: the session's id. An entry without one is refused at its first checkpoint. */
export function threadIdOf(configurable: unknown): string {
  const id = (configurable as { thread_id?: unknown } | undefined)?.thread_id;
  return typeof id === "string" ? id : "";
}
