import type { Clock } from "../ports/clock.ts";

/** A clock whose hands the test turns. */
export interface ManualClock extends Clock {
  /** Moves time forward, running what comes due on the way, in order, and lets promises settle in between. */
  advance(milliseconds: number): Promise<void>;
}

/** Lets everything that is ready to settle do so. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that stands at `start`, milliseconds since the epoch. */
export function createManualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start;
  const tasks = new Set<{ at: number; task: () => void }>();
  return {
    now: () => now,
    after(delayMs, task) {
      const entry = { at: now + delayMs, task };
      tasks.add(entry);
      return () => {
        tasks.delete(entry);
      };
    },
    async advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        await settle();
        const next = [...tasks].filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        tasks.delete(next);
        now = Math.max(now, next.at);
        next.task();
      }
      now = end;
      await settle();
    },
  };
}
