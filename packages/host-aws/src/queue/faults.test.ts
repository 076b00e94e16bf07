import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { expect, test } from "vitest";
import { seeded } from "../../../checkpoint-dynamodb/src/testing-fixtures/prose.ts";
import { replyMessage } from "../testing-fixtures/commands.ts";
import { disturb, refuse } from "../testing-fixtures/disturbances.ts";
import { loseFirstAnswer } from "../testing-fixtures/lost-answer.ts";
import { type TestQueues, useSqsServer } from "../testing-fixtures/sqs-server.ts";
import { createSqsTurnQueue } from "./turn-queue.ts";

const server = useSqsServer();
const PATIENT = { retryStrategy: new ConfiguredRetryStrategy(12, () => 2) };

function disturbed(queues: TestQueues, random: () => number) {
  const client = queues.newClient(PATIENT);
  disturb(client, random, 0.2);
  return createSqsTurnQueue({ ...queues, client });
}

test("a fifth of all requests disturbed, each command sent twice: all carried out once, in order", {
  timeout: 120_000,
}, async () => {
  const queues = await server.queues();
  const random = seeded(3);
  const senders = [disturbed(queues, random), disturbed(queues, random)];
  const sessions = ["a", "b", "c/ü", "d"];
  const each = 15;
  await Promise.all(
    sessions.map(async (session) => {
      for (let at = 0; at < each; at += 1)
        for (const sender of senders) await sender.enqueue(replyMessage(session, `${session}-${at}`));
    }),
  );
  const carriedOut: Record<string, string[]> = {};
  const seen = new Map<string, number>();
  const worker = disturbed(queues, random);
  let total = 0;
  while (total < sessions.length * each) {
    const delivery = await worker.receive();
    if (delivery === null) {
      // An answer that was lost has left a message in nobody's hand: it is shown again.
      await server.advance(31_000);
      continue;
    }
    const { commandId, sessionId } = delivery.message.command;
    const times = (seen.get(commandId) ?? 0) + 1;
    seen.set(commandId, times);
    if (times === 1 && random() < 0.3) await delivery.retryAt(server.clock.now() + 1_000);
    else {
      await delivery.done();
      carriedOut[sessionId] = [...(carriedOut[sessionId] ?? []), commandId];
      total += 1;
    }
  }
  for (const session of sessions)
    expect(carriedOut[session]).toEqual(Array.from({ length: each }, (_, at) => `${session}-${at}`));
  await server.advance(3_600_000);
  expect(await worker.receive()).toBeNull();
});

test("through the disturbance every dead letter is kept once, and put back once", {
  timeout: 120_000,
}, async () => {
  const queues = await server.queues();
  const queue = disturbed(queues, seeded(5));
  const count = 20;
  for (let at = 0; at < count; at += 1) await queue.enqueue(replyMessage(`s-${at}`, `c-${at}`));
  let aside = 0;
  while (aside < count) {
    const delivery = await queue.receive();
    if (delivery === null) await server.advance(31_000);
    else {
      await delivery.deadLetter("all of them");
      aside += 1;
    }
  }
  let back = 0;
  while (back < count) {
    back += await queue.redrive(count);
    await server.advance(31_000);
  }
  expect(back).toBe(count);
  const ids: string[] = [];
  while (ids.length < count) {
    const delivery = await queue.receive();
    if (delivery === null) await server.advance(31_000);
    else {
      ids.push(delivery.message.command.commandId);
      await delivery.done();
    }
  }
  expect(new Set(ids).size).toBe(count);
  await server.advance(3_600_000);
  expect(await queue.receive()).toBeNull();
});

test("a sending whose answer was lost is sent again and is one message", async () => {
  const queues = await server.queues();
  const client = queues.newClient(PATIENT);
  loseFirstAnswer(client, "SendMessageCommand");
  const queue = createSqsTurnQueue({ ...queues, client });
  await queue.enqueue(replyMessage("s", "1"));
  await (await queue.receive())?.done();
  expect(await queue.receive()).toBeNull();
});

test("a removal whose answer was lost is a removal", async () => {
  const queues = await server.queues();
  const client = queues.newClient(PATIENT);
  loseFirstAnswer(client, "DeleteMessageCommand");
  const queue = createSqsTurnQueue({ ...queues, client });
  await queue.enqueue(replyMessage("s", "1"));
  await (await queue.receive())?.done();
  await server.advance(31_000);
  expect(await queue.receive()).toBeNull();
});

test.each([
  ["SendMessage", "SendMessageCommand"],
  ["ReceiveMessage", "ReceiveMessageCommand"],
  ["DeleteMessage", "DeleteMessageCommand"],
  ["ChangeMessageVisibility", "ChangeMessageVisibilityCommand"],
])("%s failing for good names operation and queue, and keeps its cause", async (operation, command) => {
  const queues = await server.queues();
  await createSqsTurnQueue(queues).enqueue(replyMessage("s", "1"));
  const client = queues.newClient();
  refuse(client, command);
  const queue = createSqsTurnQueue({ ...queues, client });
  const run = async () => {
    await queue.enqueue(replyMessage("t", "2"));
    const delivery = await queue.receive();
    await delivery?.retryAt(0);
    await (await queue.receive())?.done();
  };
  await expect(run()).rejects.toMatchObject({
    name: "TurnQueueStorageError",
    operation,
    resource: queues.queueUrl,
    message: `${operation} on "${queues.queueUrl}" failed: AccessDeniedException: injected AccessDeniedException`,
    cause: { name: "AccessDeniedException" },
  });
});
