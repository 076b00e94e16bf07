import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SessionRecord, systemClock } from "@archmax-ai/host";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "./database.ts";
import { createSessionRecords } from "./session-records.ts";

const SESSIONS = 10_000;

let folder: string;
let database: Database;
/** The statements run since the last look. */
let statements: { sql: string; rows: number }[] = [];
let watched: Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "archmax-listing-"));
  database = openDatabase(folder);
  watched = {
    ...database,
    all(sql, ...parameters) {
      const rows = database.all(sql, ...parameters);
      statements.push({ sql, rows: rows.length });
      return rows;
    },
  };
  const records = createSessionRecords(database, systemClock, randomUUID);
  database.run("BEGIN");
  for (let index = 0; index < SESSIONS; index += 1) {
    const at = new Date(Date.UTC(2026, 0, 1) + (index % 5_000) * 1_000).toISOString();
    const record: SessionRecord = {
      tenant: "acme",
      sessionId: `s-${index}`,
      workflow: "desk",
      status: index % 10 === 0 ? "awaiting_decision" : "completed",
      createdAt: at,
      updatedAt: at,
      parkSeq: 0,
      leaseToken: 0,
      attempts: {},
      carriedOut: [],
      unpublished: [],
    };
    await records.create(record);
  }
  database.run("COMMIT");
});

afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true, force: true });
});

test("HOST-020 listing 10 000 sessions pages in one statement a page, which reads the page alone", async () => {
  const records = createSessionRecords(watched, systemClock, randomUUID);
  const seen = new Set<string>();
  let last = "~";
  let cursor: string | undefined;
  let pages = 0;
  do {
    statements = [];
    const page = await records.list({
      tenant: "acme",
      workflow: "desk",
      limit: 500,
      ...(cursor !== undefined && { cursor }),
    });
    expect(statements).toHaveLength(1);
    expect(statements[0]?.rows).toBeLessThanOrEqual(501);
    for (const { sessionId, updatedAt } of page.records) {
      expect(updatedAt <= last).toBe(true);
      last = updatedAt;
      seen.add(sessionId);
    }
    cursor = page.cursor;
    pages += 1;
  } while (cursor !== undefined);
  expect(pages).toBe(SESSIONS / 500);
  expect(seen.size).toBe(SESSIONS);

  const parked = await records.list({
    tenant: "acme",
    workflow: "desk",
    statuses: ["awaiting_decision", "awaiting_input"],
    limit: 10,
  });
  expect(parked.records.every((record) => record.status === "awaiting_decision")).toBe(true);
  for (const { sql } of statements) {
    const plan = database.all(`EXPLAIN QUERY PLAN ${sql}`).map((row) => String(row.detail));
    const reads = plan.filter((step) => step.includes("session_records"));
    expect(reads.length).toBeGreaterThan(0);
    for (const step of reads)
      expect(step).toMatch(/^SEARCH session_records USING INDEX session_records_by_status/);
  }
});
