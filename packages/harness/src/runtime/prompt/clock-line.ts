/** The clock of the prompt, coarse enough to leave a cached prompt valid for a while (spec 03 §13). */

const STEP_MS = 10 * 60 * 1000;

/** The line of a zone and the ten minutes it holds for: formatting is dear and every model call asks for it. */
const latest = new Map<string, { floored: number; line: string }>();

/**
 * The line that tells the model the time: UTC, floored to 10 minutes, and the local time where it differs.
 *
 * @param timeZone IANA name.
 * @throws RangeError when the zone is unknown.
 */
export function clockLine(now: Date, timeZone: string): string {
  const floored = Math.floor(now.getTime() / STEP_MS) * STEP_MS;
  const known = latest.get(timeZone);
  if (known?.floored === floored) return known.line;
  const line = writtenLine(new Date(floored), timeZone);
  latest.set(timeZone, { floored, line });
  return line;
}

function writtenLine(floored: Date, timeZone: string): string {
  const utc = partsIn(floored, "UTC");
  const line = `Current date and time: ${utc.date} ${utc.time} UTC (${utc.weekday}), rounded down to 10 minutes.`;
  const local = partsIn(floored, timeZone);
  if (isUtc(timeZone)) return line;
  const date = local.date === utc.date ? "" : `${local.date} `;
  return `${line} Local time (${timeZone}): ${date}${local.time}.`;
}

/** The names under which a zone is UTC itself; a zone that merely agrees today (London in winter) is not. */
const UTC_NAMES = new Set([
  "utc",
  "etc/utc",
  "etc/uct",
  "uct",
  "zulu",
  "etc/zulu",
  "universal",
  "etc/universal",
]);

function isUtc(timeZone: string): boolean {
  return UTC_NAMES.has(timeZone.toLowerCase());
}

function partsIn(instant: Date, timeZone: string): { date: string; time: string; weekday: string } {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    weekday: "long",
  });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return {
    date: `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`,
    time: `${parts.get("hour")}:${parts.get("minute")}`,
    weekday: parts.get("weekday") ?? "",
  };
}
