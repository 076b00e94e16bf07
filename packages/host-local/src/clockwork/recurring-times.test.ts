import { readEventTriggers, type ScheduleSource } from "@archmax-ai/host/triggers";
import { describe, expect, test } from "vitest";
import { latestTime } from "./recurring-times.ts";

function source(schedule: Record<string, string>): ScheduleSource {
  const { triggers, diagnostics } = readEventTriggers({ states: { a: { triggers: { t: { schedule } } } } });
  expect(diagnostics).toEqual([]);
  const read = triggers[0]?.schedule;
  if (read === undefined) throw new Error("no schedule");
  return read;
}

/** Every time of a schedule within a span, newest last. */
function timesBetween(schedule: ScheduleSource, from: string, until: string): string[] {
  const times: string[] = [];
  let end = Date.parse(until);
  for (;;) {
    const time = latestTime(schedule, Date.parse(from), end);
    if (time === undefined) return times;
    times.unshift(new Date(time).toISOString().replace(":00.000Z", "Z"));
    end = time - 1;
  }
}

describe("the times of a cron expression, as EventBridge counts them", () => {
  test.each<[cron: string, from: string, until: string, times: string[]]>([
    ["0 9 ? * MON *", "2026-01-01T00:00Z", "2026-01-15T00:00Z", ["2026-01-05T09:00Z", "2026-01-12T09:00Z"]],
    ["0 9 ? * 2 *", "2026-01-01T00:00Z", "2026-01-08T00:00Z", ["2026-01-05T09:00Z"]],
    ["0 9 ? * 1 *", "2026-01-01T00:00Z", "2026-01-08T00:00Z", ["2026-01-04T09:00Z"]],
    ["0 9 ? * L *", "2026-01-01T00:00Z", "2026-01-08T00:00Z", ["2026-01-03T09:00Z"]],
    ["0 9 ? * MON#2 *", "2026-01-01T00:00Z", "2026-03-01T00:00Z", ["2026-01-12T09:00Z", "2026-02-09T09:00Z"]],
    [
      "0 10 ? * 6L 2026",
      "2026-01-01T00:00Z",
      "2026-03-01T00:00Z",
      ["2026-01-30T10:00Z", "2026-02-27T10:00Z"],
    ],
    ["0 0 L * ? *", "2026-01-15T00:00Z", "2026-03-01T00:00Z", ["2026-01-31T00:00Z", "2026-02-28T00:00Z"]],
    ["0 0 15W 2,8 ? *", "2026-01-01T00:00Z", "2027-01-01T00:00Z", ["2026-02-16T00:00Z", "2026-08-14T00:00Z"]],
    [
      "0/20 8 1 1 ? *",
      "2026-01-01T00:00Z",
      "2026-01-02T00:00Z",
      ["2026-01-01T08:00Z", "2026-01-01T08:20Z", "2026-01-01T08:40Z"],
    ],
    [
      "50/5 8 1 JAN ? *",
      "2026-01-01T00:00Z",
      "2026-01-02T00:00Z",
      ["2026-01-01T08:50Z", "2026-01-01T08:55Z"],
    ],
    ["0 0 29 2 ? *", "2024-03-01T00:00Z", "2033-01-01T00:00Z", ["2028-02-29T00:00Z", "2032-02-29T00:00Z"]],
    ["0 0 1 1 ? 2020", "2026-01-01T00:00Z", "2027-01-01T00:00Z", []],
  ])("%s", (cron, from, until, times) => {
    expect(timesBetween(source({ cron }), from, until)).toEqual(times);
  });

  test("a time that is now has come, and one that is settled does not come again", () => {
    const daily = source({ cron: "0 9 * * ? *" });
    const now = Date.parse("2026-01-05T09:00:00.000Z");
    expect(latestTime(daily, now - 1, now)).toBe(now);
    expect(latestTime(daily, now, now)).toBeUndefined();
    expect(latestTime(daily, now - 3_600_000, now - 1)).toBeUndefined();
  });

  test("of several passed times the latest counts", () => {
    const minutely = source({ cron: "* * * * ? *" });
    expect(latestTime(minutely, 0, Date.parse("2026-01-05T09:00:30Z"))).toBe(Date.parse("2026-01-05T09:00Z"));
  });
});

describe("time zones with two times a year", () => {
  const berlin = (cron: string) => source({ cron, timezone: "Europe/Berlin" });

  test("nine o'clock is nine o'clock in winter and in summer", () => {
    expect(timesBetween(berlin("0 9 ? * MON *"), "2026-03-22T00:00Z", "2026-03-31T00:00Z")).toEqual([
      "2026-03-23T08:00Z",
      "2026-03-30T07:00Z",
    ]);
  });

  test("a time that the clocks skip in spring does not come that day", () => {
    expect(timesBetween(berlin("30 2 * * ? *"), "2026-03-28T00:00Z", "2026-03-31T00:00Z")).toEqual([
      "2026-03-28T01:30Z",
      "2026-03-30T00:30Z",
    ]);
  });

  test("a time that the clocks show twice in autumn comes once, the first time", () => {
    expect(timesBetween(berlin("30 2 * * ? *"), "2026-10-24T12:00Z", "2026-10-26T12:00Z")).toEqual([
      "2026-10-25T00:30Z",
      "2026-10-26T01:30Z",
    ]);
    expect(timesBetween(berlin("30 1,2 * * ? *"), "2026-10-24T12:00Z", "2026-10-25T12:00Z")).toEqual([
      "2026-10-24T23:30Z",
      "2026-10-25T00:30Z",
    ]);
  });

  test("every half hour goes on through both", () => {
    expect(timesBetween(berlin("0/30 * * * ? *"), "2026-10-25T00:15Z", "2026-10-25T02:15Z")).toHaveLength(4);
    expect(timesBetween(berlin("0/30 * * * ? *"), "2026-03-29T00:15Z", "2026-03-29T02:15Z")).toHaveLength(4);
  });
});

test("a rate counts from where it began, and passes over what was missed", () => {
  const rate = source({ rate: "15 minutes" });
  const began = Date.parse("2026-01-01T00:03:20Z");
  expect(latestTime(rate, began, began + 899_999)).toBeUndefined();
  expect(latestTime(rate, began, began + 900_000)).toBe(began + 900_000);
  expect(latestTime(rate, began, began + 86_400_000 + 1)).toBe(began + 86_400_000);
});
