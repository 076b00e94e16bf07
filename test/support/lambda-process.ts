/** One instance of a function: its bundle in a runtime, as a Lambda with a managed Node runtime starts it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../scripts/root.mjs";
import { clientProgram } from "../../scripts/runtime-interface-client.mjs";
import { collectOutput } from "./process-output.ts";
import { type InvocationResult, startRuntimeApi, TIMEOUT_MS } from "./runtime-api.ts";

/** The client of the Runtime API: AWS's own, which has to be installed, or a small one of the tests. */
export type RuntimeClient = "aws" | "small";

const SMALL_CLIENT = fileURLToPath(new URL("../deployed/lambda/runtime-client.ts", import.meta.url));

export interface LambdaOptions {
  client?: RuntimeClient;
  /** The function's environment beside what the platform sets. */
  env?: Readonly<Record<string, string>>;
  /** How long an invocation may take, in ms; after it the process is killed. */
  timeoutMs?: number;
  memoryMb?: number;
  /** The time the function's clock shows, in ms since the epoch. */
  now?: () => number;
  /** Stops the process whenever it waits for an event, as the platform does. */
  freezes?: boolean;
  /** Called with the process. */
  onSpawn?: (child: ChildProcess) => void;
}

export interface LambdaProcess {
  /** One event at a time. Rejects where the process ends before it has answered. */
  invoke(event: unknown): Promise<InvocationResult>;
  pid: number;
  /** From the start of the process to its first request for an event, in ms. */
  initMs: number;
  /** Whether the process has ended. */
  ended(): boolean;
  /** Fulfils once the runtime waits for an event. */
  idle(): Promise<void>;
  /** The function's log. */
  output(): string;
  /** Ends it at once, whatever it is at. */
  kill(): void;
  stop(): Promise<void>;
}

/** Starts it and waits until it asks for its first event. Rejects with its output when it ends first. */
export async function startLambda(name: string, options: LambdaOptions = {}): Promise<LambdaProcess> {
  const { client = "aws", timeoutMs = TIMEOUT_MS, memoryMb = 128, freezes = false } = options;
  const started = performance.now();
  let waits = Promise.withResolvers<void>();
  const onNext = () => {
    if (freezes) child.kill("SIGSTOP");
    waits.resolve();
  };
  const api = await startRuntimeApi({ onNext, ...(options.now !== undefined && { now: options.now }) });
  const folder = join(ROOT, "functions", "dist", name);
  const program = client === "aws" ? [clientProgram(ROOT), "index.handler"] : [SMALL_CLIENT];
  const child = spawn(process.execPath, program, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      AWS_LAMBDA_RUNTIME_API: api.address,
      AWS_REGION: "us-east-1",
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: "1",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/us-east-1.${name}`,
      AWS_LAMBDA_LOG_STREAM_NAME: "2026/01/01/[1]0123456789abcdef",
      LAMBDA_TASK_ROOT: folder,
      _HANDLER: "index.handler",
      TZ: ":UTC",
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  options.onSpawn?.(child);
  const output = collectOutput(child);
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`The runtime ended (${code ?? signal}):\n${output()}`);
  });
  await Promise.race([api.initialized, ended]);
  // From here on an end shows in the invocations.
  ended.catch(() => {});
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    async invoke(event) {
      waits = Promise.withResolvers<void>();
      if (freezes) child.kill("SIGCONT");
      const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
      const over = Promise.race([waits.promise, ended]);
      over.catch(() => {}).finally(() => clearTimeout(timer));
      return Promise.race([api.invoke(event, timeoutMs), ended]);
    },
    pid: child.pid ?? 0,
    initMs: performance.now() - started,
    ended: hasEnded,
    idle: () => Promise.race([waits.promise, ended]),
    output,
    kill: () => void child.kill("SIGKILL"),
    async stop() {
      if (!hasEnded()) child.kill(freezes ? "SIGKILL" : "SIGTERM");
      await ended.catch(() => {});
      await api.close();
    },
  };
}
