/**
 * The keys of the host's table:
 *
 *     pk                                 sk
 *     <tenant>#idempotency#<key>         claim                     one use of an `Idempotency-Key`
 *     <tenant>#events#<session>          <last id>                 a run of a session's events
 *     <tenant>#events#<session>          <last id>#<part>          what of it one item cannot hold
 *     #keys#<first hex digit>            <SHA-256 of the key>      an API key
 *
 * A partition of a tenant's own starts with the tenant and a `#`, so that a policy can hold a role to it; no tenant's
 * id is empty, so none reaches the API keys.
 */
import type { IdempotencyKey, SessionKey } from "@archmax-ai/host";
import { bounded, joined, PARTITION_BYTES } from "../tables/key-parts.ts";

export const CLAIM = "claim";

/** The partition of one `Idempotency-Key` of a tenant. */
export function idempotencyPartition({ tenant, key }: IdempotencyKey): string {
  return bounded(joined(tenant, "idempotency", key), PARTITION_BYTES);
}

/** The partition of a session's events. */
export function eventsPartition({ tenant, sessionId }: SessionKey): string {
  return bounded(joined(tenant, "events", sessionId), PARTITION_BYTES);
}

/** Every safe integer has at most this many digits. */
const ID_DIGITS = 16;

/** The sort key of a run of events, by the id of its last: those with an event after an id are those above it. */
export function runKey(lastId: number): string {
  return String(Math.max(0, lastId)).padStart(ID_DIGITS, "0");
}

/** The sort key of a run's later part, counted from 1. */
export function partKey(lastId: number, part: number): string {
  return `${runKey(lastId)}#${String(part).padStart(5, "0")}`;
}

/** Above a run and its parts, below the next run: `~` sorts above `#`, and below no digit of the same length. */
export function afterRun(lastId: number): string {
  return `${runKey(lastId)}~`;
}

/** Above every run. */
export const END_OF_RUNS = "~";

const KEY_PARTITIONS = "0123456789abcdef";

/** The partition of an API key. There are sixteen, so that a flood of wrong keys throttles no single one. */
export function apiKeyPartition(sha256: string): string {
  return `#keys#${sha256.slice(0, 1)}`;
}

/** All partitions of API keys. */
export const API_KEY_PARTITIONS: readonly string[] = [...KEY_PARTITIONS].map(apiKeyPartition);
