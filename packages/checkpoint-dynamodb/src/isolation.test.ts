import { uuid6 } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { all, Conversation, idOf } from "./testing-fixtures/conversation.ts";
import { type Database, startDatabase } from "./testing-fixtures/database.ts";

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

const ODD = [
  "plain",
  "plai",
  "plain#",
  "#plain",
  "plain/x",
  "~",
  "a b",
  " ",
  "%23",
  "#",
  "%",
  "ünï✓",
  "😀",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
];

describe("AWS-005 nothing mixes", () => {
  test("AWS-005 threads whose ids are odd or prefixes of each other", async () => {
    const saver = database.newSaver();
    const conversations = ODD.map((id) => new Conversation(saver, id));
    for (const conversation of conversations) await conversation.put({ name: conversation.threadId });
    for (const { threadId } of conversations) {
      const config = { configurable: { thread_id: threadId } };
      const listed = await all(saver.list(config));
      expect(listed.map(({ checkpoint }) => checkpoint.channel_values)).toEqual([{ name: threadId }]);
      expect((await saver.getTuple(config))?.config.configurable?.thread_id).toBe(threadId);
    }
    const everyThread = await all(saver.list({ configurable: {} }));
    expect(everyThread.map(({ config }) => config.configurable?.thread_id).sort()).toEqual([...ODD].sort());
    expect((await all(saver.threadIds())).sort()).toEqual([...ODD].sort());
    for (const start of ["plai", "plain", "#", "%", " ", "~", "😀", "nobody"])
      expect(await all(saver.threadIds(start))).toEqual(ODD.filter((id) => id.startsWith(start)).sort());
    await saver.deleteThread("plain");
    expect((await all(saver.list({}))).length).toBe(ODD.length - 1);
    expect(await all(saver.threadIds("plain"))).toEqual(["plain#", "plain/x"]);
  });

  test("AWS-005 namespaces and checkpoint ids, the same ids in each", async () => {
    const saver = database.newSaver();
    const namespaces = ["", ...ODD];
    for (const ns of namespaces) {
      const conversation = new Conversation(saver, "one", ns);
      for (const id of ODD) {
        await conversation.put({ at: `${ns}|${id}` }, id);
        await saver.putWrites(conversation.config, [["at", `${ns}|${id}`]], "__proto__");
      }
    }
    for (const ns of namespaces)
      for (const id of ODD) {
        const tuple = await saver.getTuple({
          configurable: { thread_id: "one", checkpoint_ns: ns, checkpoint_id: id },
        });
        expect(tuple?.checkpoint.channel_values).toEqual({ at: `${ns}|${id}` });
        expect(tuple?.pendingWrites).toEqual([["__proto__", "at", `${ns}|${id}`]]);
      }
    const newest = [...ODD].sort((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a)));
    for (const ns of namespaces) {
      const listed = await all(saver.list({ configurable: { thread_id: "one", checkpoint_ns: ns } }));
      expect(listed.map(({ checkpoint }) => checkpoint.id)).toEqual(newest);
    }
    expect((await all(saver.list({ configurable: { thread_id: "one" } }))).length).toBe(
      namespaces.length * ODD.length,
    );
  });

  test("AWS-005 channels named like members of a prototype", async () => {
    const saver = database.newSaver();
    const conversation = new Conversation(saver);
    const changes = Object.fromEntries(ODD.map((name) => [name, `value of ${name}`]));
    const versions = Object.fromEntries(ODD.map((name) => [name, 1]));
    const checkpoint = {
      v: 4,
      id: uuid6(0),
      ts: "now",
      channel_values: changes,
      channel_versions: versions,
      versions_seen: {},
    };
    const config = await saver.put(
      conversation.config,
      checkpoint,
      { source: "loop", step: 0, parents: {} },
      versions,
    );
    await saver.putWrites(
      config,
      ODD.map((name): [string, unknown] => [name, name]),
      "task",
    );
    const tuple = await saver.getTuple(config);
    expect(Object.entries(tuple?.checkpoint.channel_values ?? {})).toEqual(Object.entries(changes));
    expect(Object.entries(tuple?.checkpoint.channel_versions ?? {})).toEqual(Object.entries(versions));
    expect(tuple?.pendingWrites?.map(([, channel]) => channel)).toEqual(ODD);
  });

  test("prefixes that contain the separator, and one that starts another", async () => {
    const pairs = [
      ["a", "b#c"],
      ["a#b", "c"],
      ["", "a#b#c"],
      ["tenants/a", "x"],
      ["tenants/ab", "x"],
    ] as const;
    const savers = pairs.map(([keyPrefix]) => database.newSaver({ keyPrefix }));
    for (const [at, [, threadId]] of pairs.entries())
      await new Conversation(savers[at] ?? database.newSaver(), threadId).put({ at });
    for (const [at, [keyPrefix, threadId]] of pairs.entries()) {
      const listed = await all(database.newSaver({ keyPrefix }).list({}));
      expect(
        listed.map(({ config, checkpoint }) => [config.configurable?.thread_id, checkpoint.channel_values]),
      ).toEqual([[threadId, { at }]]);
    }
  });

  test.each([
    ["half of a pair", "\ud800"],
    ["no text", 7],
    ["nothing", ""],
  ])("a thread id that is %s is refused", async (_, id) => {
    const config = { configurable: { thread_id: id, checkpoint_ns: "", checkpoint_id: "x" } };
    await expect(database.newSaver().putWrites(config, [["a", 1]], "task")).rejects.toThrow(TypeError);
  });

  test("ids beyond what a key holds are refused, not cut", async () => {
    const saver = database.newSaver();
    await expect(new Conversation(saver, "t".repeat(1001)).put({})).rejects.toThrow(RangeError);
    await expect(new Conversation(saver, "t", "n".repeat(601)).put({})).rejects.toThrow(RangeError);
    const prefixed = database.newSaver({ keyPrefix: "p".repeat(1048) });
    await expect(new Conversation(prefixed, "t".repeat(1000)).put({})).rejects.toThrow(RangeError);
    const long = new Conversation(
      database.newSaver({ keyPrefix: "p".repeat(1047) }),
      "t".repeat(1000),
      "n".repeat(600),
    );
    await long.put({ a: 1 }, "c".repeat(160));
    await long.saver.putWrites(long.config, [["a", 2]], "k".repeat(160));
    expect((await long.latest())?.pendingWrites).toEqual([["k".repeat(160), "a", 2]]);
  });
});

test("AWS-006 two writers putting the same checkpoint id: one wins, whole", async () => {
  const keyPrefix = uuid6(0);
  const id = uuid6(1);
  const contents = ["a", "b"].map((name) => ({
    name,
    messages: Array.from({ length: 40 }, (_, at) => ({ id: `${name}${at}`, content: name.repeat(500) })),
    large: name.repeat(2_000),
  }));
  for (let round = 0; round < 10; round += 1) {
    const thread = `thread-${round}`;
    await new Conversation(database.newSaver({ keyPrefix }), thread).put({}, uuid6(0));
    await Promise.all(
      contents.map((content) => new Conversation(database.newSaver({ keyPrefix }), thread).put(content, id)),
    );
    const reader = database.newSaver({ keyPrefix });
    const winner = await reader.getTuple({ configurable: { thread_id: thread, checkpoint_id: id } });
    expect(contents).toContainEqual(winner?.checkpoint.channel_values);
    const children = await Promise.all(
      contents.map((_, at) => {
        const child = new Conversation(database.newSaver({ keyPrefix }), thread);
        child.config = { configurable: { thread_id: thread, checkpoint_ns: "", checkpoint_id: id } };
        return child.put({ child: at });
      }),
    );
    expect(new Set(children.map(idOf)).size).toBe(2);
  }
});
