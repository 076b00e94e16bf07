import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import { uuid6 } from "@langchain/langgraph-checkpoint";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { expiryAfter } from "./expiry.ts";
import { all, Conversation } from "./testing-fixtures/conversation.ts";
import { type Database, startDatabase } from "./testing-fixtures/database.ts";
import { prose, seeded } from "./testing-fixtures/prose.ts";

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());
afterEach(() => {
  vi.useRealTimers();
});

const DAY = 86_400;
/** Moves the clock, nothing else: requests go on in real time. */
const setClock = (seconds: number) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(seconds * 1000);
};

describe("AWS-013 the retention of a thread", () => {
  test("AWS-013 every item carries the attribute, and values expire with the last checkpoint that needs them", {
    timeout: 60_000,
  }, async () => {
    const start = 1_900_000_000;
    const keyPrefix = uuid6(0);
    setClock(start);
    const saver = database.newSaver({ keyPrefix, ttlSeconds: 30 * DAY });
    const conversation = new Conversation(saver);
    const random = seeded(1);
    const messages: unknown[] = [];
    const cold = prose(random, 20_000);
    const itemsNow = async () =>
      (await database.scan(database.tableName)).filter((item) => item.pk?.S?.startsWith(keyPrefix));
    for (let week = 0; week < 6; week += 1) {
      setClock(start + week * 7 * DAY);
      for (let step = 0; step < 10; step += 1) {
        messages.push({ id: `${week}-${step}`, content: prose(random, 1_000) });
        await conversation.put({ messages: [...messages], ...(messages.length === 1 && { cold }) });
        await saver.putWrites(conversation.config, [["out", prose(random, 9_000)]], "task");
      }
      const items = await itemsNow();
      expect(items.every((item) => item.ttl?.N !== undefined)).toBe(true);
      const ttlOf = (kind: RegExp) =>
        items.filter((item) => kind.test(item.sk?.S ?? "")).map((item) => Number(item.ttl?.N));
      const latest = Math.max(...ttlOf(/#C$/));
      expect(latest).toBeGreaterThanOrEqual(start + week * 7 * DAY + 30 * DAY);
      expect(latest).toBeLessThanOrEqual(start + week * 7 * DAY + 34 * DAY);
      // Nothing outlives the checkpoints; the index entry lives as long as the latest.
      expect(Math.max(...ttlOf(/^V/))).toBe(latest);
      expect(ttlOf(/^thread-/)).toEqual([latest]);
    }
    // What the server would have removed by now is gone: whatever a live checkpoint needs must still be there.
    const now = start + 50 * DAY;
    setClock(now);
    const expired = (await itemsNow()).filter((item) => Number(item.ttl?.N) <= now);
    expect(expired.length).toBeGreaterThan(20);
    for (const { pk = { S: "" }, sk = { S: "" } } of expired)
      await database.client.send(new DeleteItemCommand({ TableName: database.tableName, Key: { pk, sk } }));
    const reader = database.newSaver({ keyPrefix, ttlSeconds: 30 * DAY });
    expect((await conversation.latest(reader))?.checkpoint.channel_values).toEqual({ messages, cold });
    const listed = await all(reader.list({ configurable: { thread_id: conversation.threadId } }));
    expect(listed.length).toBeGreaterThan(20);
    expect(listed.length).toBeLessThan(60);
  });

  test("AWS-013 an expired checkpoint is left out, removed or not", async () => {
    const keyPrefix = uuid6(0);
    setClock(1_900_000_000);
    const conversation = new Conversation(database.newSaver({ keyPrefix, ttlSeconds: 100 }));
    await conversation.put({ a: 1 });
    setClock(1_900_000_200);
    const reader = database.newSaver({ keyPrefix });
    expect(await conversation.latest(reader)).toBeUndefined();
    expect(await all(reader.list({ configurable: { thread_id: conversation.threadId } }))).toEqual([]);
    expect(await reader.getTuple(conversation.config)).toBeUndefined();
  });

  test("a retention that is switched off takes the expiry from the values that go on", async () => {
    const keyPrefix = uuid6(0);
    const before = new Conversation(database.newSaver({ keyPrefix, ttlSeconds: 1_000 }), "thread");
    await before.put({ cold: "c".repeat(5_000), hot: 1 });
    const after = new Conversation(database.newSaver({ keyPrefix }), "thread");
    const { config } = before;
    const checkpoint = {
      v: 4,
      id: uuid6(5),
      ts: "now",
      channel_values: { cold: "c".repeat(5_000), hot: 2 },
      channel_versions: { cold: 1, hot: 2 },
      versions_seen: {},
    };
    await after.saver.put(config, checkpoint, { source: "loop", step: 1, parents: {} }, { hot: 2 });
    const items = (await database.scan(database.tableName)).filter((item) =>
      item.pk?.S?.startsWith(keyPrefix),
    );
    expect(items.filter((item) => item.sk?.S?.startsWith("V#")).map((item) => item.ttl)).toEqual([undefined]);
  });
});

test.each([0, -1, 1.5, Number.NaN])("a retention of %s seconds is refused", (seconds) => {
  expect(() => expiryAfter(seconds)).toThrow(RangeError);
});
