/** The typed errors of the host's table. Each keeps its cause. */

/** Where in the storage an error arose. */
export interface HostTablePlace {
  /** The request, for example `PutItem`; one to S3 too, for what was too large for the table. */
  readonly operation: string;
  readonly tableName: string;
  /** What it was about: an idempotency key, a session's events, an API key. Never a key itself. */
  readonly subject?: string;
}

/**
 * A request that failed for good, after the client's retries. `cause` is what the SDK threw. A write that ended so may
 * have been stored or not.
 */
export class HostTableStorageError extends Error {
  override readonly name = "HostTableStorageError";
  readonly operation: string;
  readonly tableName: string;
  readonly subject: string | undefined;

  constructor({ operation, tableName, subject }: HostTablePlace, cause: unknown) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    const about = subject === undefined ? "" : ` for ${subject}`;
    super(`${operation} on table "${tableName}" failed${about}: ${reason}`, { cause });
    this.operation = operation;
    this.tableName = tableName;
    this.subject = subject;
  }
}

/** An item is not what its key promises: written by something else, or by a later version. It is not guessed at. */
export class HostTableCorruptError extends Error {
  override readonly name = "HostTableCorruptError";
  readonly tableName: string;
  /** The item's partition key. */
  readonly itemKey: string;

  constructor(tableName: string, itemKey: string, reason: string, options?: ErrorOptions) {
    super(`The item ${JSON.stringify(itemKey)} of table "${tableName}" cannot be read: ${reason}`, options);
    this.tableName = tableName;
    this.itemKey = itemKey;
  }
}
