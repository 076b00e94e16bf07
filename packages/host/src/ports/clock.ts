/**
 * Time, as a port: tests turn the hands themselves, hosts use the machine's clock.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Runs `task` once, `delayMs` milliseconds from now, and returns what calls it off. A clock of a real host
   * does not keep the process alive for it.
   */
  after(delayMs: number, task: () => void): () => void;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    timer.unref?.();
    return () => clearTimeout(timer);
  },
};

/** ISO 8601 in UTC with milliseconds, for an instant in milliseconds since the epoch. */
export function isoInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
