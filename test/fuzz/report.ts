import type { Reach } from "./checks.ts";

/** What a worker is asked to do. */
export interface WorkerTask {
  readonly seed: number;
  /** The number of the first input, counted from 0 through all batches. */
  readonly from: number;
  /** The number of the input to end before. */
  readonly until: number;
  /** When to begin no further batch, in milliseconds since 1970. */
  readonly deadline: number;
  /** Two 64-bit floats, {@link AT} and {@link SINCE}. */
  readonly shared: SharedArrayBuffer;
}

/** Slot of the number of the input being checked. */
export const AT = 0;
/** Slot of when its check began, in milliseconds since 1970; 0 between checks. */
export const SINCE = 1;

/** An input that broke a promise. */
export interface FuzzFailure {
  readonly input: number;
  readonly reason: string;
  /** The input, for a person. */
  readonly shown: string;
}

/** What checking some inputs came to. */
export interface BatchReport {
  readonly checked: number;
  readonly reached: Record<Reach, number>;
  /** The longest check, in milliseconds, and its input's number. */
  readonly slowest: { readonly milliseconds: number; readonly input: number };
  readonly failures: readonly FuzzFailure[];
}

/** What a run of the fuzzer came to. */
export interface FuzzReport extends BatchReport {
  readonly seed: number;
  /** How long the run took, in milliseconds. */
  readonly milliseconds: number;
  /** Inputs that took too long once and not when they were tried again: the machine's doing. */
  readonly stalls: number;
}

/** Two reports as one. */
export function sum(one: BatchReport, other: BatchReport): BatchReport {
  const reached = { ...one.reached };
  for (const [reach, count] of Object.entries(other.reached)) reached[reach as Reach] += count;
  return {
    checked: one.checked + other.checked,
    reached,
    slowest: other.slowest.milliseconds > one.slowest.milliseconds ? other.slowest : one.slowest,
    failures: [...one.failures, ...other.failures],
  };
}

/** A report in lines for a terminal. */
export function printed({
  seed,
  milliseconds,
  checked,
  reached,
  slowest,
  stalls,
  failures,
}: FuzzReport): string {
  const counts = Object.entries(reached).map(([reach, count]) => `${count} ${reach}`);
  return [
    `seed ${seed}: ${checked} inputs in ${(milliseconds / 1_000).toFixed(1)} s (${counts.join(", ")})`,
    `slowest ${slowest.milliseconds.toFixed(1)} ms, input ${slowest.input}; ${stalls} stalls; ${failures.length} failures`,
    ...failures.map(({ input, reason, shown }) => `\ninput ${input}: ${reason}\n${shown}`),
  ].join("\n");
}
