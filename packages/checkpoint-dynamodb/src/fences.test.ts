import { uuid6 } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StaleWriterError } from "./errors.ts";
import { all, Conversation, idOf } from "./testing-fixtures/conversation.ts";
import { type Database, startDatabase } from "./testing-fixtures/database.ts";

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

/** Two writers of one thread, and a reader that knows of no fence. */
async function twoWriters(ns = "") {
  const keyPrefix = uuid6(0);
  const first = new Conversation(database.newSaver({ keyPrefix, fence: () => 1 }), "thread", ns);
  await first.put({ by: "first" });
  const second = new Conversation(database.newSaver({ keyPrefix, fence: () => 2 }), "thread", ns);
  second.config = first.config;
  const reader = database.newSaver({ keyPrefix });
  return { keyPrefix, first, second, reader };
}

describe("AWS-007 a stale writer", () => {
  test("AWS-007 is refused with StaleWriterError; the latest stays, and list works", async () => {
    const { first, second, reader } = await twoWriters();
    await second.put({ by: "second" });
    await expect(first.put({ by: "stale" })).rejects.toThrow(StaleWriterError);
    await expect(first.saver.putWrites(first.config, [["by", "stale"]], "task")).rejects.toMatchObject({
      name: "StaleWriterError",
      threadId: "thread",
      fence: 1,
    });
    const latest = await second.latest(reader);
    expect(latest?.checkpoint.channel_values).toEqual({ by: "second" });
    expect(latest?.pendingWrites).toEqual([]);
    const listed = await all(reader.list({ configurable: { thread_id: "thread" } }));
    expect(listed.map(({ checkpoint }) => checkpoint.channel_values)).toEqual([
      { by: "second" },
      { by: "first" },
    ]);
  });

  test("AWS-007 overtaken between its check and its commit, it leaves a fork nobody follows", async () => {
    const { keyPrefix, first, second, reader } = await twoWriters();
    // The successor takes over while the stale writer's fence has been checked and its values are written.
    const client = database.newClient();
    const stale = new Conversation(database.newSaver({ keyPrefix, client, fence: () => 1 }), "thread");
    stale.config = first.config;
    await stale.put({ by: "first again" });
    second.config = stale.config;
    let overtaken = false;
    client.middlewareStack.add(
      (next, context) => async (args) => {
        const { Item } = args.input as { Item?: { sk?: { S?: string } } };
        if (!overtaken && context.commandName === "PutItemCommand" && Item?.sk?.S?.endsWith("#C")) {
          overtaken = true;
          await second.put({ by: "second" });
        }
        return next(args);
      },
      { step: "initialize" },
    );
    await expect(stale.put({ by: "stale" }, "zzzz-sorts-above-all")).rejects.toThrow(StaleWriterError);
    expect((await second.latest(reader))?.checkpoint.channel_values).toEqual({ by: "second" });
    expect(idOf((await second.latest(reader))?.config)).toBe(idOf(second.config));
    await second.put({ by: "second goes on" });
    expect((await second.latest(reader))?.checkpoint.channel_values).toEqual({ by: "second goes on" });
    const listed = await all(reader.list({ configurable: { thread_id: "thread" } }));
    expect(listed.length).toBe(5);
  });

  test("AWS-007 is refused in a namespace nobody has written to", async () => {
    const { keyPrefix, first, second } = await twoWriters();
    await second.put({ by: "second" });
    const child = new Conversation(database.newSaver({ keyPrefix, fence: () => 1 }), "thread", "child");
    await expect(child.put({ by: "stale" })).rejects.toThrow(StaleWriterError);
    expect(await child.latest()).toBeUndefined();
    expect(first.threadId).toBe("thread");
  });

  test("a successor whose clock is behind still becomes the latest", async () => {
    const { second, reader } = await twoWriters();
    await second.put({ by: "second" }, "0000-sorts-below-all");
    expect((await second.latest(reader))?.checkpoint.channel_values).toEqual({ by: "second" });
  });

  test("a writer without a fence is refused on a fenced thread", async () => {
    const { keyPrefix, first } = await twoWriters();
    const unfenced = new Conversation(database.newSaver({ keyPrefix }), "thread");
    unfenced.config = first.config;
    await expect(unfenced.put({ by: "nobody" })).rejects.toMatchObject({
      name: "StaleWriterError",
      fence: undefined,
    });
  });

  test("the same writer goes on, and an unfenced thread may become fenced", async () => {
    const keyPrefix = uuid6(0);
    const before = new Conversation(database.newSaver({ keyPrefix }), "thread");
    await before.put({ step: 1 });
    const fenced = new Conversation(database.newSaver({ keyPrefix, fence: () => 5 }), "thread");
    fenced.config = before.config;
    for (let step = 2; step < 6; step += 1) {
      await fenced.put({ step });
      await fenced.saver.putWrites(fenced.config, [["step", step + 1]], "task");
      const latest = await fenced.latest();
      expect(latest?.checkpoint.channel_values).toEqual({ step });
      expect(latest?.pendingWrites).toEqual([["task", "step", step + 1]]);
    }
    await fenced.saver.deleteThread("thread");
    expect(await fenced.latest()).toBeUndefined();
    await fenced.put({ step: 1 });
    expect((await fenced.latest())?.checkpoint.channel_values).toEqual({ step: 1 });
  });
});
