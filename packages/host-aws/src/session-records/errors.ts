/** The typed errors of the session records. Each keeps its cause. */
import type { SessionKey } from "@archmax-ai/host";

/** Where in the storage an error arose. */
export interface StoragePlace {
  /** The request, for example `PutItem`. */
  readonly operation: string;
  readonly tableName: string;
  /** Absent for a request that concerns many sessions. */
  readonly key?: SessionKey | undefined;
}

function nameOf(key: SessionKey | undefined): string {
  return key === undefined
    ? ""
    : ` for session ${JSON.stringify(key.sessionId)} of tenant ${JSON.stringify(key.tenant)}`;
}

/**
 * A request to DynamoDB that failed for good, after the client's retries. `cause` is what the SDK threw. A write
 * that ended so may have been stored or not: the next `get` tells.
 */
export class SessionRecordsStorageError extends Error {
  override readonly name = "SessionRecordsStorageError";
  /** The request that failed, for example `PutItem`. */
  readonly operation: string;
  readonly tableName: string;
  /** Undefined for a request that concerns many sessions. */
  readonly tenant: string | undefined;
  readonly sessionId: string | undefined;

  constructor({ operation, tableName, key }: StoragePlace, cause: unknown) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    super(`${operation} on table "${tableName}" failed${nameOf(key)}: ${reason}`, { cause });
    this.operation = operation;
    this.tableName = tableName;
    this.tenant = key?.tenant;
    this.sessionId = key?.sessionId;
  }
}

/**
 * An item of the table is not the record its key promises: written by something else, or by a later version. The
 * record is not guessed at. `cause` is what reading it threw, where it was the reading.
 */
export class SessionRecordCorruptError extends Error {
  override readonly name = "SessionRecordCorruptError";
  readonly tableName: string;
  /** The item's partition key. */
  readonly itemKey: string;

  constructor(tableName: string, itemKey: string, reason: string, options?: ErrorOptions) {
    super(
      `The item ${JSON.stringify(itemKey)} of table "${tableName}" is no session record: ${reason}`,
      options,
    );
    this.tableName = tableName;
    this.itemKey = itemKey;
  }
}

/** A record larger than the table takes. Nothing was stored; the record before it stands. */
export class SessionRecordTooLargeError extends Error {
  override readonly name = "SessionRecordTooLargeError";
  readonly tenant: string;
  readonly sessionId: string;
  /** What the item would hold. */
  readonly bytes: number;
  readonly maxBytes: number;

  constructor(key: SessionKey, bytes: number, maxBytes: number) {
    super(`The record${nameOf(key)} is ${bytes} bytes; the table takes ${maxBytes}. It was not stored.`);
    this.tenant = key.tenant;
    this.sessionId = key.sessionId;
    this.bytes = bytes;
    this.maxBytes = maxBytes;
  }
}
