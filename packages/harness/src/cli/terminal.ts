import type { Environment } from "../model/environment-values.ts";

/** A stream of the command line. */
export interface TerminalStream {
  write(chunk: string): unknown;
  /** Whether a person reads it. */
  readonly isTTY?: boolean;
}

/** What a run of the command line has around it: `process`, or a stand-in for it. */
export interface Terminal {
  /** Takes the result and nothing else. */
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
  /** Filled from the `.env` of the workspace root. */
  readonly env: Record<string, string | undefined>;
  /** The working directory, an absolute path. */
  cwd(): string;
}

/** Writes lines, each with its end. */
export function writeLines(stream: TerminalStream, lines: readonly string[]): void {
  for (const line of lines) stream.write(`${line}\n`);
}

/** The style context of a stream. */
export function streamStyle(stream: TerminalStream, env: Environment): { env: Environment; isTTY: boolean } {
  return { env, isTTY: stream.isTTY === true };
}
