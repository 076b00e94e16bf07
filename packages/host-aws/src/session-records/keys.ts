/**
 * The keys of the table and its indexes:
 *
 *     pk          <tenant>#<session>                     the record
 *     workflowPk  <tenant>#<workflow>                    index byWorkflow, ordered by recency
 *     statusPk    <tenant>#<workflow>#<status>           index byStatus, ordered by recency
 *     recency     <time, newest first>#<session>
 *     attentionPk <shard>                                index byAttention, ordered by attention
 *     attention   <time, soonest first>#<tenant>#<session>
 */
import { createHash } from "node:crypto";
import type { SessionKey, SessionRecord, SessionStatus } from "@archmax-ai/host";
import { bounded, escaped, joined, PARTITION_BYTES } from "../tables/key-parts.ts";

/** DynamoDB's bound on a sort key, with room for what stands before a bounded part. */
const SORT_PART_BYTES = 960;

/** The dates of ECMAScript end here, in ms on either side of 1970. */
const LAST_INSTANT = 8_640_000_000_000_000;
const INSTANT_DIGITS = 17;

/** Every write with something owed goes to one of these; a reader of what is due asks all of them. */
const SHARDS = 8;
/** The partitions of the index of owed attention. Tables hold them: they never change. */
export const ATTENTION_SHARDS: readonly string[] = Array.from(
  { length: SHARDS },
  (_, shard) => `due#${shard}`,
);

/** Below and above every key of either order: they begin with a digit. */
export const [START, END] = ["!", "~"] as const;

const padded = (instant: number | bigint): string => String(instant).padStart(INSTANT_DIGITS, "0");

/** The partition key of a session's record. */
export function recordKey({ tenant, sessionId }: SessionKey): string {
  return bounded(joined(tenant, sessionId), PARTITION_BYTES);
}

export function workflowPartition(tenant: string, workflow: string): string {
  return bounded(joined(tenant, workflow), PARTITION_BYTES);
}

export function statusPartition(tenant: string, workflow: string, status: SessionStatus): string {
  return bounded(joined(tenant, workflow, status), PARTITION_BYTES);
}

/**
 * Where a record stands in a listing.
 *
 * @throws RangeError where `updatedAt` is no instant
 */
export function recencyKey({ updatedAt, sessionId }: SessionRecord): string {
  const instant = Date.parse(updatedAt);
  if (Number.isNaN(instant)) throw new RangeError(`updatedAt is no instant: ${JSON.stringify(updatedAt)}`);
  // The distance between two dates may be more than a number can hold exactly.
  return `${padded(BigInt(LAST_INSTANT) - BigInt(instant))}#${bounded(escaped(sessionId), SORT_PART_BYTES)}`;
}

/** Which partition of the index a session's owed attention stands in. */
export function attentionShard(key: SessionKey): string {
  const [first = 0] = createHash("sha256").update(recordKey(key)).digest();
  return ATTENTION_SHARDS[first % SHARDS] ?? "";
}

/** Where owed attention stands among what is owed; a part of a millisecond counts as a whole one. */
export function attentionKey(key: SessionKey, attentionAt: number): string {
  const instant = Math.min(Math.max(Math.ceil(attentionAt), 0), Number.MAX_SAFE_INTEGER);
  return `${padded(instant)}#${bounded(joined(key.tenant, key.sessionId), SORT_PART_BYTES)}`;
}

/** Above the keys of everything due by an instant, and below those of what is due later; `$` sorts above `#`. */
export function dueUntil(until: number): string {
  const instant = Math.min(Math.floor(until), Number.MAX_SAFE_INTEGER);
  return instant < 0 ? "" : `${padded(instant)}$`;
}

/** Above this key, and below every other above it: what a key may go on with sorts above `!`. */
export function justAfter(key: string): string {
  return `${key}!`;
}

/** Whether a text can be a key of either order. */
export function isPosition(text: string): boolean {
  return /^\d{17}#/.test(text) && Buffer.byteLength(text) <= INSTANT_DIGITS + 1 + SORT_PART_BYTES;
}
