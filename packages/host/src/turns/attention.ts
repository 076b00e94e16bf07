import type { SessionRecord } from "../ports/session-record.ts";

/** How long after a timed wait's end the sweep looks whether it was resumed, in ms (spec 07 §4). */
const OVERDUE_MS = 120_000;

/**
 * The record with the instant at which the sweep should look at it: at once where events are unsent, a schedule is
 * unarmed or a deletion is unfinished; once the lease runs out where a turn is in progress; two minutes after a
 * timed wait's end. Absent where nothing is owed.
 */
export function withAttention(record: SessionRecord): SessionRecord {
  const { attentionAt: _former, ...rest } = record;
  const instants: number[] = [];
  const updated = Date.parse(record.updatedAt);
  if (record.deleting || record.unpublished.length > 0) instants.push(record.lease?.until ?? updated);
  if (record.turn !== undefined && record.stalled === undefined)
    instants.push(record.lease?.until ?? updated);
  const { park } = record;
  if (park?.resumeAt !== undefined && record.stalled === undefined) {
    instants.push(park.armed ? Date.parse(park.resumeAt) + OVERDUE_MS : (record.lease?.until ?? updated));
  }
  return instants.length === 0 ? rest : { ...rest, attentionAt: Math.min(...instants) };
}
