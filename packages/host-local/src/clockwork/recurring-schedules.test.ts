import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MachineSpec, NO_MOUNTS } from "@archmax-ai/harness/spec";
import {
  type Ingest,
  type LogFields,
  type Logger,
  silentLogger,
  type WorkflowCatalog,
} from "@archmax-ai/host";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "../../../host/src/testing-fixtures/manual-clock.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import { createSettledTimes } from "../storage/settled-times.ts";
import { createRecurringSchedules } from "./recurring-schedules.ts";

let folder: string;
let database: Database;
let clock: ManualClock;
let fired: string[];
let warnings: (LogFields | undefined)[];
/** What each workflow declares; an error stands for a document that does not load. */
let workflows: Record<string, { triggers: Record<string, unknown>; disabled?: boolean } | Error>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "archmax-schedules-"));
  database = openDatabase(folder);
  clock = createManualClock(Date.parse("2026-03-27T12:00:00Z"));
  fired = [];
  warnings = [];
  workflows = {
    desk: { triggers: { daily: { schedule: { cron: "30 2 * * ? *", timezone: "Europe/Berlin" } } } },
  };
});

afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true, force: true });
});

const catalog: WorkflowCatalog = {
  list: async () => Object.keys(workflows),
  async get(_tenant, slug) {
    const found = workflows[slug];
    if (found === undefined) return null;
    if (found instanceof Error) throw found;
    const { triggers, disabled } = found;
    const spec = { states: { a: { triggers } }, ...(disabled && { disabled }) } as MachineSpec;
    return { slug, spec, mountPrefixes: NO_MOUNTS };
  },
};

const ingest: Ingest = {
  async take(input) {
    const { workflow, trigger, tenant, scheduledAt } = input as Record<string, string>;
    fired.push(`${tenant} ${workflow}/${trigger} ${scheduledAt}`);
    return [];
  },
};

/** A host's schedules, from a start on. */
function start(taking: Ingest = ingest) {
  const logger: Logger = { ...silentLogger, warn: (_message, fields) => warnings.push(fields) };
  const options = {
    tenant: "local",
    catalog,
    ingest: taking,
    times: createSettledTimes(database),
    clock,
    logger,
  };
  return createRecurringSchedules(options);
}

/** Lets time pass as a running host sees it. */
async function pass(schedules: ReturnType<typeof start>, milliseconds: number, step = MINUTE): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += step) {
    await clock.advance(step);
    await schedules.fireDue();
  }
}

test("a schedule fires at its times alone, the one skipped in spring left out", async () => {
  const schedules = start();
  await schedules.fireDue();
  expect(fired).toEqual([]);
  await pass(schedules, 72 * HOUR, 10 * MINUTE);
  expect(fired).toEqual([
    "local desk/daily 2026-03-28T01:30:00.000Z",
    "local desk/daily 2026-03-30T00:30:00.000Z",
  ]);
});

test("a restart fires nothing again, and times that passed meanwhile come to one firing", async () => {
  const first = start();
  await first.fireDue();
  await pass(first, 14 * HOUR, HOUR);
  expect(fired).toHaveLength(1);
  const second = start();
  await second.fireDue();
  expect(fired).toHaveLength(1);
  await clock.advance(10 * 24 * HOUR);
  const third = start();
  await third.fireDue();
  await third.fireDue();
  expect(fired.slice(1)).toEqual(["local desk/daily 2026-04-07T00:30:00.000Z"]);
});

test("a firing that could not be queued is tried again, with the same time", async () => {
  let down = true;
  const schedules = start({
    async take(input, options) {
      if (down) throw new Error("the queue does not answer");
      return ingest.take(input, options);
    },
  });
  await schedules.fireDue();
  await clock.advance(14 * HOUR);
  await schedules.fireDue();
  expect(fired).toEqual([]);
  down = false;
  await schedules.fireDue();
  await schedules.fireDue();
  expect(fired).toEqual(["local desk/daily 2026-03-28T01:30:00.000Z"]);
});

test("a changed expression begins anew; a trigger taken away and put back does not catch up", async () => {
  workflows = { desk: { triggers: { tick: { schedule: { rate: "1 hour" } } } } };
  const schedules = start();
  await schedules.fireDue();
  await pass(schedules, HOUR);
  expect(fired).toHaveLength(1);
  await clock.advance(30 * MINUTE);
  workflows = { desk: { triggers: { tick: { schedule: { rate: "45 minutes" } } } } };
  await schedules.fireDue();
  await pass(schedules, 44 * MINUTE);
  expect(fired).toHaveLength(1);
  await pass(schedules, 1 * MINUTE);
  expect(fired).toHaveLength(2);
  workflows = { desk: { triggers: {} } };
  await pass(schedules, 5 * HOUR, HOUR);
  workflows = { desk: { triggers: { tick: { schedule: { rate: "45 minutes" } } } } };
  await pass(schedules, 30 * MINUTE);
  expect(fired).toHaveLength(2);
});

test("a disabled workflow's times pass", async () => {
  const triggers = { tick: { schedule: { rate: "1 hour" } } };
  workflows = { desk: { triggers, disabled: true } };
  const schedules = start();
  await schedules.fireDue();
  await pass(schedules, 3 * HOUR);
  expect(fired).toEqual([]);
  workflows = { desk: { triggers } };
  await pass(schedules, HOUR);
  expect(fired).toHaveLength(1);
});

test("a document that does not load rests, its neighbours do not, and is told of once", async () => {
  const tick = { triggers: { tick: { schedule: { rate: "1 hour" } } } };
  workflows = { bad: tick, desk: tick };
  const schedules = start();
  await schedules.fireDue();
  workflows = { bad: new Error("broken"), desk: tick };
  await pass(schedules, 90 * MINUTE);
  expect(fired).toHaveLength(1);
  expect(warnings).toEqual([{ tenant: "local", workflow: "bad", error: "Error" }]);
  workflows = { bad: tick, desk: tick };
  await pass(schedules, MINUTE);
  expect(fired.filter((line) => line.includes("bad/"))).toHaveLength(1);
});

test("a block that is wrong fires nothing and is told of once, with its place", async () => {
  workflows = { desk: { triggers: { tick: { schedule: { rate: "1 hours" } } } } };
  const schedules = start();
  await schedules.fireDue();
  await pass(schedules, 3 * HOUR, HOUR);
  expect(fired).toEqual([]);
  expect(warnings).toEqual([
    { tenant: "local", workflow: "desk", findings: 1, first: "states.a.triggers.tick.schedule.rate" },
  ]);
});
