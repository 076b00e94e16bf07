/** An answer kept to be given again. Headers are the ones that belong to the answer, lower-case. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Names one use of an `Idempotency-Key`. */
export interface IdempotencyKey {
  tenant: string;
  /** The header's value, 1 to 255 characters. */
  key: string;
}

/** What `begin` found. Times are milliseconds since the epoch. */
export type IdempotencyState =
  | { kind: "started" }
  | { kind: "in-progress"; until: number }
  | { kind: "answered"; answer: KeptAnswer }
  | { kind: "other-request" };

/**
 * Remembers the first answer given under a key (spec 07 §2, Idempotency).
 */
export interface IdempotencyStore {
  /**
   * Claims a key for one request, told by its fingerprint. Exactly one of several callers at once is told
   * `started`. A claim that was neither answered nor abandoned by `claimUntil` is up for taking by the same
   * request again; everything about a key is forgotten after `keepUntil`.
   */
  begin(
    key: IdempotencyKey,
    claim: { fingerprint: string; claimUntil: number; keepUntil: number },
  ): Promise<IdempotencyState>;
  /** Keeps the answer until the claim's `keepUntil`. Of any size: a large body is the store's to put elsewhere. */
  answer(key: IdempotencyKey, answer: KeptAnswer): Promise<void>;
  /** Gives the key free again, for an answer that invites another try. */
  abandon(key: IdempotencyKey): Promise<void>;
}
