import type { QueueMessage } from "@archmax-ai/host";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { replyMessage } from "../testing-fixtures/commands.ts";
import { refuse } from "../testing-fixtures/disturbances.ts";
import { type TestQueues, useSqsServer } from "../testing-fixtures/sqs-server.ts";
import { referredText } from "./message-body.ts";
import { createSqsTurnQueue, MAX_TEXT_BYTES } from "./turn-queue.ts";

const server = useSqsServer();

/** A message whose text takes this many bytes. */
function messageOf(bytes: number, id = "c-1"): QueueMessage {
  const empty = JSON.stringify(replyMessage("s", id, ""));
  return replyMessage("s", id, "x".repeat(bytes - empty.length));
}

test("a message of 250,000 bytes travels whole; one more byte makes it an object of its tenant", async () => {
  const queues = await server.queues();
  const queue = createSqsTurnQueue({ ...queues, newId: () => "id-1" });
  await queue.enqueue(messageOf(MAX_TEXT_BYTES));
  expect(await queues.objects()).toEqual([]);
  await (await queue.receive())?.done();
  await queue.enqueue(messageOf(MAX_TEXT_BYTES + 1, "c-2"));
  expect(await queues.objects()).toEqual(["tenants/acme/overflow/commands/id-1"]);
  const delivery = await queue.receive();
  expect(delivery?.message).toEqual(messageOf(MAX_TEXT_BYTES + 1, "c-2"));
  await delivery?.done();
  expect(await queues.objects()).toEqual([]);
});

test("the object stays while its message waits or is put aside, and goes when it is done", async () => {
  const queues = await server.queues();
  const queue = createSqsTurnQueue(queues);
  await queue.enqueue(messageOf(400_000));
  await (await queue.receive())?.retryAt(server.clock.now());
  await (await queue.receive())?.deadLetter("later");
  expect(await queues.objects()).toHaveLength(1);
  await queue.redrive(1);
  const delivery = await queue.receive();
  expect(delivery?.message).toEqual(messageOf(400_000));
  await delivery?.done();
  expect(await queues.objects()).toEqual([]);
});

test("the same command sent again while it waits has an object of its own", async () => {
  const queues = await server.queues();
  const queue = createSqsTurnQueue(queues);
  await queue.enqueue(messageOf(400_000));
  await (await queue.receive())?.retryAt(server.clock.now() + 3_600_000);
  await server.advance(5 * 60_000 + 1_000);
  await queue.enqueue(messageOf(400_000));
  expect(await queues.objects()).toHaveLength(2);
  await server.advance(3_600_000);
  await (await queue.receive())?.done();
  const second = await queue.receive();
  expect(second?.message).toEqual(messageOf(400_000));
  await second?.done();
  expect(await queues.objects()).toEqual([]);
});

test("a message whose object is gone is put aside", async () => {
  const queues = await server.queues();
  const queue = createSqsTurnQueue({ ...queues, newId: () => "id-1" });
  const { client, bucket } = queues.overflow;
  await queue.enqueue(messageOf(400_000));
  const Key = "tenants/acme/overflow/commands/id-1";
  await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
  expect(await queue.receive()).toBeNull();
  expect(await reasonsOf(queues)).toEqual(["The object that kept the message's command is gone."]);
});

test("a message that refers to another tenant's object is put aside", async () => {
  const queues = await server.queues();
  const { client, bucket } = queues.overflow;
  const Key = "tenants/globex/overflow/commands/1";
  const { command } = replyMessage("s", "c-2");
  await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: JSON.stringify(command) }));
  await queues.sendText(referredText({ group: "acme#s", deduplicationId: "c-2", overflow: Key }));
  expect(await createSqsTurnQueue(queues).receive()).toBeNull();
  expect(await reasonsOf(queues)).toEqual(["The message refers to an object of another tenant."]);
});

async function reasonsOf(queues: TestQueues): Promise<(string | undefined)[]> {
  const letters = await queues.look(queues.deadLetterQueueUrl);
  return letters.map(({ MessageAttributes }) => MessageAttributes?.reason?.StringValue);
}

test("a store that is down loses nothing: the message is shown again", async () => {
  const queues = await server.queues();
  const queue = createSqsTurnQueue(queues);
  await queue.enqueue(messageOf(400_000));
  const sendings = refusals();
  refuse(queues.overflow.client, "GetObjectCommand", sendings.isRefused);
  await expect(queue.receive()).rejects.toMatchObject({
    name: "TurnQueueStorageError",
    operation: "GetObject",
    resource: queues.overflow.bucket,
    cause: { name: "AccessDeniedException" },
  });
  sendings.end();
  await server.advance(31_000);
  expect((await queue.receive())?.message).toEqual(messageOf(400_000));
});

test("an object that cannot be removed is left to the bucket's rule, and the message is done", async () => {
  const queues = await server.queues();
  const warned: unknown[] = [];
  const logger = { info() {}, error() {}, warn: (...line: unknown[]) => warned.push(line) };
  const queue = createSqsTurnQueue({ ...queues, logger });
  await queue.enqueue(messageOf(400_000));
  refuse(queues.overflow.client, "DeleteObjectCommand");
  await (await queue.receive())?.done();
  expect(warned).toEqual([
    [
      "the object of a message that is done could not be removed",
      { tenant: "acme", cause: "TurnQueueStorageError" },
    ],
  ]);
  await server.advance(31_000);
  expect(await queue.receive()).toBeNull();
});

function refusals() {
  let isOn = true;
  return {
    isRefused: () => isOn,
    end: () => {
      isOn = false;
    },
  };
}
