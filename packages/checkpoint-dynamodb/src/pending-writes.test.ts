import { ERROR, INTERRUPT, type PendingWrite, RESUME, SCHEDULED } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Conversation } from "./testing-fixtures/conversation.ts";
import { type Database, startDatabase } from "./testing-fixtures/database.ts";
import { countTraffic } from "./testing-fixtures/traffic.ts";

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

/** Thirty writes; special ones at four places. `round` is in every value. */
function thirty(round: string, size: number): PendingWrite[] {
  const special = new Map([
    [4, INTERRUPT],
    [11, RESUME],
    [17, ERROR],
    [23, SCHEDULED],
  ]);
  return Array.from(
    { length: 30 },
    (_, at): PendingWrite => [special.get(at) ?? `channel-${at}`, `${round} ${at} ${`${at}`.repeat(size)}`],
  );
}

describe("AWS-008 thirty pending writes in one task", () => {
  test.each([
    ["small", 1, 1],
    ["large", 6_000, 2],
  ])(
    "AWS-008 written twice, %s: order and values per the rules, at most 2 requests",
    async (_, size, most) => {
      const client = database.newClient();
      const traffic = countTraffic(client);
      const conversation = new Conversation(database.newSaver({ client, compression: "none" }));
      await conversation.put({ a: 1 });
      for (const round of ["first", "second"]) {
        traffic.reset();
        await conversation.saver.putWrites(conversation.config, thirty(round, size), "task", "path");
        expect(traffic.requests.length).toBeLessThanOrEqual(most);
      }
      const first = thirty("first", size);
      const second = thirty("second", size);
      const expected = [
        second[11],
        second[4],
        second[23],
        second[17],
        ...first.filter(([channel]) => channel.startsWith("channel-")),
      ].map((write) => ["task", ...(write ?? [])]);
      expect((await conversation.latest())?.pendingWrites).toEqual(expected);
    },
  );

  test("writes of several tasks come in the order of path, task and index, by code point", async () => {
    const conversation = new Conversation(database.newSaver());
    await conversation.put({ a: 1 });
    const tasks = [
      ["b", "2"],
      ["a", "2"],
      ["c", ""],
      ["\u{1f600}", "1"],
      ["\uffee", "1"],
      ["z", "10"],
    ] as const;
    for (const [task, path] of tasks) {
      const writes = Array.from({ length: 12 }, (_, at): PendingWrite => ["out", `${task}${at}`]);
      await conversation.saver.putWrites(conversation.config, writes, task, path);
    }
    const latest = await conversation.latest();
    const order = ["c", "\uffee", "\u{1f600}", "z", "a", "b"];
    expect(latest?.pendingWrites).toEqual(
      order.flatMap((task) => Array.from({ length: 12 }, (_, at) => [task, "out", `${task}${at}`])),
    );
  });

  test("more writes than an item takes, and more tasks than a page", async () => {
    const conversation = new Conversation(database.newSaver());
    await conversation.put({ a: 1 });
    const many = Array.from({ length: 300 }, (_, at): PendingWrite => ["out", at]);
    await conversation.saver.putWrites(conversation.config, many, "m");
    for (let task = 0; task < 40; task += 1)
      await conversation.saver.putWrites(
        conversation.config,
        [["out", "x".repeat(9_000)]],
        `t${String(task).padStart(2, "0")}`,
      );
    const pending = (await conversation.latest())?.pendingWrites ?? [];
    expect(pending.slice(0, 300)).toEqual(many.map(([channel, value]) => ["m", channel, value]));
    expect(pending.length).toBe(340);
  });

  test("a later call with more writes adds those that were not there", async () => {
    const conversation = new Conversation(database.newSaver());
    await conversation.put({ a: 1 });
    await conversation.saver.putWrites(conversation.config, [["a", "kept"]], "task");
    await conversation.saver.putWrites(
      conversation.config,
      [
        ["a", "ignored"],
        ["b", "added"],
      ],
      "task",
    );
    await conversation.saver.putWrites(conversation.config, [], "task");
    expect((await conversation.latest())?.pendingWrites).toEqual([
      ["task", "a", "kept"],
      ["task", "b", "added"],
    ]);
  });

  test("writes of a checkpoint that was never stored are not found, nor in the way", async () => {
    const conversation = new Conversation(database.newSaver());
    const stored = await conversation.put({ a: 1 });
    for (let task = 0; task < 12; task += 1)
      await conversation.saver.putWrites(
        { configurable: { ...stored.configurable, checkpoint_id: "zzz" } },
        [["a", task]],
        `task-${task}`,
      );
    const latest = await conversation.latest();
    expect(latest?.checkpoint.channel_values).toEqual({ a: 1 });
    expect(latest?.pendingWrites).toEqual([]);
  });
});
