/** A process that dies at one of its storage calls: before the call is made, or once it has taken effect. */
import type { Reach } from "./aws-stores.ts";

/** When the process dies: at which of its calls, counted from 1, and on which side of it. */
export interface Crash {
  readonly at: number;
  readonly when: "before" | "after";
}

/** Whether it died. */
export interface Fate {
  died: boolean;
  /** The calls made, by name, for example `DeleteObjects`. */
  readonly calls: string[];
}

/** The error of every call from the crash on: nothing of a dead process reaches a store. */
export class ProcessDiedError extends Error {
  override readonly name = "ProcessDiedError";
}

/** Lets what uses these clients die there. The SDK's retries are part of a call. */
export function dieAt({ dynamo, s3 }: Reach, crash: Crash): Fate {
  const fate: Fate = { died: false, calls: [] };
  const step = async <Result>(command: string | undefined, call: () => Promise<Result>): Promise<Result> => {
    if (fate.died) throw new ProcessDiedError();
    fate.calls.push((command ?? "").replace(/Command$/, ""));
    const isFatal = fate.calls.length === crash.at;
    if (isFatal && crash.when === "before") fate.died = true;
    if (fate.died) throw new ProcessDiedError();
    const result = await call();
    if (isFatal) fate.died = true;
    if (fate.died) throw new ProcessDiedError();
    return result;
  };
  dynamo.middlewareStack.add((next, context) => (args) => step(context.commandName, () => next(args)), {
    step: "initialize",
    priority: "high",
    name: "dieAt",
  });
  s3.middlewareStack.add((next, context) => (args) => step(context.commandName, () => next(args)), {
    step: "initialize",
    priority: "high",
    name: "dieAt",
  });
  return fate;
}
