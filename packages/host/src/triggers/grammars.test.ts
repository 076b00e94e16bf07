import { describe, expect, test } from "vitest";
import { readCron } from "./cron-grammar.ts";
import { readJsonPath } from "./json-path.ts";
import { jsonPathValue } from "./json-path-value.ts";
import { readRate } from "./rate-grammar.ts";
import { isTimeZone } from "./time-zone.ts";

describe("cron expressions", () => {
  test.each([
    "0 10 * * ? *",
    "15 12 * * ? *",
    "0 18 ? * MON-FRI *",
    "0 8 1 * ? *",
    "0/10 * ? * MON-FRI *",
    "0/5 8-17 ? * MON-FRI *",
    "0 9 ? * 2#1 *",
    "0 9 ? * MON#5 *",
    "0 10 ? * 6L 2022-2023",
    "0 0 L * ? *",
    "0 0 ? * L *",
    "30 4 15W 1,JUL,12 ? 2030",
    "0,30 */2 1-7/2 JAN-MAR ? 1970-2199/10",
    "0 0 29 2 ? *",
  ])("EventBridge takes %s", (text) => {
    expect(readCron(text)).toMatchObject({ ok: true, canonical: text });
  });

  test("names in small letters and wide spaces are written as EventBridge has them", () => {
    expect(readCron("  0  9 ? jan mon * ")).toMatchObject({ ok: true, canonical: "0 9 ? JAN MON *" });
  });

  test("weekdays count from Sunday, names and numbers alike", () => {
    for (const [text, from, to] of [
      ["1", 1, 1],
      ["SUN", 1, 1],
      ["MON-FRI", 2, 6],
      ["SAT", 7, 7],
    ] as const) {
      const reading = readCron(`0 0 ? * ${text} *`);
      expect(reading.ok && reading.fields.daysOfWeek).toEqual([{ kind: "range", from, to, step: 1 }]);
    }
  });

  test.each<[string, RegExp]>([
    ["", /0 fields/],
    ["0 9 * * MON", /5 fields, not six/],
    ["0 0 9 ? * MON *", /7 fields/],
    ["cron(0 9 ? * MON *)", /without cron/],
    ["0 9 * * * *", /write \? in one/],
    ["0 9 1 * MON *", /write \? in one/],
    ["0 9 ? * ? *", /in one of them/],
    ["60 9 ? * MON *", /minutes, which takes 0 to 59/],
    ["0 24 ? * MON *", /hours/],
    ["0 9 0 * ? *", /day-of-month/],
    ["0 9 32 * ? *", /day-of-month/],
    ["0 9 ? 13 MON *", /JAN to DEC/],
    ["0 9 ? * 0 *", /1 to 7 or SUN to SAT/],
    ["0 9 ? * 8 *", /day-of-week/],
    ["0 9 ? * MONDAY *", /day-of-week/],
    ["0 9 ? * MON 1969", /year/],
    ["0 9 ? * MON 2200", /year/],
    ["? 9 ? * MON *", /minutes/],
    ["L 9 ? * MON *", /minutes/],
    ["0 9 LW * ? *", /day-of-month/],
    ["0 9 L-3 * ? *", /day-of-month/],
    ["0 9 W * ? *", /day-of-month/],
    ["0 9 32W * ? *", /day-of-month/],
    ["0 9 1,L * ? *", /stand alone/],
    ["0 9 ? * MON#1,FRI#2 *", /stand alone/],
    ["0 9 ? * MON#6 *", /day-of-week/],
    ["0 9 ? * MON#0 *", /day-of-week/],
    ["0 9 ? * */2 *", /step in day-of-week/],
    ["0/0 9 ? * MON *", /minutes/],
    ["0/99 9 ? * MON *", /minutes/],
    ["30-10 9 ? * MON *", /backwards/],
    ["0 9 ? * FRI-MON *", /backwards/],
    ["1,,2 9 ? * MON *", /minutes/],
    ["0 9 30 2 ? *", /do not have/],
    ["0 9 31 4,6,9,11 ? *", /do not have/],
    [`0 9 ? * MON ${"*".repeat(300)}`, /longer/],
  ])("EventBridge refuses %s", (text, problem) => {
    expect(readCron(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });
});

describe("rates", () => {
  test.each([
    ["1 minute", 60_000],
    ["5 minutes", 300_000],
    ["1 hour", 3_600_000],
    ["7 days", 604_800_000],
  ])("%s", (text, intervalMs) => {
    expect(readRate(text)).toEqual({ ok: true, intervalMs, canonical: text });
  });
  test.each<[string, RegExp]>([
    ["1 days", /"1 day"/],
    ["2 day", /"2 days"/],
    ["0 minutes", /above 0/],
    ["-1 day", /above 0/],
    ["1.5 hours", /above 0/],
    ["5 seconds", /minutes, hours or days/],
    ["1 week", /minutes, hours or days/],
    ["day", /above 0/],
    ["rate(1 day)", /without rate/],
    ["99999999999 days", /longer/],
  ])("%s is none", (text, problem) => {
    expect(readRate(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });
});

describe("time zones", () => {
  test.each([
    "UTC",
    "Europe/Berlin",
    "America/Argentina/Buenos_Aires",
    "Asia/Kolkata",
    "America/Port-au-Prince",
  ])("%s is one", (name) => expect(isTimeZone(name)).toBe(true));
  test.each([
    "",
    "europe/berlin",
    "EUROPE/BERLIN",
    "Europe/Berln",
    "+01:00",
    "GMT+1",
    "Europe/",
    "../etc/passwd",
  ])("%j is none", (name) => expect(isTimeZone(name)).toBe(false));
});

describe("JSONPaths", () => {
  const event = {
    "detail-type": "T",
    detail: { id: "x", note: null, items: [{ sku: "a" }, { sku: "b" }, { other: 1 }], "a.b": 7 },
  };
  test.each<[string, unknown]>([
    ["$", event],
    ["$.detail.id", "x"],
    ["$.detail.note", null],
    ["$['detail-type']", "T"],
    ['$["detail"]["a.b"]', 7],
    ["$.detail.items[1].sku", "b"],
    ["$.detail.items[-2].sku", "b"],
    ["$.detail.items[9]", undefined],
    ["$.detail.nothing.more", undefined],
    ["$.constructor", undefined],
    ["$.detail.id.length", undefined],
    ["$.detail.items[*].sku", ["a", "b"]],
    ["$.detail.items[0:2].sku", ["a", "b"]],
    ["$.nothing[*]", []],
  ])("%s", (path, value) => {
    expect(readJsonPath(path).ok).toBe(true);
    expect(jsonPathValue(path, event)).toEqual(value);
  });
  test.each<[string, RegExp]>([
    ["", /start with \$/],
    ["detail.id", /start with \$/],
    ["$.detail-type", /character 9; write such a name/],
    ["$.", /ends too soon/],
    ["$.a b", /cannot stand at character/],
    ["$..id", /descendants/],
    ["$.items[?@.sku == 'b']", /filters/],
    ["$['a','b']", /several things/],
    ["$[99999999999999999999]", /no list reaches/],
    [`$${".a".repeat(200)}`, /longer/],
  ])("%s is refused", (path, problem) => {
    expect(readJsonPath(path)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
    expect(() => jsonPathValue(path, event)).toThrow(TypeError);
  });
});
