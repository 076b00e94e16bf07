import type { CronFields, CronPart, ScheduleSource } from "@archmax-ai/host/triggers";
import { Cron } from "croner";

/**
 * The latest time of a schedule after one instant and up to another, all in milliseconds since the epoch; `undefined`
 * where it has none between them.
 *
 * As EventBridge Scheduler has it: a time that the clocks skip in spring does not come, and one that they show twice in
 * autumn comes once, the first time, unless the expression has a wildcard or a step in its hours or minutes.
 *
 * @param after of a rate, the instant its next interval is counted from
 */
export function latestTime(schedule: ScheduleSource, after: number, until: number): number | undefined {
  if (schedule.kind === "rate") {
    const passed = Math.floor((until - after) / schedule.intervalMs);
    return passed < 1 ? undefined : after + passed * schedule.intervalMs;
  }
  const { fields, timezone } = schedule;
  const cron = new Cron(cronerPattern(fields), {
    timezone,
    paused: true,
    mode: "7-part",
    fixedTimeRule: "no-wildcard",
  });
  // Strictly before the reference, and times are whole minutes: a millisecond more takes in one that is now.
  let reference = new Date(until + 1);
  for (;;) {
    const [time] = cron.previousRuns(1, reference);
    if (time === undefined || time.getTime() <= after) return undefined;
    if (isShown(time, fields, timezone)) return time.getTime();
    reference = time;
  }
}

/** croner fires a skipped time when the clocks have gone on; the clock on the wall then shows another time. */
function isShown(time: Date, { hours, minutes }: CronFields, timeZone: string): boolean {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(time);
  const shown = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return holds(hours, shown("hour")) && holds(minutes, shown("minute"));
}

function holds(parts: readonly CronPart[], value: number): boolean {
  return parts.some(
    (part) =>
      part.kind === "range" &&
      value >= part.from &&
      value <= part.to &&
      (value - part.from) % part.step === 0,
  );
}

/** Where croner's own dialect differs: a field of seconds, weekdays from 0, `?` as `*`, no start with a step alone. */
function cronerPattern({ minutes, hours, daysOfMonth, months, daysOfWeek, years }: CronFields): string {
  const field = (parts: readonly CronPart[], least: number, most: number): string =>
    parts.map((part) => partText(part, least, most)).join(",");
  return [
    "0",
    field(minutes, 0, 59),
    field(hours, 0, 23),
    field(daysOfMonth, 1, 31),
    field(months, 1, 12),
    daysOfWeek.map(weekdayText).join(","),
    field(years, 1970, 2199),
  ].join(" ");
}

function partText(part: CronPart, least: number, most: number): string {
  switch (part.kind) {
    case "range": {
      const { from, to, step } = part;
      if (from === to) return String(from);
      const whole = from === least && to === most ? "*" : `${from}-${to}`;
      return step === 1 ? whole : `${whole}/${step}`;
    }
    case "last":
      return "L";
    case "nearest-weekday":
      return `${part.day}W`;
    default:
      return "*";
  }
}

const SATURDAY = 6;

function weekdayText(part: CronPart): string {
  switch (part.kind) {
    case "range":
      return partText({ ...part, from: part.from - 1, to: part.to - 1 }, 0, SATURDAY);
    case "last":
      return String(SATURDAY);
    case "last-weekday":
      return `${part.weekday - 1}L`;
    case "nth-weekday":
      return `${part.weekday - 1}#${part.nth}`;
    default:
      return "*";
  }
}
