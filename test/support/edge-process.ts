/** The Edge bundle's handler in a Node process of its own that refuses to make code out of text. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CloudFrontEdgeEvent } from "hono/lambda-edge";
import { ROOT } from "../../scripts/root.mjs";
import { endedWithTheFile } from "./child-processes.ts";
import { viewerAnswer } from "./origin-request-answer.ts";
import { originRequestEvent } from "./origin-request-event.ts";
import { collectOutput } from "./process-output.ts";
import type { AskValidator } from "./validating.ts";

const BUNDLE = join(ROOT, "functions", "dist", "validate.edge", "index.mjs");
const RUNNER = fileURLToPath(new URL("./edge-runner.ts", import.meta.url));

interface Told {
  id: number;
  result?: unknown;
  error?: string;
  compiled: number;
}

export interface EdgeProcess {
  /** Asks as CloudFront would, and reads the response it would send. */
  ask: AskValidator;
  /** Gives the handler an event as it is. @throws Error with what the handler threw */
  invoke(event: CloudFrontEdgeEvent): Promise<unknown>;
  /** How often the bundle tried to make a function out of text, since it was loaded. */
  compiled(): number;
  pid: number;
  /** What it has printed. */
  output(): string;
  stop(): Promise<void>;
}

/** Loads the bundle. Rejects with the process's output when it ends first. */
export async function startEdge(): Promise<EdgeProcess> {
  const child = endedWithTheFile(
    fork(RUNNER, [BUNDLE], { execArgv: ["--disallow-code-generation-from-strings"], silent: true }),
  );
  const output = collectOutput(child);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The edge process ended (${code}):\n${output()}`);
  });
  await Promise.race([once(child, "message"), ended]);
  // From here on an end shows in the calls.
  ended.catch(() => {});
  let calls = 0;
  let compiled = 0;
  const invoke = async (event: CloudFrontEdgeEvent): Promise<unknown> => {
    calls += 1;
    const id = calls;
    const told = new Promise<Told>((resolve) => {
      const listen = (message: Told) => {
        if (message.id !== id) return;
        child.off("message", listen);
        resolve(message);
      };
      child.on("message", listen);
    });
    child.send({ id, event });
    const answer = await Promise.race([told, ended]);
    compiled = answer.compiled;
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.result;
  };
  return {
    ask: async (request) => viewerAnswer(await invoke(originRequestEvent(request))),
    invoke,
    compiled: () => compiled,
    pid: child.pid ?? 0,
    output,
    async stop() {
      child.kill("SIGTERM");
      await ended.catch(() => {});
    },
  };
}
