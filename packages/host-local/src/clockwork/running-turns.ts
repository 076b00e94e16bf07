import type { TurnRunner } from "@archmax-ai/host";

/** A runner that knows which of its turns are still running. */
export interface CountedRunner extends TurnRunner {
  /** Resolves once no turn runs any more. */
  settled(): Promise<void>;
}

/** Keeps count of a runner's turns, so that a host that stops can wait for them. */
export function countTurns(runner: TurnRunner): CountedRunner {
  const running = new Set<Promise<unknown>>();
  return {
    run(command, options) {
      const turn = runner.run(command, options);
      running.add(turn);
      const forget = () => {
        running.delete(turn);
      };
      turn.then(forget, forget);
      return turn;
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
