import { LeaseLostError, SessionBusyError, UnknownSessionError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { SessionKey, SessionRecord, TurnMark } from "../ports/session-record.ts";
import type { SessionRecords, StoredRecord } from "../ports/session-records.ts";
import { withAttention } from "./attention.ts";

/** How long a lease lasts unless it is renewed, in ms (spec 07 §3). */
export const LEASE_MS = 60_000;
/** How often a running turn renews it, in ms. */
export const RENEWAL_MS = 20_000;
/** How often a conditional write is tried against writers that came first. */
const WRITE_ATTEMPTS = 16;

/** A session held for one turn. */
export interface HeldSession {
  key: SessionKey;
  token: number;
  /** The record as it was when the lease was granted, the new turn's mark included. */
  record: SessionRecord;
  /** The record was made for this turn. */
  fresh: boolean;
  /** The mark of a turn that was cut off before this one, if one was. */
  interrupted: TurnMark | undefined;
}

/** What a turn asks of a session's lease. */
export interface LeaseRequest {
  key: SessionKey;
  workflow: string;
  owner: string;
  /** The turn's mark on a record, `undefined` for one that is made for it. */
  mark: (record: SessionRecord | undefined) => Omit<TurnMark, "base" | "startedAt">;
  /** A record is made where there is none. */
  opens: boolean;
  /** Looks at the record before the lease is granted, and may refuse. */
  inspect?: (record: SessionRecord) => void;
}

/**
 * Takes a session's lease: free, expired, or this owner's. Each grant's token is one more than the latest, and is
 * the fence of everything the turn writes.
 *
 * @throws SessionBusyError while another owner's lease lives; UnknownSessionError for a session that is not there,
 * is being deleted, or belongs to another workflow.
 */
export async function acquireLease(
  records: SessionRecords,
  clock: Clock,
  request: LeaseRequest,
): Promise<HeldSession> {
  const { key, workflow, owner } = request;
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt += 1) {
    const now = clock.now();
    const stored = await records.get(key);
    if (stored === null) {
      if (!request.opens) throw new UnknownSessionError();
      const record = granted(newRecord(key, workflow, now), request.mark(undefined), owner, now);
      if ((await records.create(record)) === null) continue;
      return { key, token: record.leaseToken, record, fresh: true, interrupted: undefined };
    }
    const { record } = stored;
    if (record.deleting || record.workflow !== workflow) throw new UnknownSessionError();
    if (record.lease !== undefined && record.lease.owner !== owner && record.lease.until > now) {
      throw new SessionBusyError(Math.max(1, Math.ceil((record.lease.until - now) / 1_000)));
    }
    request.inspect?.(record);
    const next = granted(record, request.mark(record), owner, now);
    if ((await records.replace(next, stored.version)) === null) continue;
    return { key, token: next.leaseToken, record: next, fresh: false, interrupted: record.turn };
  }
  throw new SessionBusyError(1);
}

/**
 * Writes the next record while the lease is still this turn's.
 *
 * @param next works out the record from the stored one; `null` removes it
 * @throws LeaseLostError where another turn has taken the session since.
 */
export async function writeFenced(
  records: SessionRecords,
  held: Pick<HeldSession, "key" | "token">,
  next: (record: SessionRecord) => SessionRecord | null,
): Promise<SessionRecord | null> {
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt += 1) {
    const stored = await heldRecord(records, held);
    const record = next(stored.record);
    if (record === null) {
      if (await records.remove(held.key, stored.version)) return null;
      continue;
    }
    const written = withAttention(record);
    if ((await records.replace(written, stored.version)) !== null) return written;
  }
  throw new LeaseLostError();
}

/** The record, as long as the lease is this turn's. @throws LeaseLostError */
export async function heldRecord(
  records: SessionRecords,
  held: Pick<HeldSession, "key" | "token">,
): Promise<StoredRecord> {
  const stored = await records.get(held.key);
  if (stored === null || stored.record.leaseToken !== held.token) throw new LeaseLostError();
  return stored;
}

/** Keeps a lease alive; calls `lost` once when it is gone. The returned function stops the renewals. */
export function renewLease(
  records: SessionRecords,
  clock: Clock,
  held: Pick<HeldSession, "key" | "token">,
  owner: string,
  lost: () => void,
): () => void {
  let running = true;
  let cancel = (): void => {};
  const renew = async (): Promise<void> => {
    try {
      await writeFenced(records, held, (record) => ({
        ...record,
        lease: { owner, token: held.token, until: clock.now() + LEASE_MS },
      }));
    } catch (error) {
      // A store out of reach is tried again at the next renewal: the term outlasts two of them.
      if (error instanceof LeaseLostError) {
        if (running) lost();
        return;
      }
    }
    schedule();
  };
  const schedule = (): void => {
    if (running) cancel = clock.after(RENEWAL_MS, () => void renew());
  };
  schedule();
  return () => {
    running = false;
    cancel();
  };
}

/** The record of a session whose first turn is to begin. `now` is in milliseconds since the epoch. */
export function newRecord(key: SessionKey, workflow: string, now: number): SessionRecord {
  const at = new Date(now).toISOString();
  return {
    ...key,
    workflow,
    status: "running",
    createdAt: at,
    updatedAt: at,
    parkSeq: 0,
    leaseToken: 0,
    attempts: {},
    carriedOut: [],
    unpublished: [],
  };
}

function granted(
  record: SessionRecord,
  mark: ReturnType<LeaseRequest["mark"]>,
  owner: string,
  now: number,
): SessionRecord {
  const token = record.leaseToken + 1;
  const turn = { ...mark, startedAt: new Date(now).toISOString(), base: record.head ?? null };
  return withAttention({
    ...record,
    leaseToken: token,
    lease: { owner, token, until: now + LEASE_MS },
    // Going on with a turn leaves its mark as it is: it is still that command's turn.
    turn: mark.kind === "continue" && record.turn !== undefined ? record.turn : turn,
  });
}
