import { expect, test } from "vitest";
import { replyMessage } from "../testing-fixtures/commands.ts";
import { refuse } from "../testing-fixtures/disturbances.ts";
import { type TestQueues, useSqsServer } from "../testing-fixtures/sqs-server.ts";
import { TurnQueueStorageError } from "./errors.ts";
import { createSqsTurnQueue } from "./turn-queue.ts";

const server = useSqsServer();

async function lettersOf(queues: TestQueues): Promise<string[]> {
  const letters = await queues.look(queues.deadLetterQueueUrl);
  return letters.map(({ MessageAttributes }) => MessageAttributes?.reason?.StringValue ?? "");
}

test("what is no command is put aside with its reason, holds up nothing, and comes back where it was", async () => {
  const queues = await server.queues();
  const warned: unknown[] = [];
  const logger = { info() {}, warn() {}, error: (...line: unknown[]) => warned.push(line) };
  const queue = createSqsTurnQueue({ ...queues, logger });
  await queues.sendText("the secret word", "acme#s");
  await queue.enqueue(replyMessage("s", "1"));
  const delivery = await queue.receive();
  expect(delivery?.message).toEqual(replyMessage("s", "1"));
  await delivery?.done();
  expect(await lettersOf(queues)).toEqual(["The message is no command: its text is no JSON."]);
  expect(JSON.stringify(warned)).not.toContain("secret");
  expect(warned).toHaveLength(1);
  expect(await queue.redrive(10)).toBe(1);
  const [back] = await queues.look(queues.queueUrl);
  expect(back).toMatchObject({ Body: "the secret word", Attributes: { MessageGroupId: "acme#s" } });
  expect(await queue.receive()).toBeNull();
  expect(await lettersOf(queues)).toHaveLength(1);
});

test("dead letters are put back oldest first, as many as asked for, each into its group", async () => {
  const queues = await server.queues();
  const queue = createSqsTurnQueue(queues);
  const order = ["s/ü-1", "b-2", "s/ü-3", "c-4", "b-5"];
  for (const each of order) {
    await queue.enqueue(replyMessage(each.slice(0, -2), each));
    await (await queue.receive())?.deadLetter("of no use");
  }
  expect(await queue.redrive(0)).toBe(0);
  expect(await queue.redrive(2)).toBe(2);
  const first = [await queue.receive(), await queue.receive()];
  expect(first.map((delivery) => delivery?.message.command.commandId)).toEqual(order.slice(0, 2));
  expect(await queue.receive()).toBeNull();
  expect(await queue.redrive(10)).toBe(3);
  // Two of the three wait behind those in hand.
  expect((await queue.receive())?.message.command.commandId).toBe("c-4");
  expect(await queue.receive()).toBeNull();
});

test("a command put back and put aside again, at once and more than once, is never swallowed", async () => {
  const queues = await server.queues();
  const queue = createSqsTurnQueue(queues);
  await queue.enqueue(replyMessage("s", "1"));
  for (const round of ["first", "second", "third"]) {
    await (await queue.receive())?.deadLetter(round);
    expect(await lettersOf(queues)).toEqual([round]);
    expect(await queue.redrive(1)).toBe(1);
  }
  const delivery = await queue.receive();
  expect(delivery?.message).toEqual(replyMessage("s", "1"));
  await delivery?.done();
});

test("cut off between the two steps, a letter is still one letter, and put back it is one message", async () => {
  const queues = await server.queues();
  const queue = createSqsTurnQueue(queues);
  await queue.enqueue(replyMessage("s", "1"));
  const client = queues.newClient();
  refuse(client, "DeleteMessageCommand");
  const cut = createSqsTurnQueue({ ...queues, client });
  await expect((await cut.receive())?.deadLetter("once")).rejects.toThrow(TurnQueueStorageError);
  await server.advance(31_000);
  await (await queue.receive())?.deadLetter("twice");
  expect(await lettersOf(queues)).toEqual(["once"]);
  await expect(cut.redrive(1)).rejects.toMatchObject({ operation: "DeleteMessage" });
  await server.advance(31_000);
  expect(await queue.redrive(10)).toBe(1);
  await (await queue.receive())?.done();
  expect(await queue.receive()).toBeNull();
});

test("a reason of any length and characters is kept as far as SQS takes it", async () => {
  const queues = await server.queues();
  const queue = createSqsTurnQueue(queues);
  const reasons = ["", `a\u0000b\ufffe${"é".repeat(5_000)}`, `${"x".repeat(999)}🙂`];
  for (const [at, reason] of reasons.entries()) {
    await queue.enqueue(replyMessage("s", `c-${at}`, "y".repeat(249_000)));
    await (await queue.receive())?.deadLetter(reason);
    const [kept] = await lettersOf(queues);
    expect(kept).toBe(["No reason was given.", `a b ${"é".repeat(996)}`, `${"x".repeat(999)}\ufffd`][at]);
    await queue.redrive(1);
    await (await queue.receive())?.done();
  }
});
