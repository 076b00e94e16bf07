/** Batch requests until all of a batch is done. */
import { setTimeout as pause } from "node:timers/promises";

/** Rounds without any progress before giving up, about 5 s in all. */
const FRUITLESS_ROUNDS = 9;
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 1000;

/**
 * DynamoDB answers a batch with what it did not process, by size or for want of capacity, and leaves asking
 * again to the caller; the SDK's retries do not see it. Pauses double with full jitter; a round that processed
 * something starts them anew.
 * @param send sends what is left and returns what stayed unprocessed
 * @throws Error when nothing at all is processed, round after round
 */
export async function untilProcessed<T>(
  requests: readonly T[],
  send: (rest: T[]) => Promise<T[]>,
): Promise<void> {
  let rest = [...requests];
  let fruitless = 0;
  while (rest.length > 0) {
    const unprocessed = await send(rest);
    if (unprocessed.length === 0) return;
    fruitless = unprocessed.length < rest.length ? 0 : fruitless + 1;
    if (fruitless === FRUITLESS_ROUNDS)
      throw new Error(`${unprocessed.length} of ${requests.length} stayed unprocessed after all retries.`);
    rest = unprocessed;
    if (fruitless > 0)
      await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** fruitless));
  }
}
