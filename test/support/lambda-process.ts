/** A function's bundle in AWS's own runtime client, as a Lambda with a managed Node runtime starts it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "../../scripts/root.mjs";
import { clientProgram } from "../../scripts/runtime-interface-client.mjs";
import { endedWithTheFile } from "./child-processes.ts";
import { collectOutput } from "./process-output.ts";
import { type InvocationResult, startRuntimeApi } from "./runtime-api.ts";

export interface LambdaProcess {
  invoke(event: unknown): Promise<InvocationResult>;
  pid: number;
  /** The function's log. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts it and waits until it asks for its first event. Rejects with its output when it ends first. */
export async function startLambda(name: string): Promise<LambdaProcess> {
  const api = await startRuntimeApi();
  const folder = join(ROOT, "functions", "dist", name);
  const child = endedWithTheFile(
    spawn(process.execPath, [clientProgram(ROOT), "index.handler"], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        AWS_LAMBDA_RUNTIME_API: api.address,
        AWS_REGION: "us-east-1",
        AWS_LAMBDA_FUNCTION_NAME: name,
        AWS_LAMBDA_FUNCTION_VERSION: "1",
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "128",
        AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/us-east-1.${name}`,
        AWS_LAMBDA_LOG_STREAM_NAME: "2026/01/01/[1]0123456789abcdef",
        LAMBDA_TASK_ROOT: folder,
        _HANDLER: "index.handler",
        TZ: ":UTC",
      },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  const output = collectOutput(child);
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`The runtime ended (${code ?? signal}):\n${output()}`);
  });
  await Promise.race([api.initialized, ended]);
  // From here on an end shows in the invocations.
  ended.catch(() => {});
  return {
    invoke: (event) => Promise.race([api.invoke(event), ended]),
    pid: child.pid ?? 0,
    output,
    async stop() {
      child.kill("SIGTERM");
      await ended.catch(() => {});
      await api.close();
    },
  };
}
