import { exampleRecord } from "@archmax-ai/host/contracts";
import { type AttributeValue, GetItemCommand, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { useDatabase } from "../testing-fixtures/database.ts";
import { itemOf, MAX_ITEM_BYTES } from "./items.ts";
import { recordKey } from "./keys.ts";
import { createDynamoSessionRecords } from "./records.ts";

const database = useDatabase();
const KEY = { tenant: "acme", sessionId: "s-1" };

async function subject(finishedTtlSeconds?: number) {
  const client = database.client();
  const tableName = await database.table();
  const records = createDynamoSessionRecords({
    client,
    tableName,
    ...(finishedTtlSeconds !== undefined && { finishedTtlSeconds }),
  });
  const item = async () =>
    (await client.send(new GetItemCommand({ TableName: tableName, Key: { pk: { S: recordKey(KEY) } } })))
      .Item;
  const put = (Item: Record<string, AttributeValue>) =>
    client.send(new PutItemCommand({ TableName: tableName, Item }));
  return { client, tableName, records, item, put };
}

/** A record whose item has exactly this many bytes. */
function ofSize(bytes: number) {
  const version = "v".repeat(16);
  const empty = Object.entries(itemOf(exampleRecord({ title: "" }), version, undefined));
  const size = empty.reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value.S ?? ""), 0);
  return exampleRecord({ title: "x".repeat(bytes - size) });
}

test("a record that fills an item is stored; one byte more is an error, and what stood there stands", async () => {
  const { records } = await subject();
  const version = (await records.create(ofSize(MAX_ITEM_BYTES))) ?? "";
  const stored = await records.get(KEY);
  expect(stored?.record).toEqual(ofSize(MAX_ITEM_BYTES));
  await expect(records.replace(ofSize(MAX_ITEM_BYTES + 1), version)).rejects.toMatchObject({
    name: "SessionRecordTooLargeError",
    tenant: "acme",
    sessionId: "s-1",
    maxBytes: 400_000,
  });
  expect(await records.get(KEY)).toEqual(stored);
});

test("a finished session's record carries the time it may go, and loses it when the session goes on", async () => {
  const { records, item } = await subject(3_600);
  const ttl = async () => (await item())?.ttl?.N;
  const at = Date.UTC(2026, 0, 1) / 1_000;
  let version = (await records.create(exampleRecord({ status: "running" }))) ?? "";
  expect(await ttl()).toBeUndefined();
  for (const status of ["completed", "failed", "rejected"] as const) {
    version = (await records.replace(exampleRecord({ status }), version)) ?? "";
    expect(await ttl()).toBe(String(at + 3_600));
  }
  const turn = {
    turnId: "t",
    commandId: "c",
    kind: "send",
    startedAt: exampleRecord().updatedAt,
    base: null,
  } as const;
  for (const part of [
    { status: "awaiting_input" as const },
    { turn },
    { attentionAt: 1 },
    { deleting: true },
  ]) {
    version = (await records.replace(exampleRecord(part), version)) ?? "";
    expect(await ttl(), JSON.stringify(part)).toBeUndefined();
  }
});

test("without a retention nothing goes by itself", async () => {
  const { records, item } = await subject();
  await records.create(exampleRecord());
  expect((await item())?.ttl).toBeUndefined();
});

test("a removed record leaves nothing in the table", async () => {
  const { records, client, tableName } = await subject(60);
  await records.remove(KEY, (await records.create(exampleRecord())) ?? "");
  expect((await client.send(new ScanCommand({ TableName: tableName }))).Items).toEqual([]);
});

test("an item that is no record of its key is an error, never a guess", async () => {
  const { records, put, tableName } = await subject();
  const item = itemOf(exampleRecord(), "v", undefined);
  const broken: [Record<string, AttributeValue>, string][] = [
    [{ ...item, body: { S: "{" } }, "its body cannot be read"],
    [
      { ...item, body: { S: JSON.stringify({ ...exampleRecord(), status: "asleep" }) } },
      "its body cannot be read",
    ],
    [{ ...item, body: { S: JSON.stringify(exampleRecord({ tenant: "other" })) } }, "another session"],
  ];
  for (const [stored, reason] of broken) {
    await put(stored);
    const expected = {
      name: "SessionRecordCorruptError",
      tableName,
      itemKey: "acme#s-1",
      message: expect.stringContaining(reason),
    };
    await expect(records.get(KEY)).rejects.toMatchObject(expected);
    await expect(records.list({ tenant: "acme", workflow: "desk", limit: 5 })).rejects.toMatchObject(
      expected,
    );
  }
  const { version: _version, ...without } = item;
  await put(without);
  await expect(records.get(KEY)).rejects.toThrow(/it has no version/);
});
