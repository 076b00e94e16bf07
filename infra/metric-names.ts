/** Where the functions' metrics are: the names of `packages/host-aws/src/observability/metrics.ts` (spec 07 §9). */
export const METRICS_NAMESPACE = "Archmax";

/** The metrics that dashboard and alarms are made of. */
export const METRICS = {
  /** Turns ended; by `outcome` too. */
  turns: "Turns",
  /** Tokens that models read. */
  inputTokens: "InputTokens",
  /** Tokens that models wrote. */
  outputTokens: "OutputTokens",
  /** US dollars, where the model says what it costs. */
  cost: "CostUsd",
  /** Tool calls that the kernel refused. */
  toolBlocks: "ToolBlocks",
  /** Timed resumes that ran. */
  resumes: "Resumes",
  /** Those that ran within a minute of their time. */
  resumesOnTime: "ResumesOnTime",
  /** How late a timed resume ran, in milliseconds. */
  resumeLag: "ResumeLag",
  /** How long a command waited in the queue, in milliseconds. */
  queueAge: "QueueAge",
  /** Turns that found their session taken. */
  leaseConflicts: "LeaseConflicts",
} as const;
