/** One part of a field. Weekdays count from 1, Sunday, as AWS counts them. */
export type CronPart =
  | { readonly kind: "range"; readonly from: number; readonly to: number; readonly step: number }
  /** `?`: no condition, the other of day-of-month and day-of-week has it. */
  | { readonly kind: "any" }
  /** `L`: the last day of the month, or of the week. */
  | { readonly kind: "last" }
  /** `15W`: the weekday nearest to a day of the month. */
  | { readonly kind: "nearest-weekday"; readonly day: number }
  /** `6L`: the last such weekday of the month. */
  | { readonly kind: "last-weekday"; readonly weekday: number }
  /** `3#2`: the second such weekday of the month. */
  | { readonly kind: "nth-weekday"; readonly weekday: number; readonly nth: number };

/** The six fields of an EventBridge cron expression, in their order. */
export interface CronFields {
  readonly minutes: readonly CronPart[];
  readonly hours: readonly CronPart[];
  readonly daysOfMonth: readonly CronPart[];
  readonly months: readonly CronPart[];
  readonly daysOfWeek: readonly CronPart[];
  readonly years: readonly CronPart[];
}

/** An expression that EventBridge takes, or why it does not. */
export type CronReading =
  | {
      readonly ok: true;
      readonly fields: CronFields;
      /** The same expression in capitals, one space between fields. */
      readonly canonical: string;
    }
  | { readonly ok: false; readonly problem: string };

interface FieldRule {
  readonly key: keyof CronFields;
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

const FIELDS: readonly FieldRule[] = [
  { key: "minutes", name: "minutes", least: 0, most: 59 },
  { key: "hours", name: "hours", least: 0, most: 23 },
  { key: "daysOfMonth", name: "day-of-month", least: 1, most: 31 },
  { key: "months", name: "month", least: 1, most: 12, names: MONTHS },
  { key: "daysOfWeek", name: "day-of-week", least: 1, most: 7, names: WEEKDAYS },
  { key: "years", name: "year", least: 1970, most: 2199 },
];

/** The longest expression, in UTF-16 units: EventBridge takes 256. */
const MAX_LENGTH = 250;

/** The days of each month, February in a leap year. */
const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Refuses a field; caught by {@link readCron}. */
class FieldProblem extends Error {}

/**
 * Reads a cron expression as EventBridge has them: six fields, minutes to year, `?` in one of the two day fields, `L`,
 * `W` and `#`, months and weekdays by name. Without the `cron(…)` around it.
 */
export function readCron(text: string): CronReading {
  if (text.length > MAX_LENGTH) return { ok: false, problem: `is longer than ${MAX_LENGTH} characters` };
  if (/^\s*cron\s*\(/i.test(text)) return { ok: false, problem: "is written without cron(…) around it" };
  const written = text.trim().toUpperCase().split(/\s+/);
  if (written.length !== FIELDS.length) {
    const count = text.trim() === "" ? 0 : written.length;
    const order = FIELDS.map(({ name }) => name).join(", ");
    return { ok: false, problem: `has ${count} field${count === 1 ? "" : "s"}, not six: ${order}` };
  }
  try {
    const parts = FIELDS.map((rule, at) => partsOf(written[at] ?? "", rule));
    const fields = Object.fromEntries(FIELDS.map(({ key }, at) => [key, parts[at]])) as unknown as CronFields;
    checkDays(fields);
    return { ok: true, fields, canonical: written.join(" ") };
  } catch (error) {
    if (error instanceof FieldProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

function checkDays({ daysOfMonth, daysOfWeek, months }: CronFields): void {
  const open = [daysOfMonth, daysOfWeek].filter(([part]) => part?.kind === "any").length;
  if (open === 0) throw new FieldProblem("sets day-of-month and day-of-week; write ? in one of them");
  if (open === 2) throw new FieldProblem("has ? in day-of-month and day-of-week; write it in one of them");
  const first = Math.min(...daysOfMonth.map((part) => (part.kind === "range" ? part.from : 0)));
  const longest = Math.max(...months.flatMap(valuesOf).map((month) => LONGEST[month - 1] ?? 0));
  if (first > longest) throw new FieldProblem("names a day that its months do not have");
}

function valuesOf(part: CronPart): number[] {
  if (part.kind !== "range") return [];
  const values: number[] = [];
  for (let value = part.from; value <= part.to; value += part.step) values.push(value);
  return values;
}

function partsOf(text: string, rule: FieldRule): CronPart[] {
  const parts = text.split(",").map((part) => partOf(part, rule));
  if (parts.length > 1 && parts.some(({ kind }) => kind !== "range")) {
    throw new FieldProblem(`has ${text} for ${rule.name}: ?, L, W and # stand alone`);
  }
  return parts;
}

function partOf(text: string, rule: FieldRule): CronPart {
  const special = specialOf(text, rule);
  if (special !== undefined) return special;
  const [, range, from, to, step] = /^(\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(text) ?? [];
  if (range === undefined) throw bad(text, rule);
  if (step !== undefined && rule.key === "daysOfWeek") {
    throw new FieldProblem(`has a step in day-of-week, ${text}; list the days instead`);
  }
  const every = step === undefined ? 1 : Number(step);
  if (every < 1 || every > rule.most) throw bad(text, rule);
  if (range === "*") return { kind: "range", from: rule.least, to: rule.most, step: every };
  const first = numberOf(from ?? "", rule, text);
  // A start with a step runs to the field's end: 0/15 is every quarter of an hour.
  const last = to !== undefined ? numberOf(to, rule, text) : step === undefined ? first : rule.most;
  if (last < first) throw new FieldProblem(`has ${text} for ${rule.name}, a range that runs backwards`);
  return { kind: "range", from: first, to: last, step: every };
}

function specialOf(text: string, rule: FieldRule): CronPart | undefined {
  if (rule.key !== "daysOfMonth" && rule.key !== "daysOfWeek") return undefined;
  if (text === "?") return { kind: "any" };
  if (text === "L") return { kind: "last" };
  if (rule.key === "daysOfMonth") {
    const nearest = /^(\d+)W$/.exec(text);
    return nearest === null
      ? undefined
      : { kind: "nearest-weekday", day: numberOf(nearest[1] ?? "", rule, text) };
  }
  const last = /^(\w+)L$/.exec(text);
  if (last !== null) return { kind: "last-weekday", weekday: numberOf(last[1] ?? "", rule, text) };
  const nth = /^(\w+)#([1-5])$/.exec(text);
  if (nth === null) return undefined;
  return { kind: "nth-weekday", weekday: numberOf(nth[1] ?? "", rule, text), nth: Number(nth[2]) };
}

function numberOf(text: string, rule: FieldRule, part: string): number {
  const named = rule.names?.indexOf(text) ?? -1;
  const value = named >= 0 ? named + rule.least : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= rule.least && value <= rule.most)) throw bad(part, rule);
  return value;
}

function bad(text: string, { name, least, most, names }: FieldRule): FieldProblem {
  const named = names === undefined ? "" : ` or ${names[0]} to ${names.at(-1)}`;
  return new FieldProblem(`has ${JSON.stringify(text)} for ${name}, which takes ${least} to ${most}${named}`);
}
