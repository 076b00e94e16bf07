/**
 * The local host in a process of its own, as `npm start` runs it, from source under Node 24.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { endedWithTheFile } from "./child-processes.ts";
import { collectOutput } from "./process-output.ts";

const MAIN = fileURLToPath(new URL("../../packages/host-local/src/demo/main.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface HostProcessOptions {
  dataDir: string;
  /** The workspace; this repository's example by default. */
  workspace?: string;
  /** More arguments, for example `--once`. `--no-example --port 0` are given unless `--once` is. */
  args?: readonly string[];
  /** More environment, for example a model endpoint of the test's own. */
  env?: Readonly<Record<string, string>>;
}

export interface HostProcess {
  /** Base URL, `http://127.0.0.1:<port>`. */
  url: string;
  /** The development key, with every scope. */
  apiKey: string;
  pid: number;
  /** Everything printed so far, both streams. */
  output(): string;
  /** Sends a signal and waits for the process to end; gives its exit code, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** Environment of a child without the model configuration the machine may carry. */
function environment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("ARCHMAX_"));
  return { ...Object.fromEntries(inherited), ...extra };
}

function spawnMain(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return endedWithTheFile(
    spawn(process.execPath, ["--conditions=source", MAIN, ...args], {
      cwd: ROOT,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
}

/** Starts the host and waits until it has printed where it listens. Rejects with its output when it ends first. */
export async function startHost(options: HostProcessOptions): Promise<HostProcess> {
  const child = spawnMain(
    [
      "--no-example",
      "--port=0",
      "--model-latency=0",
      `--data-dir=${options.dataDir}`,
      ...(options.workspace === undefined ? [] : [`--workspace=${options.workspace}`]),
      ...(options.args ?? []),
    ],
    environment(options.env),
  );
  const output = collectOutput(child);
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const ended = exited.then(([code, signal]) => code ?? signal ?? 0);
  const started = new Promise<RegExpExecArray>((found) => {
    child.stdout?.on("data", () => {
      const match = /^Host\s+(\S+)\n.*^API key\s+(\S+)\n.*^Data\s/ms.exec(output());
      if (match) found(match);
    });
  });
  const match = await Promise.race([
    started,
    ended.then((how) => {
      throw new Error(`The host ended (${how}) before it listened:\n${output()}`);
    }),
  ]);
  return {
    url: match[1] ?? "",
    apiKey: match[2] ?? "",
    pid: child.pid ?? 0,
    output,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs the demonstration with the given arguments to its end. */
export async function runDemo(
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<{ code: number | NodeJS.Signals; output: string }> {
  const child = spawnMain(args, environment(env));
  const output = collectOutput(child);
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  return { code: code ?? signal ?? 0, output: output() };
}
