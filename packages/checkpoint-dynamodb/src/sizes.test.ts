import { DeleteItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { uuid6 } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CheckpointCorruptError } from "./errors.ts";
import type { DynamoDBSaver } from "./saver.ts";
import { all, Conversation } from "./testing-fixtures/conversation.ts";
import { type Database, startDatabase } from "./testing-fixtures/database.ts";
import { newBucket } from "./testing-fixtures/objects.ts";
import { prose, seeded } from "./testing-fixtures/prose.ts";
import { countTraffic } from "./testing-fixtures/traffic.ts";

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

const message = (random: () => number, at: number, bytes: number) => ({
  id: `m${at}`,
  type: at % 2 === 0 ? "human" : "ai",
  content: prose(random, bytes),
});

/** Text that no codec makes much smaller. */
const noise = (random: () => number, characters: number): string =>
  Array.from({ length: characters }, () => String.fromCharCode(33 + Math.floor(random() * 90))).join("");

describe("AWS-002 a 20 MB messages channel", () => {
  const messages = () => {
    const random = seeded(2);
    const long = { id: "screenshot", type: "tool", content: noise(random, 4_000_000) };
    const rest = Array.from({ length: 800 }, (_, at) => ({ id: `m${at}`, content: noise(random, 20_000) }));
    return [...rest.slice(0, 5), long, ...rest.slice(5)];
  };

  const check = async (saver: DynamoDBSaver, fresh: DynamoDBSaver) => {
    const conversation = new Conversation(saver);
    const state = messages();
    expect(JSON.stringify(state).length).toBeGreaterThan(19_500_000);
    await conversation.put({ messages: state, title: "large" });
    state.push({ id: "last", content: "one more" });
    await conversation.put({ messages: state });
    const latest = await conversation.latest(fresh);
    expect(latest?.checkpoint.channel_values).toEqual({ messages: state, title: "large" });
    const listed = await all(fresh.list({ configurable: { thread_id: conversation.threadId } }));
    expect(listed.map(({ checkpoint }) => checkpoint.channel_values)).toEqual([
      { messages: state, title: "large" },
      { messages: state.slice(0, -1), title: "large" },
    ]);
  };

  test("AWS-002 without overflow: put, getTuple and list are equal", { timeout: 120_000 }, async () => {
    const options = { keyPrefix: "large" };
    await check(database.newSaver(options), database.newSaver(options));
  });

  test("AWS-002 with overflow to S3: put, getTuple and list are equal", { timeout: 120_000 }, async () => {
    const bucket = await newBucket();
    const options = { keyPrefix: "large-s3", overflow: { ...bucket, prefix: "checkpoints/" } };
    await check(database.newSaver(options), database.newSaver(options));
    const keys = await bucket.keys();
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.every((key) => key.startsWith("checkpoints/"))).toBe(true);
  });

  test("a large value that is no list, bytes among them", { timeout: 60_000 }, async () => {
    const random = seeded(3);
    const conversation = new Conversation(database.newSaver({ keyPrefix: "whole" }));
    const bytes = Uint8Array.from({ length: 1_000_000 }, () => Math.floor(random() * 256));
    await conversation.put({ files: { "/a.txt": noise(random, 1_500_000) }, bytes });
    const read = await conversation.latest(database.newSaver({ keyPrefix: "whole" }));
    expect(read?.checkpoint.channel_values).toEqual(conversation.values);
  });
});

test("AWS-003 bytes per step do not grow with the history", { timeout: 120_000 }, async () => {
  const client = database.newClient();
  const traffic = countTraffic(client);
  const conversation = new Conversation(database.newSaver({ client }));
  const random = seeded(4);
  const messages: unknown[] = [];
  const written: number[] = [];
  for (let step = 0; step < 500; step += 1) {
    messages.push(message(random, step, 1000));
    traffic.reset();
    await conversation.put({ messages });
    written.push(traffic.writtenBytes);
  }
  const mean = (from: number, to: number) =>
    written.slice(from, to).reduce((sum, bytes) => sum + bytes, 0) / (to - from);
  expect(Math.abs(mean(400, 500) / mean(10, 110) - 1)).toBeLessThan(0.1);
  expect(mean(400, 500)).toBeLessThan(3 * 1024);
  const read = await conversation.latest();
  expect(read?.checkpoint.channel_values.messages).toEqual(messages);
});

test("a process for every step, each reading first, writes little more than one that goes on", {
  timeout: 120_000,
}, async () => {
  const client = database.newClient();
  const traffic = countTraffic(client);
  const newSaver = () => database.newSaver({ client, keyPrefix: "a-process-each" });
  const conversation = new Conversation(newSaver());
  const random = seeded(8);
  const messages: unknown[] = [];
  for (let step = 0; step < 200; step += 1) {
    messages.push(message(random, step, 1000));
    conversation.saver = newSaver();
    await conversation.latest();
    await conversation.put({ messages });
    await conversation.latest();
  }
  expect(traffic.writtenBytes / 200).toBeLessThan(4.5 * 1024);
  const read = await conversation.latest(newSaver());
  expect(read?.checkpoint.channel_values.messages).toEqual(messages);
});

test("a step that adds a message is one request, or two when a run is written beside it", async () => {
  const client = database.newClient();
  const traffic = countTraffic(client);
  const conversation = new Conversation(database.newSaver({ client }));
  const random = seeded(9);
  const messages: unknown[] = [];
  const perStep: number[] = [];
  for (let step = 0; step < 60; step += 1) {
    messages.push(message(random, step, 1000));
    traffic.reset();
    await conversation.put({ messages });
    if (step > 0) perStep.push(traffic.requests.length);
  }
  expect(Math.max(...perStep)).toBe(2);
  expect(perStep.filter((requests) => requests === 1).length).toBeGreaterThan(40);
});

test("AWS-004 a message edited in place, and one removed and added again", { timeout: 60_000 }, async () => {
  const saver = database.newSaver({ keyPrefix: "edits" });
  const conversation = new Conversation(saver);
  const random = seeded(5);
  const messages = Array.from({ length: 400 }, (_, at) => message(random, at, 300));
  for (let upTo = 20; upTo <= 400; upTo += 20) await conversation.put({ messages: messages.slice(0, upTo) });
  const original = conversation.config;
  const edited = messages.with(3, { id: "m3", type: "ai", content: "edited in place" });
  const afterEdit = await conversation.put({ messages: edited });
  const removed = edited.toSpliced(3, 1);
  const afterRemoval = await conversation.put({ messages: removed });
  const again = [...removed, { id: "m3", type: "ai", content: "the same id again" }];
  const afterAdding = await conversation.put({ messages: again });
  for (const reader of [saver, database.newSaver({ keyPrefix: "edits" })])
    for (const [config, list] of [
      [original, messages],
      [afterEdit, edited],
      [afterRemoval, removed],
      [afterAdding, again],
    ] as const) {
      const read = await reader.getTuple(config);
      expect(read?.checkpoint.channel_values.messages).toEqual(list);
    }
});

describe("AWS-012 what is missing or damaged", () => {
  const random = seeded(6);
  // A table of its own: looking for items reads all of it.
  let tableName: string;
  beforeAll(async () => {
    tableName = await database.newTable();
  });
  const longThread = async (keyPrefix: string) => {
    const conversation = new Conversation(database.newSaver({ keyPrefix, tableName }));
    const messages: unknown[] = [];
    for (let step = 0; step < 30; step += 1) {
      messages.push(message(random, step, 1000));
      await conversation.put({ messages });
    }
    return conversation;
  };
  const segmentsOf = async (keyPrefix: string) =>
    (await database.scan(tableName)).filter(
      (item) => item.pk?.S?.startsWith(`${keyPrefix}#`) && item.sk?.S?.startsWith("V#"),
    );

  test("AWS-012 a missing segment item is CheckpointCorruptError naming channel and version", async () => {
    const keyPrefix = uuid6(0);
    const conversation = await longThread(keyPrefix);
    for (const { pk, sk } of await segmentsOf(keyPrefix))
      await database.client.send(
        new DeleteItemCommand({
          TableName: tableName,
          Key: { pk: pk ?? { S: "" }, sk: sk ?? { S: "" } },
        }),
      );
    const reading = conversation.latest(database.newSaver({ keyPrefix, tableName }));
    await expect(reading).rejects.toThrow(CheckpointCorruptError);
    await expect(reading).rejects.toMatchObject({
      channel: "messages",
      version: 30,
      threadId: conversation.threadId,
      message: expect.stringContaining('channel "messages" version 30'),
    });
  });

  test("AWS-012 a damaged segment item is CheckpointCorruptError too", async () => {
    const keyPrefix = uuid6(0);
    const conversation = await longThread(keyPrefix);
    for (const item of await segmentsOf(keyPrefix)) {
      const bytes = Uint8Array.from(item.d?.B ?? []);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 0xff;
      await database.client.send(
        new PutItemCommand({ TableName: tableName, Item: { ...item, d: { B: bytes } } }),
      );
    }
    await expect(conversation.latest(database.newSaver({ keyPrefix, tableName }))).rejects.toMatchObject({
      name: "CheckpointCorruptError",
      channel: "messages",
      version: 30,
    });
  });
});
