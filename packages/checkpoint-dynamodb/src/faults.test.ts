import { uuid6 } from "@langchain/langgraph-checkpoint";
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CheckpointStorageError } from "./errors.ts";
import { all, Conversation } from "./testing-fixtures/conversation.ts";
import { type Database, startDatabase } from "./testing-fixtures/database.ts";
import { failAfter, injectFaults, refuseBatches } from "./testing-fixtures/faults.ts";
import { prose, seeded } from "./testing-fixtures/prose.ts";

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

const manyValues = (random: () => number) =>
  Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`channel-${at}`, prose(random, 2_000)]));

describe("AWS-009 unprocessed items", () => {
  test("AWS-009 five times unprocessed: all stored", { timeout: 30_000 }, async () => {
    const client = database.newClient();
    refuseBatches(client, 5);
    const keyPrefix = uuid6(0);
    const conversation = new Conversation(database.newSaver({ client, keyPrefix }));
    await conversation.put(manyValues(seeded(1)));
    const read = await conversation.latest(database.newSaver({ keyPrefix }));
    expect(read?.checkpoint.channel_values).toEqual(conversation.values);
  });

  test("AWS-009 unprocessed for ever: an error naming operation, table and thread", {
    timeout: 30_000,
  }, async () => {
    const client = database.newClient();
    refuseBatches(client, Number.POSITIVE_INFINITY);
    const conversation = new Conversation(database.newSaver({ client }), "the-thread");
    const putting = conversation.put(manyValues(seeded(1)));
    await expect(putting).rejects.toThrow(CheckpointStorageError);
    await expect(putting).rejects.toMatchObject({
      operation: "BatchWriteItem",
      tableName: database.tableName,
      threadId: "the-thread",
      message: expect.stringMatching(
        /BatchWriteItem on table "checkpoints-.*" failed for thread "the-thread"/,
      ),
    });
    expect(await conversation.latest(database.newSaver())).toBeUndefined();
  });
});

test("an error that stays names operation, table and thread, and keeps its cause", async () => {
  const client = database.newClient();
  failAfter(client, "QueryCommand", 0);
  const reading = new Conversation(database.newSaver({ client }), "the-thread").latest();
  await expect(reading).rejects.toMatchObject({
    name: "CheckpointStorageError",
    operation: "Query",
    tableName: database.tableName,
    threadId: "the-thread",
    cause: expect.objectContaining({ name: "AccessDeniedException" }),
  });
});

test.each(["BatchWriteItemCommand", "PutItemCommand"])(
  "a writer cut off at %s leaves the thread as it was",
  { timeout: 30_000 },
  async (command) => {
    const keyPrefix = uuid6(0);
    const before = new Conversation(database.newSaver({ keyPrefix }), "thread");
    await before.put({ name: "before" });
    const client = database.newClient();
    failAfter(client, command, 0);
    const cut = new Conversation(database.newSaver({ client, keyPrefix }), "thread");
    cut.config = before.config;
    await expect(cut.put(manyValues(seeded(2)))).rejects.toThrow(CheckpointStorageError);
    const reader = database.newSaver({ keyPrefix });
    expect((await before.latest(reader))?.checkpoint.channel_values).toEqual({ name: "before" });
    expect((await all(reader.list({ configurable: { thread_id: "thread" } }))).length).toBe(1);
  },
);

test("a fifth of all requests disturbed: nothing lost, nothing doubled", { timeout: 120_000 }, async () => {
  const random = seeded(20);
  const keyPrefix = uuid6(0);
  const client = database.newClient({ retryStrategy: new ConfiguredRetryStrategy(12, () => 2) });
  injectFaults(client, random, 0.2);
  const disturbed = () => database.newSaver({ client, keyPrefix, fence: () => 3 });
  let conversation = new Conversation(disturbed());
  const messages: unknown[] = [];
  for (let step = 0; step < 60; step += 1) {
    for (let at = 0; at < 6; at += 1) messages.push({ id: `${step}-${at}`, content: prose(random, 700) });
    await conversation.put({ messages: [...messages], draft: prose(random, 3_000) });
    await conversation.saver.putWrites(
      conversation.config,
      [
        ["out", step],
        ["large", prose(random, 20_000)],
      ],
      "task",
    );
    const latest = await conversation.latest(disturbed());
    expect(latest?.checkpoint.channel_values).toEqual(conversation.values);
    expect(latest?.pendingWrites?.map(([, channel]) => channel)).toEqual(["out", "large"]);
  }
  const listed = await all(disturbed().list({ configurable: { thread_id: conversation.threadId } }));
  expect(listed.map(({ metadata }) => metadata?.step)).toEqual(
    Array.from({ length: 60 }, (_, at) => 59 - at),
  );
  await conversation.saver.deleteThread(conversation.threadId);
  conversation = new Conversation(database.newSaver({ keyPrefix }), conversation.threadId);
  expect(await conversation.latest()).toBeUndefined();
  const left = (await database.scan(database.tableName)).filter((item) => item.pk?.S?.startsWith(keyPrefix));
  expect(left).toEqual([]);
});
