/** A rate that EventBridge takes, or why it does not. */
export type RateReading =
  | {
      readonly ok: true;
      /** The time from one firing to the next, in milliseconds. */
      readonly intervalMs: number;
      /** The same rate with one space. */
      readonly canonical: string;
    }
  | { readonly ok: false; readonly problem: string };

const UNITS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Ten years of minutes: what is longer is a slip, and would leave the range of exact numbers in time. */
const MOST = 5_259_600;

/**
 * Reads a rate as EventBridge has them: a whole number and `minute`, `hour` or `day`, in the plural for more than one.
 * Without the `rate(…)` around it.
 */
export function readRate(text: string): RateReading {
  if (/^\s*rate\s*\(/i.test(text)) return { ok: false, problem: "is written without rate(…) around it" };
  const [, digits, written, plural] = /^\s*([1-9]\d*)\s+(minute|hour|day)(s?)\s*$/.exec(text) ?? [];
  const unit = UNITS[written ?? ""];
  if (digits === undefined || written === undefined || unit === undefined) {
    return {
      ok: false,
      problem: 'is no whole number above 0 with minutes, hours or days, as in "1 day" or "15 minutes"',
    };
  }
  const count = Number(digits);
  const right = count === 1 ? written : `${written}s`;
  if ((plural === "s") !== (count !== 1))
    return { ok: false, problem: `has to be written "${digits} ${right}"` };
  if (count > MOST) return { ok: false, problem: `is longer than ${MOST} ${written}s` };
  return { ok: true, intervalMs: count * unit, canonical: `${digits} ${right}` };
}
