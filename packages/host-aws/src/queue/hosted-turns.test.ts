/** The host's turns on SQS, Scheduler and EventBridge: the worker as Lambda runs it, batch by batch. */
import {
  type Command,
  createCommandWorker,
  createTurnRunner,
  isoInstant,
  resumeMessage,
  silentLogger,
  sweep,
} from "@archmax-ai/host";
import { afterEach, describe, expect, test } from "vitest";
import { completes, createFakeAgents, waitsUntil } from "../../../host/src/testing-fixtures/fake-agents.ts";
import { createMemoryRecords } from "../../../host/src/testing-fixtures/memory-records.ts";
import { createMemoryEventLog } from "../../../host/src/testing-fixtures/memory-stores.ts";
import { createEventBridgePublisher } from "../events/publisher.ts";
import { createResumeSchedules } from "../schedules/resume-schedules.ts";
import { refuse } from "../testing-fixtures/disturbances.ts";
import { startTestBus, type TestBus } from "../testing-fixtures/event-bus.ts";
import { useScheduler } from "../testing-fixtures/scheduler.ts";
import { ON_MOTO, useSqsServer } from "../testing-fixtures/sqs-server.ts";
import { createQueueHandler } from "./batch-handler.ts";
import { scheduledText } from "./message-body.ts";
import { createSqsTurnQueue } from "./turn-queue.ts";

const server = useSqsServer();
const scheduler = useScheduler(server);
const buses: TestBus[] = [];
afterEach(async () => {
  for (const bus of buses.splice(0)) await bus.close();
});

const key = { tenant: "acme", sessionId: "s/1 ü" };
const addressed = { ...key, workflow: "desk" };
const send = (id: string): Command => ({
  kind: "send",
  ...addressed,
  turnId: id,
  commandId: id,
  message: "m",
});
const deliver = (id: string): Command => ({
  kind: "deliver",
  ...addressed,
  turnId: id,
  commandId: id,
  trigger: { id: "mail" },
});

async function hostOnAws() {
  const bus = await startTestBus();
  buses.push(bus);
  const queues = await server.queues();
  const { clock } = server;
  const schedulerClient = scheduler.newClient();
  const ports = {
    agents: createFakeAgents(),
    records: createMemoryRecords(),
    queue: createSqsTurnQueue(queues),
    scheduler: createResumeSchedules(await scheduler.options(queues, schedulerClient)),
    publisher: createEventBridgePublisher({
      client: bus.newClient({ maxAttempts: 1 }),
      busName: bus.busName,
    }),
    eventLog: createMemoryEventLog(),
    clock,
    logger: silentLogger,
    newId: () => crypto.randomUUID(),
  };
  const runner = createTurnRunner(ports);
  const { handle } = createCommandWorker({ runner, records: ports.records, clock, logger: silentLogger });
  const handler = createQueueHandler({ ...queues, handle });
  return {
    ...ports,
    bus,
    queues,
    runner,
    schedulerClient,
    at: (offsetMs: number) => isoInstant(Math.ceil(clock.now() / 1_000) * 1_000 + offsetMs),
    record: async () => (await ports.records.get(key))?.record,
    sweep: () => sweep({ ...ports, finishDeletion: async () => {} }),
    /** Invokes the worker with what the queue has now, until it has nothing; how often, and what it kept. */
    async work() {
      let invocations = 0;
      let kept = 0;
      for (;;) {
        const event = await queues.handOver();
        if (event.Records.length === 0) return { invocations, kept };
        invocations += 1;
        kept += (await handler(event)).batchItemFailures.length;
      }
    },
  };
}

describe.skipIf(ON_MOTO)("where schedules fire", () => {
  test("HOST-008 a wait of 90 s resumes by its schedule, whose second firing changes nothing", async () => {
    const host = await hostOnAws();
    const resumeAt = host.at(90_000);
    let delivered: unknown;
    host.agents.turns.push(waitsUntil(host.at(0), resumeAt), (input) => {
      delivered = input;
      return { kind: "completed", status: "completed" };
    });
    await host.runner.run(send("a"));
    const armed = { ...addressed, seq: 1, dueAt: resumeAt };
    expect(await host.scheduler.list(key)).toEqual([armed]);
    await scheduler.advance(89_000);
    expect(await host.work()).toEqual({ invocations: 0, kept: 0 });
    await scheduler.advance(1_000);
    expect(await host.work()).toEqual({ invocations: 1, kept: 0 });
    expect(delivered).toEqual({ delivery: { trigger: { id: "timer" }, variables: {} } });
    expect(await host.scheduler.list(key)).toEqual([]);
    const settled = await host.record();
    expect(settled).toMatchObject({ status: "completed" });
    await server.advance(6 * 60_000);
    await host.queues.sendText(scheduledText(armed), "due");
    expect(await host.work()).toEqual({ invocations: 1, kept: 0 });
    expect(await host.record()).toEqual(settled);
    expect(await host.queues.look(host.queues.deadLetterQueueUrl)).toEqual([]);
  });

  test("HOST-009 a delivery before the timer deletes the schedule, which fires no more", async () => {
    const host = await hostOnAws();
    host.agents.turns.push(waitsUntil(host.at(0), host.at(90_000)), completes);
    await host.runner.run(send("a"));
    await host.runner.run(deliver("b"));
    expect(await host.scheduler.list(key)).toEqual([]);
    await scheduler.advance(200_000);
    expect(await host.work()).toEqual({ invocations: 0, kept: 0 });
  });

  test("HOST-010 a schedule that could not be made is made by the sweep, and the session resumes once", async () => {
    const host = await hostOnAws();
    let isDown = true;
    refuse(host.schedulerClient, "CreateScheduleCommand", () => isDown);
    let resumed = 0;
    host.agents.turns.push(waitsUntil(host.at(0), host.at(150_000)), () => {
      resumed += 1;
      return { kind: "completed", status: "completed" };
    });
    await host.runner.run(send("a"));
    expect((await host.record())?.park?.armed).toBe(false);
    expect(await host.scheduler.list(key)).toEqual([]);
    isDown = false;
    await scheduler.advance(1_000);
    expect(await host.sweep()).toMatchObject({ armed: 1 });
    expect(await host.scheduler.list(key)).toHaveLength(1);
    await scheduler.advance(400_000);
    await host.sweep();
    await host.work();
    expect(resumed).toBe(1);
    expect(await host.record()).toMatchObject({ status: "completed" });
  });
});

test("HOST-029 a wait of 20 s and a delivery after 5 s: the delivery runs at once, the due message is stale", async () => {
  const host = await hostOnAws();
  host.agents.turns.push(waitsUntil(host.at(0), host.at(20_000)), completes);
  await host.runner.run(send("a"));
  expect(await host.work()).toEqual({ invocations: 1, kept: 1 });
  await server.advance(5_000);
  const command = deliver("b");
  await host.queue.enqueue({ group: `acme#${key.sessionId}`, deduplicationId: "b", command });
  expect(await host.work()).toEqual({ invocations: 1, kept: 0 });
  const settled = await host.record();
  expect(settled).toMatchObject({ status: "completed" });
  await server.advance(17_000);
  expect(await host.work()).toEqual({ invocations: 1, kept: 0 });
  expect(await host.record()).toEqual(settled);
});

test("HOST-028 a command waits out another's turn and runs once; one that fails five times is put aside", async () => {
  const host = await hostOnAws();
  const until = server.clock.now() + 600_000;
  await host.records.create({
    ...addressed,
    status: "running",
    createdAt: host.at(0),
    updatedAt: host.at(0),
    parkSeq: 0,
    leaseToken: 1,
    lease: { owner: "another", token: 1, until },
    attempts: {},
    carriedOut: [],
    unpublished: [],
  });
  await host.queue.enqueue({ group: `acme#${key.sessionId}`, deduplicationId: "a", command: send("a") });
  let turns = 0;
  host.agents.turns.push(() => {
    turns += 1;
    return { kind: "completed", status: "completed" };
  });
  while (server.clock.now() < until - 10_000) {
    expect(await host.work()).toEqual({ invocations: 1, kept: 1 });
    await server.advance(3_000);
  }
  await server.advance(15_000);
  expect(await host.work()).toEqual({ invocations: 1, kept: 0 });
  expect(turns).toBe(1);
  expect(await host.record()).toMatchObject({ status: "completed", attempts: {} });
  expect(await host.queues.look(host.queues.deadLetterQueueUrl)).toEqual([]);

  const fails = () => {
    throw new Error("the model is gone");
  };
  host.agents.turns.push(fails, fails, fails, fails, fails);
  await host.queue.enqueue({ group: `acme#${key.sessionId}`, deduplicationId: "b", command: send("b") });
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    expect(await host.work()).toEqual({ invocations: 1, kept: attempt < 5 ? 1 : 0 });
    await server.advance(60_000);
  }
  const reason = "Error: the model is gone";
  expect((await host.record())?.stalled).toMatchObject({ reason, commandId: "b" });
  const [letter] = await host.queues.look(host.queues.deadLetterQueueUrl);
  expect(letter?.MessageAttributes?.reason?.StringValue).toBe(reason);
  host.agents.turns.push(completes);
  expect(await host.queue.redrive(10)).toBe(1);
  expect(await host.work()).toEqual({ invocations: 1, kept: 0 });
  expect((await host.record())?.stalled).toBeUndefined();
}, 60_000);

test("HOST-022 a bus that is down does not touch the turn; the sweep publishes later, each event once per id", async () => {
  const host = await hostOnAws();
  const { publish } = host.publisher;
  host.publisher.publish = () => Promise.reject(new Error("down"));
  host.agents.turns.push(completes);
  expect(await host.runner.run(send("a"))).toMatchObject({ kind: "settled" });
  host.publisher.publish = publish;
  await server.advance(1_000);
  await host.sweep();
  await host.sweep();
  const received = await host.bus.received();
  expect(received.map(({ detail, ...event }) => [detail.id, event["detail-type"]])).toEqual([
    ["a-0", "SessionStarted"],
    ["a-1", "SessionCompleted"],
  ]);
});

test("a resume is one message, whether the schedule, the queue or the sweep sends it", async () => {
  const host = await hostOnAws();
  const resumeAt = host.at(20_000);
  let resumed = 0;
  host.agents.turns.push(waitsUntil(host.at(0), resumeAt), () => {
    resumed += 1;
    return { kind: "completed", status: "completed" };
  });
  await host.runner.run(send("a"));
  const resume = { ...addressed, seq: 1, dueAt: resumeAt };
  await host.queue.enqueue(resumeMessage(resume));
  await host.queues.sendText(scheduledText(resume), "due");
  await server.advance(150_000);
  await host.sweep();
  await host.work();
  expect(resumed).toBe(1);
  expect((await host.record())?.carriedOut.map(({ commandId }) => commandId)).toEqual([
    "a",
    `resume:acme:${key.sessionId}:1`,
  ]);
});
