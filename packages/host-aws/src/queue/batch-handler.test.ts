import type { QueueDelivery } from "@archmax-ai/host";
import { expect, test } from "vitest";
import { replyMessage } from "../testing-fixtures/commands.ts";
import { refuse } from "../testing-fixtures/disturbances.ts";
import { type TestQueues, useSqsServer } from "../testing-fixtures/sqs-server.ts";
import { createQueueHandler, type SqsRecord, sqsDelivery, sqsRecordSchema } from "./batch-handler.ts";
import { NoQueueEventError } from "./errors.ts";
import { scheduledText } from "./message-body.ts";
import { createSqsTurnQueue } from "./turn-queue.ts";

const server = useSqsServer();

interface Settled {
  queues: TestQueues;
  /** What Lambda would keep, by message id. */
  kept: string[];
  ids: string[];
  handled: string[];
}

/** Hands the queue's messages to a handler that settles each as told. */
async function handled(
  queues: TestQueues,
  settle: (delivery: QueueDelivery) => Promise<void>,
  event?: { Records: object[] },
): Promise<Settled> {
  const given = event ?? (await queues.handOver());
  const ids: string[] = [];
  const handle = async (delivery: QueueDelivery) => {
    ids.push(delivery.message.command.commandId);
    await settle(delivery);
  };
  const answer = await createQueueHandler({ ...queues, handle })(given);
  return {
    queues,
    kept: answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
    ids: given.Records.map((record) => (record as SqsRecord).messageId),
    handled: ids,
  };
}

async function withOne(): Promise<TestQueues> {
  const queues = await server.queues();
  await createSqsTurnQueue(queues).enqueue(replyMessage("s", "1"));
  return queues;
}

test("a message that is done, or put aside, is out of the queue and no failure", async () => {
  for (const settle of [
    (delivery: QueueDelivery) => delivery.done(),
    (delivery: QueueDelivery) => delivery.deadLetter("no"),
  ]) {
    const queues = await withOne();
    expect(await handled(queues, settle)).toMatchObject({ kept: [], handled: ["1"] });
    await server.advance(31_000);
    expect(await queues.look(queues.queueUrl)).toEqual([]);
  }
});

test("HOST-028 a message that waits is reported as failed, shown at its time, and holds its group", async () => {
  const queues = await withOne();
  const first = await handled(queues, (delivery) => delivery.retryAt(server.clock.now() + 90_000));
  expect(first.kept).toEqual(first.ids);
  await createSqsTurnQueue(queues).enqueue(replyMessage("s", "2"));
  await server.advance(85_000);
  expect((await queues.handOver()).Records).toEqual([]);
  await server.advance(6_000);
  const again = await handled(queues, (delivery) => delivery.done());
  expect(again.kept).toEqual([]);
  expect(again.handled[0]).toBe("1");
});

test("HOST-028 six hundred rounds of waiting put no message aside", async () => {
  const queues = await withOne();
  for (let round = 0; round < 600; round += 1) {
    const { kept } = await handled(queues, (delivery) => delivery.retryAt(server.clock.now() + 2_000));
    expect(kept).toHaveLength(1);
    await server.advance(2_500);
  }
  expect(await queues.look(queues.deadLetterQueueUrl)).toEqual([]);
  expect(await handled(queues, (delivery) => delivery.done())).toMatchObject({ kept: [], handled: ["1"] });
}, 60_000);

test("a handler that fails, or settles nothing, loses nothing: the message comes again after five seconds", async () => {
  for (const settle of [() => Promise.reject(new Error("no database")), () => Promise.resolve()]) {
    const queues = await withOne();
    const { kept, ids } = await handled(queues, settle);
    expect(kept).toEqual(ids);
    await server.advance(4_000);
    expect((await queues.handOver()).Records).toEqual([]);
    await server.advance(1_500);
    expect(await handled(queues, (delivery) => delivery.done())).toMatchObject({ kept: [], ids });
  }
});

test("a message that could not be settled is reported as failed and told in the log, without its text", async () => {
  const queues = await withOne();
  const client = queues.newClient();
  refuse(client, "DeleteMessageCommand");
  refuse(client, "ChangeMessageVisibilityCommand");
  const lines: unknown[][] = [];
  const handler = createQueueHandler({
    ...queues,
    client,
    logger: {
      info() {},
      warn: (...line) => lines.push(line),
      error: (...line) => lines.push(line),
    },
    handle: (delivery) => delivery.done(),
  });
  const event = await queues.handOver();
  expect((await handler(event)).batchItemFailures).toHaveLength(1);
  const unset = "the time at which a message is shown again could not be set";
  expect(lines.map(([message]) => message)).toEqual([
    unset,
    "a queued command could not be carried out",
    unset,
  ]);
  expect(lines[1]?.[1]).toMatchObject({ kind: "reply", tenant: "acme", sessionId: "s", turnId: "t-1" });
  expect(JSON.stringify(lines)).not.toContain("hello");
});

test("behind a message that stays nothing of its group is carried out; other groups are", async () => {
  const queues = await server.queues();
  const queue = createSqsTurnQueue(queues);
  for (const [session, id] of [
    ["a", "1"],
    ["b", "2"],
  ] as const)
    await queue.enqueue(replyMessage(session, id));
  const { Records } = await queues.handOver();
  const [first, other] = Records as [SqsRecord, SqsRecord];
  // The servers hand out one of a group at a time; Lambda may hand over several.
  const second = { ...first, messageId: "second", receiptHandle: "none" };
  const settled = await handled(
    queues,
    (delivery) =>
      delivery.message.command.commandId === "1"
        ? delivery.retryAt(server.clock.now() + 10_000)
        : delivery.done(),
    { Records: [first, second, other] },
  );
  expect(settled).toMatchObject({ handled: ["1", "2"], kept: [first.messageId, "second"] });
});

test("what is no command is put aside and no failure; a schedule's text is its park's resume", async () => {
  const queues = await server.queues();
  await queues.sendText("{}", "a");
  const resume = {
    tenant: "acme",
    workflow: "desk",
    sessionId: "s",
    seq: 2,
    dueAt: "2026-01-01T00:01:30.000Z",
  };
  await queues.sendText(scheduledText(resume), "acme#s#due");
  const { Records } = await queues.handOver();
  expect(await handled(queues, (delivery) => delivery.done(), { Records })).toMatchObject({
    kept: [],
    handled: ["resume:acme:s:2"],
  });
  expect(await queues.look(queues.deadLetterQueueUrl)).toHaveLength(1);
  await server.advance(31_000);
  expect((await queues.handOver()).Records).toEqual([]);
});

test("the invocation's end is handed on as the deadline", async () => {
  const queues = await withOne();
  let deadline: number | undefined;
  const handler = createQueueHandler({
    ...queues,
    async handle(delivery, options) {
      deadline = options.deadline;
      await delivery.done();
    },
  });
  const before = server.clock.now();
  await handler(await queues.handOver(), { getRemainingTimeInMillis: () => 60_000 });
  expect((deadline ?? 0) - before).toBeGreaterThanOrEqual(60_000);
  expect((deadline ?? 0) - before).toBeLessThan(70_000);
});

test("an event of another source is refused whole", async () => {
  const handler = createQueueHandler({ ...(await server.queues()), handle: async () => {} });
  for (const event of [null, {}, { Records: [{ s3: {} }] }])
    await expect(handler(event)).rejects.toThrow(NoQueueEventError);
});

test("a single record is made a delivery, which says what became of it", async () => {
  const queues = await withOne();
  const { Records } = await queues.handOver();
  const record = sqsRecordSchema.parse(Records[0]);
  const delivery = await sqsDelivery(record, queues);
  expect(delivery).toMatchObject({
    message: replyMessage("s", "1"),
    enqueuedAt: record.attributes.SentTimestamp,
    outcome: "in-hand",
  });
  expect(Math.abs(record.attributes.SentTimestamp - server.clock.now())).toBeLessThan(10_000);
  await delivery?.retryAt(0);
  expect(delivery?.outcome).toBe("kept");
});

test("a wait longer than SQS allows is shown in between", async () => {
  const queues = await withOne();
  await handled(queues, (delivery) => delivery.retryAt(server.clock.now() + 30 * 86_400_000));
  await server.advance(41_999_000);
  expect((await queues.handOver()).Records).toEqual([]);
  await server.advance(2_000);
  expect((await queues.handOver()).Records).toHaveLength(1);
});

/** A handler whose clock's tasks the test runs itself, and that is held up until it is let go on. */
async function heldUp() {
  const queues = await server.queues({ VisibilityTimeout: "960" });
  await createSqsTurnQueue(queues).enqueue(replyMessage("s", "1"));
  const tasks = new Set<() => void>();
  const clock = {
    now: server.clock.now,
    after(_delayMs: number, task: () => void) {
      tasks.add(task);
      return () => {
        tasks.delete(task);
      };
    },
  };
  const goOn = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const handler = createQueueHandler({
    ...queues,
    clock,
    async handle(delivery) {
      begun.resolve();
      await goOn.promise;
      await delivery.retryAt(server.clock.now() + 2_000);
    },
  });
  const answer = handler(await queues.handOver());
  await begun.promise;
  const minute = async () => {
    for (const task of [...tasks]) {
      tasks.delete(task);
      task();
    }
    // Whatever the renewal sent has arrived.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await server.advance(60_000);
  };
  return { queues, answer, minute, tasks, goOn: goOn.resolve };
}

test("HOST-028 a message is held for as long as its turn takes, and let go when that is settled", async () => {
  const { queues, answer, minute, tasks, goOn } = await heldUp();
  for (let minutes = 0; minutes < 20; minutes += 1) {
    await minute();
    expect((await queues.handOver()).Records).toEqual([]);
  }
  goOn();
  expect((await answer).batchItemFailures).toHaveLength(1);
  expect(tasks.size).toBe(0);
  await server.advance(2_500);
  expect((await queues.handOver()).Records).toHaveLength(1);
});

test("HOST-012 a worker that dies holds its session up for a minute and a half, not for the queue's sixteen", async () => {
  const { queues, minute } = await heldUp();
  await minute();
  await server.advance(29_000);
  expect((await queues.handOver()).Records).toEqual([]);
  await server.advance(2_000);
  expect((await queues.handOver()).Records).toHaveLength(1);
});
