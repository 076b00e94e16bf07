/** A deployed function: instances of its bundle that come with demand, each at one event at a time. */

import { type LambdaOptions, type LambdaProcess, startLambda } from "../../support/lambda-process.ts";
import type { InvocationResult } from "../../support/runtime-api.ts";

export interface FunctionOptions extends LambdaOptions {
  /** How many instances run at once at most; further events wait for one. */
  instances: number;
}

export interface DeployedFunction {
  readonly name: string;
  /** An instance that ends before it has answered is an error of the platform's own, `Runtime.ExitError`. */
  invoke(event: unknown): Promise<InvocationResult>;
  /** The instances that are at an event now. */
  busy(): LambdaProcess[];
  /** Ends every instance that waits; the next event starts a new one, as after a deployment. */
  recycle(): Promise<void>;
  /** How many instances have been started so far. */
  started(): number;
  /** What all instances have logged so far. */
  log(): string;
  stop(): Promise<void>;
}

/** Instances start with the first events, not before. */
export function deployedFunction(name: string, options: FunctionOptions): DeployedFunction {
  const instances = new Set<LambdaProcess>();
  const idle: LambdaProcess[] = [];
  const busy = new Set<LambdaProcess>();
  const waiting: (() => void)[] = [];
  let inUse = 0;
  let started = 0;
  let stopped = false;
  let earlierLogs = "";

  const forget = (instance: LambdaProcess) => {
    if (instances.delete(instance)) earlierLogs += instance.output();
    void instance.stop();
  };

  async function take(): Promise<LambdaProcess> {
    while (inUse >= options.instances) await new Promise<void>((resolve) => waiting.push(resolve));
    inUse += 1;
    for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
      if (!found.ended()) return found;
      forget(found);
    }
    try {
      started += 1;
      const instance = await startLambda(name, options);
      instances.add(instance);
      return instance;
    } catch (error) {
      letGo();
      throw error;
    }
  }

  function letGo(): void {
    inUse -= 1;
    waiting.shift()?.();
  }

  /** Puts an instance back once it waits for its next event. */
  async function giveBack(instance: LambdaProcess): Promise<void> {
    try {
      await instance.idle();
      idle.push(instance);
    } catch {
      forget(instance);
    }
    busy.delete(instance);
    letGo();
  }

  return {
    name,
    async invoke(event) {
      if (stopped) throw new Error(`The function ${name} is not deployed any more.`);
      const instance = await take();
      busy.add(instance);
      try {
        return await instance.invoke(event);
      } catch (error) {
        const errorMessage = error instanceof Error ? error.message : String(error);
        return { ok: false, error: { errorType: "Runtime.ExitError", errorMessage } };
      } finally {
        void giveBack(instance);
      }
    },
    busy: () => [...busy],
    async recycle() {
      await Promise.all(
        idle.splice(0).map(async (instance) => {
          instances.delete(instance);
          earlierLogs += instance.output();
          await instance.stop();
        }),
      );
    },
    started: () => started,
    log: () => earlierLogs + [...instances].map((instance) => instance.output()).join(""),
    async stop() {
      stopped = true;
      await Promise.all([...instances].map((instance) => instance.stop()));
    },
  };
}
