/** The namespace of every metric, and its dimensions: the service (the app's name) and the stage. */
export const METRICS_NAMESPACE = "archmax";

/**
 * The metrics that functions write (spec 07 §9). Counts unless said otherwise. Dashboard and alarms are made of
 * these; the functions' own list is in `packages/host-aws/src/observability`.
 */
export const METRICS = {
  /** Turns, with the further dimension `outcome`. */
  turns: "TurnsByOutcome",
  /** Tokens of the model, with the further dimension `kind`: `input` or `output`. */
  tokens: "Tokens",
  /** US dollars, where the model says what it costs. */
  cost: "CostUsd",
  /** Tool calls that the kernel refused. */
  blocks: "ToolBlocks",
  /** Timed resumes that ran within a minute of their time. */
  resumesOnTime: "ResumesOnTime",
  /** How late a timed resume ran, in milliseconds. */
  resumeLag: "ResumeLag",
  /** How long a command waited in the queue, in milliseconds. */
  queueAge: "QueueAge",
  /** Turns that found their session taken. */
  leaseConflicts: "LeaseConflicts",
} as const;
