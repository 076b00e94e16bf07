import { runCommandLine } from "../run-command-line.ts";

/** What a run of the command line left. */
export interface CapturedRun {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** How a run's surroundings differ from a pipe in an empty environment. */
export interface Surroundings {
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Whether stderr, or both streams, are a terminal. */
  isTTY?: { stderr?: boolean; stdout?: boolean };
}

/** Runs a command line in this process with streams of its own. */
export async function captured(
  line: readonly string[],
  { cwd = "/", env = {}, isTTY = {} }: Surroundings = {},
): Promise<CapturedRun> {
  const written = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({
    isTTY: isTTY[name] === true,
    write(chunk: string) {
      written[name] += chunk;
    },
  });
  const terminal = { stdout: stream("stdout"), stderr: stream("stderr"), env, cwd: () => cwd };
  const exitCode = await runCommandLine(line, terminal);
  return { exitCode, ...written };
}
