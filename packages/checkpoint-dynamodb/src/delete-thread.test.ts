import { uuid6 } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll, expect, test } from "vitest";
import { all, Conversation } from "./testing-fixtures/conversation.ts";
import { type Database, startDatabase } from "./testing-fixtures/database.ts";
import { failAfter } from "./testing-fixtures/faults.ts";
import { newBucket } from "./testing-fixtures/objects.ts";
import { seeded } from "./testing-fixtures/prose.ts";

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

test("AWS-010 deleteThread killed halfway and called again leaves nothing", { timeout: 60_000 }, async () => {
  const bucket = await newBucket();
  const options = {
    keyPrefix: uuid6(0),
    overflow: { ...bucket, prefix: "o/" },
    fence: () => 1,
    ttlSeconds: 1000,
  };
  const random = seeded(1);
  const noise = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(33 + Math.floor(random() * 90))).join("");
  const saver = database.newSaver(options);
  const [doomed, kept] = [new Conversation(saver, "doomed"), new Conversation(saver, "kept")];
  for (const conversation of [doomed, kept])
    for (let step = 0; step < 30; step += 1) {
      await conversation.put({ step, text: noise(3_000), ...(step === 3 && { huge: noise(900_000) }) });
      await saver.putWrites(conversation.config, [["out", noise(step === 5 ? 900_000 : 5_000)]], "task");
    }
  const child = new Conversation(saver, "doomed", "child:1");
  await child.put({ inner: true });
  const rows = async (threadId: string) =>
    (await database.scan(database.tableName)).filter(
      (item) => item.pk?.S === `${options.keyPrefix}#${threadId}`,
    );
  const keptRows = await rows("kept");
  expect((await rows("doomed")).length).toBeGreaterThan(60);
  const objects = await bucket.keys();
  expect(objects.length).toBe(4);

  const client = database.newClient();
  failAfter(client, "BatchWriteItemCommand", 2);
  await expect(database.newSaver({ ...options, client }).deleteThread("doomed")).rejects.toThrow(
    /AccessDenied/,
  );
  const halfway = (await rows("doomed")).length;
  expect(halfway).toBeGreaterThan(0);
  // It can still be found, so that somebody can finish it.
  const listed = await all(saver.list({}));
  expect(new Set(listed.map(({ config }) => config.configurable?.thread_id)).has("kept")).toBe(true);
  await database.newSaver(options).deleteThread("doomed");
  expect(await rows("doomed")).toEqual([]);
  expect((await bucket.keys()).length).toBe(2);
  expect(await doomed.latest(database.newSaver(options))).toBeUndefined();
  expect(await rows("kept")).toEqual(keptRows);
  expect((await kept.latest(database.newSaver(options)))?.checkpoint.channel_values).toEqual(kept.values);
  await database.newSaver(options).deleteThread("doomed");
  await database.newSaver(options).deleteThread("never there");
});
