import type { SessionRecord, SessionRecords } from "@archmax-ai/host";
import { exampleRecord } from "@archmax-ai/host/contracts";
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { expect, test } from "vitest";
import { failAfter, injectFaults } from "../../../checkpoint-dynamodb/src/testing-fixtures/faults.ts";
import { seeded } from "../../../checkpoint-dynamodb/src/testing-fixtures/prose.ts";
import { countTraffic } from "../../../checkpoint-dynamodb/src/testing-fixtures/traffic.ts";
import { useDatabase } from "../testing-fixtures/database.ts";
import { loseFirstAnswer } from "../testing-fixtures/lost-answer.ts";
import { SessionRecordsStorageError } from "./errors.ts";
import { createDynamoSessionRecords } from "./records.ts";

const database = useDatabase();
const KEY = { tenant: "acme", sessionId: "s-1" };

const patient = () => database.client({ retryStrategy: new ConfiguredRetryStrategy(12, () => 2) });

/** A client each of whose requests meets a fault with this probability. */
function disturbed(random: () => number, share: number) {
  const client = patient();
  injectFaults(client, random, share);
  return client;
}

/** A client whose first request of a command takes effect and loses its answer. */
function losing(command: string, meanwhile: () => Promise<void> = async () => {}) {
  const client = patient();
  loseFirstAnswer(client, command, meanwhile);
  return client;
}

/** Reads, changes and writes until the write is stored; how often that succeeded is the caller's to count. */
async function change(
  records: SessionRecords,
  next: (record: SessionRecord) => SessionRecord,
): Promise<void> {
  for (;;) {
    const stored = await records.get(KEY);
    if (stored === null) throw new Error("the record is gone");
    if ((await records.replace(next(stored.record), stored.version)) !== null) return;
  }
}

test("a fifth of all requests disturbed, four writers at once: nothing lost, nothing doubled", {
  timeout: 120_000,
}, async () => {
  const tableName = await database.table();
  const random = seeded(7);
  const writers = [0, 1, 2, 3].map(() =>
    createDynamoSessionRecords({ client: disturbed(random, 0.2), tableName }),
  );
  const created = await Promise.all(
    writers.map((records) => records.create(exampleRecord({ leaseToken: 0 }))),
  );
  expect(created.filter((version) => version !== null)).toHaveLength(1);
  const each = 40;
  await Promise.all(
    writers.map(async (records, writer) => {
      for (let at = 0; at < each; at += 1) {
        await change(records, (record) => ({
          ...record,
          leaseToken: record.leaseToken + 1,
          attempts: { ...record.attempts, [writer]: (record.attempts[writer] ?? 0) + 1 },
        }));
      }
    }),
  );
  const quiet = createDynamoSessionRecords({ client: database.client(), tableName });
  const stored = await quiet.get(KEY);
  expect(stored?.record).toMatchObject({
    leaseToken: writers.length * each,
    attempts: { 0: each, 1: each, 2: each, 3: each },
  });
  const removed = await Promise.all(writers.map((records) => records.remove(KEY, stored?.version ?? "")));
  expect(removed.filter(Boolean)).toHaveLength(1);
  expect(await quiet.get(KEY)).toBeNull();
});

test("every record created through the disturbance is listed once and due once", {
  timeout: 60_000,
}, async () => {
  const tableName = await database.table();
  const records = createDynamoSessionRecords({ client: disturbed(seeded(11), 0.2), tableName });
  const ids = Array.from({ length: 60 }, (_, at) => `s-${String(at).padStart(2, "0")}`);
  for (const sessionId of ids)
    expect(await records.create(exampleRecord({ sessionId, attentionAt: 5 })), sessionId).not.toBeNull();
  const listed = await records.list({ tenant: "acme", workflow: "desk", limit: 100 });
  expect(listed.records.map(({ sessionId }) => sessionId)).toEqual(ids);
  const due = await records.due({ until: 5, limit: 100 });
  expect(due.records.map(({ sessionId }) => sessionId)).toEqual(ids);
});

test("a create, a replacement and a removal whose answers were lost are known as stored", async () => {
  const tableName = await database.table();
  const lossy = (command: string) => createDynamoSessionRecords({ client: losing(command), tableName });
  const first = await lossy("PutItemCommand").create(exampleRecord());
  expect(first).not.toBeNull();
  const second = await lossy("PutItemCommand").replace(exampleRecord({ parkSeq: 1 }), first ?? "");
  expect((await lossy("GetItemCommand").get(KEY))?.version).toBe(second);
  expect(await lossy("PutItemCommand").remove(KEY, second ?? "")).toBe(true);
  expect(await lossy("GetItemCommand").get(KEY)).toBeNull();
  const third = await lossy("PutItemCommand").create(exampleRecord());
  expect(await lossy("DeleteItemCommand").remove(KEY, third ?? "")).toBe(true);
  expect(await lossy("GetItemCommand").get(KEY)).toBeNull();
});

test("a lost answer is told from a lost race even when another wrote on top", async () => {
  const tableName = await database.table();
  const other = createDynamoSessionRecords({ client: database.client(), tableName });
  const version = (await other.create(exampleRecord())) ?? "";
  const onTop = async () => {
    for (let at = 0; at < 3; at += 1)
      await change(other, (record) => ({ ...record, leaseToken: record.leaseToken + 10 }));
  };
  const records = createDynamoSessionRecords({ client: losing("PutItemCommand", onTop), tableName });
  const stored = await records.replace(exampleRecord({ leaseToken: 2 }), version);
  expect(stored).not.toBeNull();
  expect((await other.get(KEY))?.record.leaseToken).toBe(32);
  // The version given is one of the past: it fits nothing any more.
  expect(await records.replace(exampleRecord({ leaseToken: 99 }), stored ?? "")).toBeNull();
});

test("a race lost without any fault costs one request", async () => {
  const tableName = await database.table();
  const client = database.client();
  const records = createDynamoSessionRecords({ client, tableName });
  await records.create(exampleRecord());
  const { requests } = countTraffic(client);
  expect(await records.create(exampleRecord())).toBeNull();
  expect(await records.replace(exampleRecord(), "stale")).toBeNull();
  expect(await records.remove(KEY, "stale")).toBe(false);
  expect(requests).toEqual(["PutItem", "PutItem", "PutItem"]);
});

test("a removal cut off before its end has removed the record, and the id is free", async () => {
  const tableName = await database.table();
  const client = database.client();
  failAfter(client, "DeleteItemCommand", 0);
  const cut = createDynamoSessionRecords({ client, tableName });
  const version = (await cut.create(exampleRecord({ attentionAt: 1 }))) ?? "";
  await expect(cut.remove(KEY, version)).rejects.toThrow(SessionRecordsStorageError);
  expect(await cut.get(KEY)).toBeNull();
  expect((await cut.list({ tenant: "acme", workflow: "desk", limit: 10 })).records).toEqual([]);
  expect((await cut.due({ until: 10, limit: 10 })).records).toEqual([]);
  expect(await cut.replace(exampleRecord(), version)).toBeNull();
  expect(await cut.remove(KEY, version)).toBe(false);
  expect(await cut.create(exampleRecord({ parkSeq: 4 }))).not.toBeNull();
  expect((await cut.get(KEY))?.record.parkSeq).toBe(4);
});

test.each([
  ["GetItem", (records: SessionRecords) => records.get(KEY), "s-1"],
  ["PutItem", (records: SessionRecords) => records.create(exampleRecord()), "s-1"],
  [
    "Query",
    (records: SessionRecords) => records.list({ tenant: "acme", workflow: "desk", limit: 1 }),
    undefined,
  ],
  ["Query", (records: SessionRecords) => records.due({ until: 1, limit: 1 }), undefined],
] as const)(
  "%s failing for good names operation and table, and keeps its cause",
  async (operation, run, sessionId) => {
    const tableName = await database.table();
    const client = database.client();
    failAfter(client, `${operation}Command`, 0);
    await expect(run(createDynamoSessionRecords({ client, tableName }))).rejects.toMatchObject({
      name: "SessionRecordsStorageError",
      operation,
      tableName,
      sessionId,
      message: expect.stringContaining(`${operation} on table "${tableName}" failed`),
      cause: expect.objectContaining({ name: "AccessDeniedException" }),
    });
  },
);
