import { SESSION_STATUSES, type SessionRecord } from "@archmax-ai/host";
import { exampleRecord } from "@archmax-ai/host/contracts";
import { BatchWriteItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { countTraffic } from "../../../checkpoint-dynamodb/src/testing-fixtures/traffic.ts";
import { useDatabase } from "../testing-fixtures/database.ts";
import { itemOf } from "./items.ts";
import { createDynamoSessionRecords } from "./records.ts";
import { versionAfter } from "./versions.ts";

const SESSIONS = 10_000;
const database = useDatabase();

async function store(tableName: string, records: readonly SessionRecord[]): Promise<void> {
  const client = database.client();
  for (let from = 0; from < records.length; from += 25) {
    const requests = records
      .slice(from, from + 25)
      .map((record) => ({ PutRequest: { Item: itemOf(record, versionAfter("id"), undefined) } }));
    const answer = await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }));
    expect(answer.UnprocessedItems ?? {}).toEqual({});
  }
}

test("HOST-020 listing 10 000 sessions pages in one request a page, and by status in one a status", {
  timeout: 300_000,
}, async () => {
  const tableName = await database.table();
  await store(
    tableName,
    Array.from({ length: SESSIONS }, (_, index) => {
      const at = new Date(Date.UTC(2026, 0, 1) + (index % 5_000) * 1_000).toISOString();
      const status = index % 10 === 0 ? "awaiting_decision" : "completed";
      return exampleRecord({ sessionId: `s-${index}`, status, createdAt: at, updatedAt: at });
    }),
  );
  const client = database.client();
  const { requests } = countTraffic(client);
  const records = createDynamoSessionRecords({ client, tableName });
  const seen = new Set<string>();
  let last = "~";
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await records.list({
      tenant: "acme",
      workflow: "desk",
      limit: 500,
      ...(cursor !== undefined && { cursor }),
    });
    for (const { sessionId, updatedAt } of page.records) {
      expect(updatedAt <= last).toBe(true);
      last = updatedAt;
      seen.add(sessionId);
    }
    cursor = page.cursor;
    pages += 1;
  } while (cursor !== undefined);
  expect(pages).toBe(SESSIONS / 500);
  expect(requests).toEqual(Array(pages).fill("Query"));
  expect(seen.size).toBe(SESSIONS);

  requests.length = 0;
  const parked = await records.list({
    tenant: "acme",
    workflow: "desk",
    statuses: ["awaiting_decision", "awaiting_input"],
    limit: 10,
  });
  expect(parked.records.map(({ sessionId }) => sessionId).slice(0, 2)).toEqual(["s-4990", "s-9990"]);
  expect(parked.records.every((record) => record.status === "awaiting_decision")).toBe(true);
  expect(requests).toEqual(["Query", "Query"]);
});

test("a page above a megabyte is read on to its end", { timeout: 60_000 }, async () => {
  const tableName = await database.table();
  const records = createDynamoSessionRecords({ client: database.client(), tableName });
  const ids = Array.from({ length: 9 }, (_, at) => `s-${at}`);
  for (const sessionId of ids)
    await records.create(exampleRecord({ sessionId, title: "x".repeat(300_000), attentionAt: 1 }));
  const listed = await records.list({ tenant: "acme", workflow: "desk", limit: 8 });
  expect(listed.records.map(({ sessionId }) => sessionId)).toEqual(ids.slice(0, 8));
  expect(listed.cursor).toBeDefined();
  expect((await records.due({ until: 1, limit: 9 })).records.map(({ sessionId }) => sessionId)).toEqual(ids);
});

test("what comes and goes between two pages neither hides nor repeats the rest", async () => {
  const tableName = await database.table();
  const records = createDynamoSessionRecords({ client: database.client(), tableName });
  const versions = new Map<string, string>();
  for (const sessionId of ["a", "b", "c", "d"])
    versions.set(sessionId, (await records.create(exampleRecord({ sessionId, attentionAt: 1 }))) ?? "");
  const query = { tenant: "acme", workflow: "desk", limit: 2 };
  const first = await records.list(query);
  const firstDue = await records.due({ until: 1, limit: 2 });
  await records.remove({ tenant: "acme", sessionId: "b" }, versions.get("b") ?? "");
  await records.create(exampleRecord({ sessionId: "new", updatedAt: "2026-02-01T00:00:00.000Z" }));
  const second = await records.list({ ...query, cursor: first.cursor ?? "" });
  expect(second.records.map(({ sessionId }) => sessionId)).toEqual(["c", "d"]);
  const secondDue = await records.due({ until: 1, limit: 2, cursor: firstDue.cursor ?? "" });
  expect(secondDue.records.map(({ sessionId }) => sessionId)).toEqual(["c", "d"]);
});

test("a cursor made up for the due list is refused", async () => {
  const tableName = await database.table();
  const records = createDynamoSessionRecords({ client: database.client(), tableName });
  const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  for (const cursor of [
    "",
    "x",
    made([]),
    made(["~"]),
    made([1]),
    made([`${"0".repeat(17)}#${"x".repeat(1_000)}`]),
  ])
    await expect(records.due({ until: 1, limit: 1, cursor })).rejects.toMatchObject({
      name: "InvalidCursorError",
    });
});

test("statuses asked for twice count once, and all of them are the whole listing", async () => {
  const tableName = await database.table();
  const client = database.client();
  const records = createDynamoSessionRecords({ client, tableName });
  await records.create(exampleRecord());
  const { requests } = countTraffic(client);
  const query = { tenant: "acme", workflow: "desk", limit: 5 };
  expect((await records.list({ ...query, statuses: ["completed", "completed"] })).records).toHaveLength(1);
  expect((await records.list({ ...query, statuses: SESSION_STATUSES })).records).toHaveLength(1);
  expect(await records.list({ ...query, statuses: [] })).toEqual({ records: [] });
  expect(requests).toEqual(["Query", "Query"]);
});
