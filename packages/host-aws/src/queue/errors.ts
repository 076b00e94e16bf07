/** The typed errors of the queue. */

/**
 * A request to SQS, or to S3 for a large command, that failed for good, after the client's retries. `cause` is what
 * the SDK threw. A message whose sending ended so may have been sent or not: sending it again within five minutes is
 * safe, its deduplication id makes both one.
 */
export class TurnQueueStorageError extends Error {
  override readonly name = "TurnQueueStorageError";
  /** The request that failed, for example `SendMessage`. */
  readonly operation: string;
  /** URL of the queue, or name of the bucket. */
  readonly resource: string;

  constructor(operation: string, resource: string, cause: unknown) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    super(`${operation} on "${resource}" failed: ${reason}`, { cause });
    this.operation = operation;
    this.resource = resource;
  }
}

/** What invoked the worker function is no batch of SQS messages: its event source is not the queue. */
export class NoQueueEventError extends Error {
  override readonly name = "NoQueueEventError";
  constructor(cause: unknown) {
    super("The event is no batch of SQS messages. Map the queue to this function as its event source.", {
      cause,
    });
  }
}

/** Runs a request. @throws TurnQueueStorageError around whatever it throws */
export async function named<T>(operation: string, resource: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw new TurnQueueStorageError(operation, resource, error);
  }
}
