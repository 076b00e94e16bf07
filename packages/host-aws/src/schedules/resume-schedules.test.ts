import { dueGroup, type QueueMessage, scheduleName } from "@archmax-ai/host";
import { resumeSchedulerContract } from "@archmax-ai/host/contracts";
import { CreateScheduleCommand, GetScheduleCommand } from "@aws-sdk/client-scheduler";
import { describe, expect, test } from "vitest";
import { seeded } from "../../../checkpoint-dynamodb/src/testing-fixtures/prose.ts";
import { parseText } from "../queue/message-body.ts";
import { createSqsTurnQueue } from "../queue/turn-queue.ts";
import { disturb, refuse } from "../testing-fixtures/disturbances.ts";
import { loseFirstAnswer } from "../testing-fixtures/lost-answer.ts";
import { LETTERS, ROLE, useScheduler } from "../testing-fixtures/scheduler.ts";
import { ON_MOTO, useSqsServer } from "../testing-fixtures/sqs-server.ts";
import { createResumeSchedules } from "./resume-schedules.ts";

const server = useSqsServer();
const scheduler = useScheduler(server);
const { newClient } = scheduler;
const KEY = { tenant: "acme", sessionId: "s-1" };

/** Schedules in a group of their own, that send to queues of their own. */
async function made(client = newClient()) {
  const queues = await server.queues();
  const options = await scheduler.options(queues, client);
  return {
    options,
    queues,
    group: options.group,
    schedules: createResumeSchedules(options),
    advance: scheduler.advance,
    sent: async () =>
      (await queues.look(queues.queueUrl)).map(({ Body = "" }) => parseText(Body) as QueueMessage),
  };
}

const inSeconds = (seconds: number, milliseconds = 0) =>
  new Date(Math.ceil(server.clock.now() / 1_000) * 1_000 + seconds * 1_000 + milliseconds).toISOString();

const resumeIn = (seconds: number, milliseconds = 0) => ({
  ...KEY,
  workflow: "desk",
  seq: 1,
  dueAt: inSeconds(seconds, milliseconds),
});

resumeSchedulerContract({ describe, test }, async () => {
  const { schedules, advance, sent } = await made();
  const subject = { subject: schedules, now: server.clock.now, advance };
  return ON_MOTO ? subject : { ...subject, fired: sent };
});

test("a schedule is made as the specification says", async () => {
  const { schedules, queues, group } = await made();
  const armed = { ...resumeIn(90), sessionId: "s/1 ü" };
  await schedules.arm(armed);
  const schedule = await newClient().send(
    new GetScheduleCommand({ Name: scheduleName(armed, 1), GroupName: group }),
  );
  expect(schedule).toMatchObject({
    ScheduleExpression: `at(${armed.dueAt.slice(0, 19)})`,
    ScheduleExpressionTimezone: "UTC",
    FlexibleTimeWindow: { Mode: "OFF" },
    ActionAfterCompletion: "DELETE",
    Target: {
      Arn: queues.queueArn,
      RoleArn: ROLE,
      SqsParameters: { MessageGroupId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
      RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
      DeadLetterConfig: { Arn: LETTERS },
    },
  });
  expect(JSON.parse(schedule.Target?.Input ?? "")).toEqual({ kind: "resume", ...armed });
});

test("a part of a second rounds up", async () => {
  const { schedules } = await made();
  await schedules.arm(resumeIn(90, 1));
  expect(await schedules.list(KEY)).toMatchObject([{ dueAt: inSeconds(91) }]);
});

test.each([
  ["just under a minute away", 59],
  ["due now", 0],
  ["long past", -3_600],
])(
  "a resume %s goes to the queue, in the group of what is due, and to no schedule",
  async (_what, seconds) => {
    const { schedules, sent } = await made();
    const resume = resumeIn(seconds);
    await schedules.arm(resume);
    await schedules.arm(resume);
    expect(await schedules.list(KEY)).toEqual([]);
    expect(await sent()).toEqual([
      {
        group: dueGroup("acme", "s-1"),
        deduplicationId: "resume:acme:s-1:1",
        command: {
          kind: "resume",
          ...resume,
          turnId: "resume:acme:s-1:1",
          commandId: "resume:acme:s-1:1",
        },
      },
    ]);
  },
);

test.skipIf(ON_MOTO)(
  "HOST-008 a schedule's message and a queued one wait in one group, a session's own",
  async () => {
    const { schedules, advance, queues } = await made();
    await schedules.arm({ ...resumeIn(70), sessionId: "s/1 ü" });
    await schedules.arm({ ...resumeIn(30), sessionId: "s/1 ü", seq: 2 });
    await advance(80_000);
    const groups = [];
    for (const { Attributes } of await queues.look(queues.queueUrl)) groups.push(Attributes?.MessageGroupId);
    expect(new Set(groups).size).toBe(1);
    const queue = createSqsTurnQueue(queues);
    const first = await queue.receive();
    expect(first?.message.command).toMatchObject({ kind: "resume", seq: 2 });
    expect(await queue.receive()).toBeNull();
    await first?.done();
    expect((await queue.receive())?.message.command).toMatchObject({
      kind: "resume",
      seq: 1,
      sessionId: "s/1 ü",
    });
  },
);

test("a creation whose answer was lost is one schedule, a removal whose answer was lost a removal", async () => {
  const client = newClient();
  loseFirstAnswer(client, "CreateScheduleCommand");
  const { options, schedules } = await made(client);
  const armed = resumeIn(90);
  await schedules.arm(armed);
  expect(await schedules.list(KEY)).toEqual([armed]);
  const other = newClient();
  loseFirstAnswer(other, "DeleteScheduleCommand");
  await createResumeSchedules({ ...options, client: other }).disarm(KEY, 1);
  expect(await schedules.list(KEY)).toEqual([]);
});

test("a fifth of all requests disturbed: every resume is armed once, as it was first", {
  timeout: 60_000,
}, async () => {
  const client = newClient();
  disturb(client, seeded(9), 0.2);
  const { schedules } = await made(client);
  const seqs = Array.from({ length: 40 }, (_, at) => at);
  const armed = seqs.map((seq) => ({ ...resumeIn(100 + seq), seq }));
  await Promise.all(
    armed.map(async (resume) => {
      await schedules.arm(resume);
      await schedules.arm({ ...resume, dueAt: inSeconds(5_000) });
    }),
  );
  expect(await schedules.list(KEY)).toEqual(armed);
  await Promise.all(seqs.map((seq) => schedules.disarm(KEY, seq)));
  expect(await schedules.list(KEY)).toEqual([]);
});

test("a schedule that fires or is called off while it is listed is left out", async () => {
  const { options, schedules } = await made();
  await schedules.arm(resumeIn(90));
  await schedules.arm({ ...resumeIn(90), seq: 2 });
  const client = newClient();
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const answer = await next(args);
      if (context.commandName === "ListSchedulesCommand") await schedules.disarm(KEY, 1);
      return answer;
    },
    { step: "initialize", name: "callOff" },
  );
  const listed = await createResumeSchedules({ ...options, client }).list(KEY);
  expect(listed.map(({ seq }) => seq)).toEqual([2]);
});

test("what is under a session's name and no resume is told, not passed over", async () => {
  const { group, schedules, queues } = await made();
  await newClient().send(
    new CreateScheduleCommand({
      Name: scheduleName(KEY, 7),
      GroupName: group,
      ScheduleExpression: "at(2030-01-01T00:00:00)",
      FlexibleTimeWindow: { Mode: "OFF" },
      Target: {
        Arn: queues.queueArn,
        RoleArn: ROLE,
        Input: '{"kind":"other"}',
        SqsParameters: { MessageGroupId: "g" },
      },
    }),
  );
  await expect(schedules.list(KEY)).rejects.toMatchObject({
    name: "ResumeScheduleError",
    operation: "GetSchedule",
    scheduleName: scheduleName(KEY, 7),
    cause: { name: "NoCommandError" },
  });
});

test.each([
  ["CreateSchedule", (schedules: ReturnType<typeof createResumeSchedules>) => schedules.arm(resumeIn(90))],
  ["DeleteSchedule", (schedules: ReturnType<typeof createResumeSchedules>) => schedules.disarm(KEY, 1)],
  ["ListSchedules", (schedules: ReturnType<typeof createResumeSchedules>) => schedules.list(KEY)],
])("%s failing for good names operation and schedule, and keeps its cause", async (operation, run) => {
  const client = newClient();
  refuse(client, `${operation}Command`);
  const { schedules } = await made(client);
  await expect(run(schedules)).rejects.toMatchObject({
    name: "ResumeScheduleError",
    operation,
    scheduleName: expect.stringMatching(/^r-[0-9a-f]{40}-1?$/),
    cause: { name: "AccessDeniedException" },
  });
});

test("a FIFO queue for dead letters is refused at once, as Scheduler would refuse it with every schedule", async () => {
  const { options } = await made();
  expect(() => createResumeSchedules({ ...options, deadLetterQueueArn: `${LETTERS}.fifo` })).toThrow(
    /takes a standard one alone/,
  );
});

test("a time that is none is refused", async () => {
  const { schedules } = await made();
  await expect(schedules.arm({ ...resumeIn(90), dueAt: "soon" })).rejects.toThrow(RangeError);
});
