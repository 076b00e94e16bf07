/** The typed errors of the checkpointer. Each keeps its cause. */

/** Where in the storage an error arose. */
interface StoragePlace {
  readonly operation: string;
  readonly tableName: string;
  readonly threadId: string | undefined;
}

/**
 * A request to DynamoDB or S3 that failed for good, after the SDK's retries and the checkpointer's own for
 * unprocessed items. `cause` is what the SDK threw.
 */
export class CheckpointStorageError extends Error {
  override readonly name = "CheckpointStorageError";
  /** The request that failed, for example `BatchWriteItem`. */
  readonly operation: string;
  readonly tableName: string;
  /** Undefined for a request that concerns all threads. */
  readonly threadId: string | undefined;

  constructor(place: StoragePlace, reason: string, options?: ErrorOptions) {
    const thread = place.threadId === undefined ? "" : ` for thread ${JSON.stringify(place.threadId)}`;
    super(`${place.operation} on table "${place.tableName}" failed${thread}: ${reason}`, options);
    this.operation = place.operation;
    this.tableName = place.tableName;
    this.threadId = place.threadId;
  }
}

/**
 * The writer's fence is lower than the thread's: another writer has taken the thread over. Nothing this writer
 * stores from now on becomes the thread's latest checkpoint. End the run; do not retry it with the same fence.
 */
export class StaleWriterError extends Error {
  override readonly name = "StaleWriterError";
  readonly threadId: string;
  /** The refused writer's fence; undefined for a writer without one on a fenced thread. */
  readonly fence: number | undefined;

  constructor(threadId: string, fence: number | undefined, options?: ErrorOptions) {
    const writer = fence === undefined ? "A writer without a fence" : `A writer with fence ${fence}`;
    super(
      `${writer} was refused on thread ${JSON.stringify(threadId)}: a later writer has taken it over. ` +
        "Its checkpoint did not become the latest.",
      options,
    );
    this.threadId = threadId;
    this.fence = fence;
  }
}

/** What of a checkpoint could not be read back. */
interface CorruptPlace {
  readonly threadId: string;
  readonly checkpointNs: string;
  readonly checkpointId: string;
  /** The channel whose value is missing or damaged; undefined when it is the checkpoint itself. */
  readonly channel?: string;
  readonly version?: number | string;
}

/**
 * A stored value is missing or is not what was written. Thrown instead of returning a state that lacks it, so
 * that no conversation is ever silently shorter than it was.
 */
export class CheckpointCorruptError extends Error {
  override readonly name = "CheckpointCorruptError";
  readonly threadId: string;
  readonly checkpointNs: string;
  readonly checkpointId: string;
  readonly channel: string | undefined;
  readonly version: number | string | undefined;

  constructor(place: CorruptPlace, reason: string, options?: ErrorOptions) {
    const what =
      place.channel === undefined
        ? "the checkpoint"
        : `channel ${JSON.stringify(place.channel)}` +
          (place.version === undefined ? "" : ` version ${place.version}`);
    super(
      `Checkpoint ${JSON.stringify(place.checkpointId)} of thread ${JSON.stringify(place.threadId)}, namespace ` +
        `${JSON.stringify(place.checkpointNs)}: ${what} cannot be read: ${reason}`,
      options,
    );
    this.threadId = place.threadId;
    this.checkpointNs = place.checkpointNs;
    this.checkpointId = place.checkpointId;
    this.channel = place.channel;
    this.version = place.version;
  }
}
