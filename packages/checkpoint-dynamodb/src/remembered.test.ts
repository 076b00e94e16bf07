/** What a saver remembers spares requests, and is never taken for what is stored. */
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type Checkpoint, emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Conversation, idOf } from "./testing-fixtures/conversation.ts";
import { type Database, startDatabase } from "./testing-fixtures/database.ts";
import { prose, seeded } from "./testing-fixtures/prose.ts";

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

/** Counts the items that queries bring from now on. */
function countItems(client: DynamoDBClient): { items: number; queries: number } {
  const counted = { items: 0, queries: 0 };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const answer = await next(args);
      if (context.commandName !== "QueryCommand") return answer;
      counted.queries += 1;
      counted.items += (answer.output as { Items?: unknown[] }).Items?.length ?? 0;
      return answer;
    },
    { step: "initialize", name: "countItems" },
  );
  return counted;
}

test("the latest of a thread the saver has written is read without the checkpoints below it", async () => {
  const client = database.newClient();
  const counted = countItems(client);
  const saver = database.newSaver({ client });
  const conversation = new Conversation(saver);
  for (let step = 0; step < 5; step += 1) {
    await conversation.put({ step });
    await saver.putWrites(conversation.config, [["out", step]], "task");
  }
  Object.assign(counted, { items: 0, queries: 0 });
  const latest = await conversation.latest();
  expect(latest?.checkpoint.channel_values).toEqual({ step: 4 });
  expect(latest?.pendingWrites).toEqual([["task", "out", 4]]);
  expect(counted).toEqual({ items: 2, queries: 1 });
});

test("what another saver stored since is the latest, with its writes", async () => {
  const keyPrefix = uuid6(0);
  const [here, there] = [database.newSaver({ keyPrefix }), database.newSaver({ keyPrefix })];
  const conversation = new Conversation(here);
  await conversation.put({ step: 0 });
  conversation.saver = there;
  for (let step = 1; step < 9; step += 1) await conversation.put({ step });
  for (let task = 0; task < 9; task += 1)
    await there.putWrites(conversation.config, [["out", task]], `task-${task}`);
  const latest = await conversation.latest(here);
  expect(latest?.checkpoint.channel_values).toEqual({ step: 8 });
  expect(latest?.pendingWrites?.map(([, , value]) => value)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test("a head below the highest checkpoint seen is the latest, with its writes", async () => {
  const keyPrefix = uuid6(0);
  const threadId = "t";
  const first = database.newSaver({ keyPrefix, fence: () => 1 });
  const reader = database.newSaver({ keyPrefix });
  const conversation = new Conversation(first, threadId);
  await conversation.put({ by: "first" }, "5");
  const fork = conversation.config;
  await conversation.put({ by: "overtaken" }, "9");
  expect(idOf((await conversation.latest(reader))?.config)).toBe("9");
  const second = database.newSaver({ keyPrefix, fence: () => 2 });
  const successor = new Conversation(second, threadId);
  successor.config = fork;
  await successor.put({ by: "second" }, "7");
  await second.putWrites(successor.config, [["out", 7]], "task");
  const latest = await successor.latest(reader);
  expect(latest?.checkpoint.channel_values).toEqual({ by: "second" });
  expect(latest?.pendingWrites).toEqual([["task", "out", 7]]);
});

test("nothing of a thread that another saver deleted is referred to again", async () => {
  const keyPrefix = uuid6(0);
  const [here, there] = [database.newSaver({ keyPrefix }), database.newSaver({ keyPrefix })];
  const cold = prose(seeded(1), 9_000);
  const conversation = new Conversation(here);
  await conversation.put({ cold });
  await there.deleteThread(conversation.threadId);
  expect(await conversation.latest()).toBeUndefined();
  const anew: Checkpoint = {
    ...emptyCheckpoint(),
    id: uuid6(1),
    channel_values: { cold, step: 1 },
    channel_versions: { cold: 1, step: 2 },
  };
  const config = { configurable: { thread_id: conversation.threadId, checkpoint_ns: "" } };
  await here.put(config, anew, { source: "loop", step: 1, parents: {} }, { step: 2 });
  expect((await conversation.latest(there))?.checkpoint.channel_values).toEqual({ step: 1 });
});

test("raw bytes that their owner changes afterwards are stored as they were", async () => {
  const keyPrefix = uuid6(0);
  const saver = database.newSaver({ keyPrefix });
  const conversation = new Conversation(saver);
  const raw = Uint8Array.from({ length: 200 }, (_, at) => at);
  const given = Uint8Array.from(raw);
  await conversation.put({ raw: given });
  given.fill(0);
  await conversation.put({ step: 1 });
  const latest = await conversation.latest(database.newSaver({ keyPrefix }));
  expect(latest?.checkpoint.channel_values).toEqual({ raw, step: 1 });
});
