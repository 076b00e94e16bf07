const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;

/** Whether a text is `YYYY-MM-DD` and names a day of the Gregorian calendar. */
export function isCalendarDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/**
 * Whether a text is an RFC 3339 date and time: a real day, `hh:mm:ss` (a leap second included), an optional
 * fraction and a mandatory offset.
 */
export function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (match === null || !isCalendarDate(match[1] ?? "")) return false;
  const [hours, minutes, seconds, offsetHours, offsetMinutes] = match
    .slice(2)
    .map((part: string | undefined) => Number(part ?? 0)) as [number, number, number, number, number];
  return hours <= 23 && minutes <= 59 && seconds <= 60 && offsetHours <= 23 && offsetMinutes <= 59;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
