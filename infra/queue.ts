import { WORKER_SECONDS } from "./timeouts.ts";

/** The queues. */
export interface Queues {
  /** The one FIFO queue of commands. */
  commands: sst.aws.Queue;
  /** Commands that failed five times, and events that mean nothing here, each with its reason. */
  deadLetters: sst.aws.Queue;
  /** What a rule, a schedule or an asynchronous call could not hand over at all. */
  undelivered: sst.aws.Queue;
}

/** How long a message that a dying worker held stays hidden, in seconds: Lambda asks for the worker's timeout at least. */
const VISIBILITY_SECONDS = WORKER_SECONDS + 60;

/**
 * How often a message may be received before SQS itself puts it aside. A message that waits for its session or its
 * hour is received again and again; the worker counts the real attempts in the record and stops at five.
 */
const RECEIVES_AT_MOST = 1000;

const encrypted = {
  // SQS keeps nothing longer than two weeks.
  queue: { sqsManagedSseEnabled: true, messageRetentionSeconds: 14 * 86_400 },
};

/** Declares the queues. Rules and schedules take a standard queue alone for what they cannot deliver. */
export function createQueues(): Queues {
  const deadLetters = new sst.aws.Queue("DeadLetters", {
    fifo: { contentBasedDeduplication: true },
    transform: encrypted,
  });
  const commands = new sst.aws.Queue("Commands", {
    fifo: { contentBasedDeduplication: true },
    visibilityTimeout: `${VISIBILITY_SECONDS} seconds`,
    dlq: { queue: deadLetters.arn, retry: RECEIVES_AT_MOST },
    transform: encrypted,
  });
  const undelivered = new sst.aws.Queue("Undelivered", { transform: encrypted });
  return { commands, deadLetters, undelivered };
}

/** Hands one command at a time to the worker, which says by itself what is to be tried again. */
export function consumeCommands(commands: sst.aws.Queue, worker: sst.aws.Function, atOnce: number): void {
  commands.subscribe(worker.arn, {
    batch: { size: 1, partialResponses: true },
    transform: {
      eventSourceMapping: { scalingConfig: { maximumConcurrency: atOnce } },
    },
  });
}
