import { uuid6 } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { all, Conversation, idOf } from "./testing-fixtures/conversation.ts";
import { type Database, startDatabase } from "./testing-fixtures/database.ts";
import { prose, seeded } from "./testing-fixtures/prose.ts";
import { countTraffic, type Traffic } from "./testing-fixtures/traffic.ts";

const keyPrefix = uuid6(0);
let database: Database;
let traffic: Traffic;
let conversation: Conversation;
const ids: string[] = [];

/** A saver that has read nothing yet, and counts. */
const fresh = () => {
  const client = database.newClient();
  traffic = countTraffic(client);
  return database.newSaver({ client, keyPrefix });
};

beforeAll(async () => {
  database = await startDatabase();
  conversation = new Conversation(database.newSaver({ keyPrefix }));
  const random = seeded(9);
  const messages: unknown[] = [];
  for (let step = 0; step < 500; step += 1) {
    messages.push({ id: `m${step}`, content: prose(random, 800) });
    ids.push(idOf(await conversation.put({ messages: [...messages], step })));
    await conversation.saver.putWrites(conversation.config, [["step", step + 1]], `task-${step}`);
  }
  ids.reverse();
}, 120_000);
afterAll(() => database.stop());

describe("AWS-011 list on a 500-checkpoint thread", () => {
  test("AWS-011 limit 5 makes at most 2 requests", async () => {
    const saver = fresh();
    const thread = { configurable: { thread_id: conversation.threadId, checkpoint_ns: "" } };
    const listed = await all(saver.list(thread, { limit: 5 }));
    expect(listed.map(({ checkpoint }) => checkpoint.id)).toEqual(ids.slice(0, 5));
    expect(traffic.requests.length).toBeLessThanOrEqual(2);
    expect(listed.map(({ checkpoint }) => (checkpoint.channel_values.messages as unknown[]).length)).toEqual([
      500, 499, 498, 497, 496,
    ]);
    expect(listed.map(({ pendingWrites }) => pendingWrites)).toEqual(
      [500, 499, 498, 497, 496].map((step) => [[`task-${step - 1}`, "step", step]]),
    );
  });

  test("AWS-011 before, filter and no thread_id are correct", { timeout: 120_000 }, async () => {
    const saver = fresh();
    const thread = { configurable: { thread_id: conversation.threadId, checkpoint_ns: "" } };
    const at = (id: string | undefined) => ({ configurable: { checkpoint_id: id } });
    const listed = async (options: object, config: object = thread) =>
      (await all(saver.list(config, options))).map(({ checkpoint }) => checkpoint.id);
    expect(await listed({ before: at(ids[100]), limit: 3 })).toEqual(ids.slice(101, 104));
    expect(traffic.requests.length).toBeLessThanOrEqual(2);
    expect(await listed({ before: at(ids[490]) })).toEqual(ids.slice(491));
    expect(await listed({ filter: { step: 250 } })).toEqual([ids[249]]);
    expect(await listed({ filter: { source: "loop", step: 251 }, before: at(ids[300]) })).toEqual([]);
    expect(await listed({ filter: { parents: {} }, limit: 2 })).toEqual(ids.slice(0, 2));
    expect(await listed({ filter: { toString: undefined }, limit: 1 })).toEqual(ids.slice(0, 1));
    const other = new Conversation(database.newSaver({ keyPrefix }), "another", "child");
    const otherId = idOf(await other.put({ a: 1 }));
    expect(await listed({}, { configurable: { checkpoint_ns: "child" } })).toEqual([otherId]);
    expect((await listed({}, {})).sort()).toEqual([...ids, otherId].sort());
    expect(await listed({ limit: 0 })).toEqual([]);
    expect(await listed({}, { configurable: { ...thread.configurable, checkpoint_id: ids[7] } })).toEqual([
      ids[7],
    ]);
    expect(await listed({}, { configurable: { thread_id: "nobody" } })).toEqual([]);
  });

  test("getTuple of the latest takes two rounds of requests", async () => {
    const latest = await conversation.latest(fresh());
    expect(idOf(latest?.config)).toBe(ids[0]);
    expect(traffic.requests).toEqual(["Query", "BatchGetItem"]);
  });

  test("the history of a delta channel is read in pages", async () => {
    const saver = fresh();
    const config = { configurable: { thread_id: conversation.threadId, checkpoint_ns: "" } };
    const history = await saver.getDeltaChannelHistory({ config, channels: ["never stored"] });
    expect(history).toEqual({ "never stored": { writes: [] } });
    expect(traffic.requests.length).toBeLessThan(10);
  });
});
