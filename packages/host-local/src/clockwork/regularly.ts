import type { Clock, Logger } from "@archmax-ai/host";

/** A task on a clock. */
export interface RegularTask {
  /** Runs it no more; resolves once a run in progress has ended. */
  stop(): Promise<void>;
}

/**
 * Runs a task again and again: each run `intervalMs` milliseconds after the one before has ended, the first at
 * once. A run that fails is logged and the next one comes all the same.
 *
 * @param name says in the log what failed
 */
export function regularly(
  name: string,
  intervalMs: number,
  task: () => void | Promise<void>,
  { clock, logger }: { clock: Clock; logger: Logger },
): RegularTask {
  let running = true;
  let cancel: () => void = () => {};
  let current: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    try {
      await task();
    } catch (error) {
      logger.error(`${name} failed`, {}, error);
    }
    if (!running) return;
    cancel = clock.after(intervalMs, () => {
      current = run();
    });
  }

  current = run();
  return {
    async stop() {
      running = false;
      cancel();
      await current;
    },
  };
}
