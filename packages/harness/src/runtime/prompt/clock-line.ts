/** The clock of the prompt, coarse enough to leave a cached prompt valid for a while (spec 03 §13). */

const STEP_MS = 10 * 60 * 1000;

/**
 * The line that tells the model the time: UTC, floored to 10 minutes, and the local time where it differs.
 *
 * @param timeZone IANA name.
 * @throws RangeError when the zone is unknown.
 */
export function clockLine(now: Date, timeZone: string): string {
  const floored = new Date(Math.floor(now.getTime() / STEP_MS) * STEP_MS);
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

/** A formatter is dear to make and every model call asks for the time, so each zone's is made once. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const fresh = new Intl.DateTimeFormat("en-US", {
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
  formatters.set(timeZone, fresh);
  return fresh;
}

function partsIn(instant: Date, timeZone: string): { date: string; time: string; weekday: string } {
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  return {
    date: `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`,
    time: `${parts.get("hour")}:${parts.get("minute")}`,
    weekday: parts.get("weekday") ?? "",
  };
}
