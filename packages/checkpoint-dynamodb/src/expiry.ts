/**
 * When items expire. All items of a thread that a checkpoint needs carry the checkpoint's own expiry, so none
 * goes before or stays after it. To keep that cheap, expiries fall on a grid of an eighth of the retention: the
 * shared values of a thread that goes on are touched once per step of the grid, not at every checkpoint.
 */
export interface Expiry {
  /**
   * The expiry of what is written now: epoch seconds, the first point of the grid at least the retention away.
   * Undefined when nothing expires.
   */
  at(): number | undefined;
  /** Whether an item is past its expiry. DynamoDB removes expired items late, so readers leave them out. */
  isPast(ttl: number | undefined): boolean;
}

const epochSeconds = () => Math.floor(Date.now() / 1000);

/** @throws RangeError when the retention is not a positive whole number of seconds */
export function expiryAfter(ttlSeconds: number | undefined): Expiry {
  const isPast = (ttl: number | undefined) => ttl !== undefined && ttl <= epochSeconds();
  if (ttlSeconds === undefined) return { at: () => undefined, isPast };
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds <= 0)
    throw new RangeError(`ttlSeconds must be a positive whole number, not ${ttlSeconds}.`);
  const grid = Math.max(1, Math.floor(ttlSeconds / 8));
  return { at: () => Math.ceil((epochSeconds() + ttlSeconds) / grid) * grid, isPast };
}
