/**
 * A stand-in for EventBridge Scheduler, over HTTP, for what the project uses of it: one-time schedules whose target
 * is an SQS queue.
 */
import { createHash } from "node:crypto";
import { Hono } from "hono";
import { ACCOUNT, errorAnswer, listen, REGION, ServiceError } from "./loopback.ts";
import { type QueueSender, queueSender } from "./queue-sender.ts";
import {
  type CreateSchedule,
  instantOf,
  parseCreateSchedule,
  parseMaxResults,
  parseName,
} from "./schedule-requests.ts";

/** How often a running server looks for what is due, in milliseconds. */
const TICK_MS = 100;

/** How a stand-in is started. */
export interface SchedulerServerOptions {
  /** Where the queues are: the SQS server that due schedules send to, `http://127.0.0.1:<port>`. */
  sqsUrl: string;
  /** Its clock, milliseconds since the epoch; default the machine's. `advance` adds to it. */
  now?: () => number;
  /** A fixed port, for a server that is started again; default a free one. */
  port?: number;
}

/** One schedule, as a test may look at it. */
export interface StoredSchedule extends CreateSchedule {
  name: string;
  /** Milliseconds since the epoch. */
  dueAt: number;
}

/** A running stand-in. */
export interface SchedulerServer {
  /** For the SDK's `endpoint` or `AWS_ENDPOINT_URL_SCHEDULER`. */
  readonly url: string;
  /** What is scheduled, in order of time, then name. */
  schedules(): StoredSchedule[];
  /** Moves the clock forward and fires what came due, in order of time; resolves once that is sent. */
  advance(milliseconds: number): Promise<void>;
  /** The server's present, milliseconds since the epoch. */
  now(): number;
  close(): Promise<void>;
}

interface Kept extends StoredSchedule {
  arn: string;
  createdAt: number;
  attempts: number;
  /** When it is tried again after a failure. */
  nextAt: number;
}

/**
 * Starts a stand-in for EventBridge Scheduler on 127.0.0.1. It serves `CreateSchedule`, `GetSchedule`,
 * `DeleteSchedule` and `ListSchedules`, and creates, reads, lists and deletes groups; there is a group `default`.
 * It holds requests to the service's own rules (names, `at()`, the group of a FIFO target, a standard queue for dead
 * letters), answers a repeated `ClientToken` as the first time, a taken name with `ConflictException` and an absent
 * one with `ResourceNotFoundException`.
 *
 * A due schedule sends its target's input to the queue with the target's message group, by its own clock, and is
 * deleted where `ActionAfterCompletion` is `DELETE`. A queue that refuses is tried again after 1, 2, 4, … seconds until
 * the retry policy ends; then the input goes to the dead-letter queue, if there is one. Real schedules fire within a
 * minute of their time, this one within a tenth of a second. `State` `DISABLED` does not fire.
 *
 * @example
 * const scheduler = await startSchedulerServer({ sqsUrl });
 * spawn("node", ["worker.mjs"], { env: { ...process.env, AWS_ENDPOINT_URL_SCHEDULER: scheduler.url } });
 * await scheduler.advance(90_000);
 * await scheduler.close();
 */
export async function startSchedulerServer(options: SchedulerServerOptions): Promise<SchedulerServer> {
  const base = options.now ?? (() => Date.now());
  let ahead = 0;
  const now = () => base() + ahead;
  const groups = new Map<string, { createdAt: number; schedules: Map<string, Kept> }>([
    ["default", { createdAt: now(), schedules: new Map() }],
  ]);
  const sender = queueSender(options.sqsUrl);
  const app = schedulerApp(groups, now);
  const server = await listen(app, options.port);

  const all = () =>
    [...groups.values()]
      .flatMap(({ schedules }) => [...schedules.values()])
      .sort((a, b) => a.dueAt - b.dueAt || (a.name < b.name ? -1 : 1));
  let firing: Promise<void> = Promise.resolve();
  const fireDue = () => {
    firing = firing.then(async () => {
      for (const each of all())
        if (each.State === "ENABLED" && each.nextAt <= now())
          await fire(each, sender, now(), () => groups.get(each.GroupName)?.schedules.delete(each.name));
    });
    return firing;
  };
  const ticking = setInterval(() => void fireDue(), TICK_MS);
  return {
    url: server.url,
    now,
    schedules: () =>
      all().map(({ arn: _arn, createdAt: _created, attempts: _a, nextAt: _n, ...each }) => each),
    async advance(milliseconds) {
      ahead += milliseconds;
      await fireDue();
    },
    async close() {
      clearInterval(ticking);
      await firing;
      sender.close();
      await server.close();
    },
  };
}

/** Sends a due schedule's input, or notes when to try again, or gives up. */
async function fire(kept: Kept, sender: QueueSender, now: number, remove: () => void): Promise<void> {
  const { Target, ActionAfterCompletion } = kept;
  const { MaximumRetryAttempts, MaximumEventAgeInSeconds } = Target.RetryPolicy;
  const body = Target.Input ?? JSON.stringify({ version: "0", source: "aws.scheduler", detail: "{}" });
  try {
    await sender.send(Target.Arn, body, Target.SqsParameters?.MessageGroupId);
  } catch (error) {
    kept.attempts += 1;
    const isOver =
      kept.attempts > MaximumRetryAttempts || now - kept.dueAt > MaximumEventAgeInSeconds * 1_000;
    if (!isOver) {
      kept.nextAt = now + 1_000 * 2 ** Math.min(kept.attempts - 1, 8);
      return;
    }
    const deadLetters = Target.DeadLetterConfig?.Arn;
    // As with the service, what the dead-letter queue does not take either is lost.
    if (deadLetters !== undefined)
      await sender
        .send(deadLetters, body, undefined, { ERROR_MESSAGE: String(error) })
        .catch(() => undefined);
  }
  kept.nextAt = Number.POSITIVE_INFINITY;
  if (ActionAfterCompletion === "DELETE") remove();
}

type Groups = Map<string, { createdAt: number; schedules: Map<string, Kept> }>;

const groupArn = (name: string) => `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule-group/${name}`;

function schedulerApp(groups: Groups, now: () => number): Hono {
  const group = (name: string) => {
    const found = groups.get(parseName(name));
    if (found === undefined)
      throw new ServiceError("ResourceNotFoundException", 404, `Schedule group ${name} does not exist.`);
    return found;
  };
  const schedule = (groupName: string, name: string) => {
    const found = group(groupName).schedules.get(parseName(name));
    if (found === undefined)
      throw new ServiceError("ResourceNotFoundException", 404, `Schedule ${name} does not exist.`);
    return found;
  };
  const tokens = new Map<string, { of: string; arn: string }>();
  const app = new Hono();
  app.onError((error) => errorAnswer(error));

  app.post("/schedules/:name", async (c) => {
    const name = parseName(c.req.param("name"));
    const body: unknown = await c.req.json();
    const request = parseCreateSchedule(body);
    const dueAt = instantOf(request.ScheduleExpression);
    const { schedules } = group(request.GroupName);
    const of = createHash("sha256")
      .update(JSON.stringify([name, body]))
      .digest("hex");
    const known = request.ClientToken === undefined ? undefined : tokens.get(request.ClientToken);
    if (known?.of === of) return c.json({ ScheduleArn: known.arn });
    if (schedules.has(name))
      throw new ServiceError("ConflictException", 409, `Schedule ${name} already exists.`);
    const arn = `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule/${request.GroupName}/${name}`;
    schedules.set(name, { ...request, name, dueAt, arn, createdAt: now(), attempts: 0, nextAt: dueAt });
    if (request.ClientToken !== undefined) tokens.set(request.ClientToken, { of, arn });
    return c.json({ ScheduleArn: arn });
  });

  app.get("/schedules/:name", (c) => {
    const kept = schedule(c.req.query("groupName") ?? "default", c.req.param("name"));
    return c.json({ ...described(kept), ...withoutToken(kept) });
  });

  app.delete("/schedules/:name", (c) => {
    const groupName = c.req.query("groupName") ?? "default";
    const { name } = schedule(groupName, c.req.param("name"));
    group(groupName).schedules.delete(name);
    return c.json({});
  });

  app.get("/schedules", (c) => {
    const prefix = c.req.query("NamePrefix");
    const groupName = c.req.query("ScheduleGroup");
    const among = groupName === undefined ? [...groups.values()] : [group(groupName)];
    const found = among
      .flatMap(({ schedules }) => [...schedules.values()])
      .filter(({ name }) => name.startsWith(prefix === undefined ? "" : parseName(prefix)))
      .filter(({ State }) => State === (c.req.query("State") ?? State))
      .sort((a, b) => (a.arn < b.arn ? -1 : 1))
      .filter(({ arn }) => arn > (c.req.query("NextToken") ?? ""));
    const page = found.slice(0, parseMaxResults(c.req.query("MaxResults")));
    return c.json({
      Schedules: page.map((kept) => ({ ...described(kept), Target: { Arn: kept.Target.Arn } })),
      ...(page.length < found.length && { NextToken: page.at(-1)?.arn }),
    });
  });

  app.post("/schedule-groups/:name", (c) => {
    const name = parseName(c.req.param("name"));
    if (groups.has(name))
      throw new ServiceError("ConflictException", 409, `Schedule group ${name} already exists.`);
    groups.set(name, { createdAt: now(), schedules: new Map() });
    return c.json({ ScheduleGroupArn: groupArn(name) });
  });

  const describedGroup = (name: string) => ({
    Arn: groupArn(name),
    Name: name,
    State: "ACTIVE",
    CreationDate: group(name).createdAt / 1_000,
  });
  app.get("/schedule-groups/:name", (c) => c.json(describedGroup(c.req.param("name"))));
  app.get("/schedule-groups", (c) => c.json({ ScheduleGroups: [...groups.keys()].map(describedGroup) }));
  app.delete("/schedule-groups/:name", (c) => {
    group(c.req.param("name"));
    groups.delete(c.req.param("name"));
    return c.json({});
  });
  return app;
}

function described({ arn, name, GroupName, State, createdAt }: Kept) {
  const at = createdAt / 1_000;
  return { Arn: arn, Name: name, GroupName, State, CreationDate: at, LastModificationDate: at };
}

function withoutToken(kept: Kept) {
  const { ScheduleExpression, ScheduleExpressionTimezone, FlexibleTimeWindow, Description } = kept;
  const { Target, ActionAfterCompletion } = kept;
  return {
    ScheduleExpression,
    ScheduleExpressionTimezone,
    FlexibleTimeWindow,
    Description,
    Target,
    ActionAfterCompletion,
  };
}
