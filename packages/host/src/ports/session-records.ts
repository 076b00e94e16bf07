import type { SessionKey, SessionRecord, SessionStatus } from "./session-record.ts";

/** A record as it was read, with the version that a conditional write names. Versions are opaque. */
export interface StoredRecord {
  record: SessionRecord;
  version: string;
}

/** Which sessions to list. */
export interface RecordQuery {
  tenant: string;
  workflow: string;
  /** Absent: every status. */
  statuses?: readonly SessionStatus[];
  /** At most this many records, 1 to 1000. */
  limit: number;
  /** What an earlier page gave. */
  cursor?: string;
}

/** One page of a listing; `cursor` is absent on the last. */
export interface RecordPage {
  records: SessionRecord[];
  cursor?: string;
}

/** What the sweep asks for: records whose `attentionAt` has come. */
export interface DueQuery {
  /** Milliseconds since the epoch, inclusive. */
  until: number;
  limit: number;
  cursor?: string;
}

/**
 * The session records of every tenant (spec 07 §3, §8).
 *
 * All writes are conditional, so that leases, outcomes and deletions settle between processes without a lock:
 * the host reads a record, works out the next one, and writes it against the version it read. Reads by key are
 * strongly consistent; the two queries may lag behind by moments.
 */
export interface SessionRecords {
  /** The record, or `null`. */
  get(key: SessionKey): Promise<StoredRecord | null>;
  /** Stores a record of a session that has none. The new version, or `null` where one is there already. */
  create(record: SessionRecord): Promise<string | null>;
  /** Replaces a record whole. The new version, or `null` where it is not at `version` any more, or gone. */
  replace(record: SessionRecord, version: string): Promise<string | null>;
  /** Removes a record. False where it is not at `version` any more, or gone. */
  remove(key: SessionKey, version: string): Promise<boolean>;
  /**
   * One workflow's sessions, newest `updatedAt` first (ties by session id), read from an index: a page costs
   * what the page holds, however many sessions there are. Paging through with no writes in between gives each
   * record once. Throws `InvalidCursorError` for a cursor that no page of this tenant and workflow gave.
   */
  list(query: RecordQuery): Promise<RecordPage>;
  /** Records of every tenant with `attentionAt` at or before `until`, soonest first. */
  due(query: DueQuery): Promise<RecordPage>;
}
