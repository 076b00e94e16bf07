/** The clock of a deployment: the machine's, moved on by the test. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PRELOADED = pathToFileURL(join(import.meta.dirname, "lambda", "moved-clock.mjs")).href;

export interface MovedClock {
  /** What every process of the deployment takes for the time, in ms since the epoch. */
  now(): number;
  /** Moves it on. Timers, and the queue's visibility timeouts, keep the machine's pace. */
  move(milliseconds: number): void;
  /** What a process follows it by. */
  env: Record<string, string>;
}

/** A clock that shows the machine's time at first. Its file is kept in `folder`. */
export function movedClock(folder: string): MovedClock {
  const file = join(folder, "clock");
  let aheadMs = 0;
  const write = () => {
    writeFileSync(`${file}.new`, String(aheadMs));
    renameSync(`${file}.new`, file);
  };
  write();
  return {
    now: () => Date.now() + aheadMs,
    move(milliseconds) {
      aheadMs += milliseconds;
      write();
    },
    env: { TEST_CLOCK_FILE: file, NODE_OPTIONS: `--import=${PRELOADED}` },
  };
}
