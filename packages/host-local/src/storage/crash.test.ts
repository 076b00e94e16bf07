import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "@archmax-ai/host";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDataDir } from "./data-dir-lock.ts";
import { openDatabase } from "./database.ts";
import { createResumeScheduler } from "./resume-scheduler.ts";
import { createSessionEventLog } from "./session-event-log.ts";
import { createSessionRecords } from "./session-records.ts";
import { createTurnQueue } from "./turn-queue.ts";

const WRITER = fileURLToPath(new URL("../testing-fixtures/storage-writer.ts", import.meta.url));
const KEY = { tenant: "acme", sessionId: "s" };

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "archmax-crash-"));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Starts a writer, and kills it `afterMs` milliseconds after its first answered round; the rounds it answered. */
async function writeAndKill(first: number, afterMs: number): Promise<number[]> {
  const child: ChildProcess = spawn(
    process.execPath,
    ["--conditions=source", WRITER, dataDir, String(first)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let output = "";
  const started = new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (chunk) => {
      output += String(chunk);
      resolve();
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error("the writer ended by itself")));
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await started;
  expect(() => lockDataDir(dataDir)).toThrow(expect.objectContaining({ name: "DataDirInUseError" }));
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  await ended;
  return output.trim().split("\n").map(Number);
}

test("whatever was answered is there once after a kill -9, and nothing is half there", async () => {
  const answered: number[] = [];
  for (let kill = 0; kill < 5; kill += 1) {
    answered.push(...(await writeAndKill(kill * 1_000_000, Math.random() * 120)));
  }
  lockDataDir(dataDir)();

  const database = openDatabase(dataDir);
  const queue = createTurnQueue(database, systemClock, randomUUID);
  const queued: string[] = [];
  for (let one = await queue.receive(); one !== null; one = await queue.receive()) {
    queued.push(one.message.command.commandId);
    await one.done();
  }
  const armed = (await createResumeScheduler(database, systemClock).list(KEY)).map(({ seq }) => seq);
  const logged = (await createSessionEventLog(database, systemClock).read(KEY, -1, 1e6)).map(({ id }) => id);
  const records = createSessionRecords(database, systemClock, randomUUID);
  const folder = join(dataDir, "tenants", "acme", "runs", "s", "checkpoints");
  for (const round of answered) {
    expect(queued.filter((id) => id === `c-${round}`)).toHaveLength(1);
    expect(armed).toContain(round);
    expect(logged).toContain(round);
    expect(await records.get({ tenant: "acme", sessionId: `s-${round}` })).not.toBeNull();
    expect(JSON.parse(await readFile(join(folder, `cp-${round}.json`), "utf8"))).toMatchObject({ round });
  }
  for (const name of await readdir(folder)) {
    expect(JSON.parse(await readFile(join(folder, name), "utf8"))).toMatchObject({
      round: Number(/^cp-(\d+)\.json$/.exec(name)?.[1]),
    });
  }
  database.close();

  const published = (await readFile(join(dataDir, "published-events.jsonl"), "utf8")).split("\n");
  const whole = published.flatMap((line) => {
    try {
      return [String(JSON.parse(line).id)];
    } catch {
      return [];
    }
  });
  for (const round of answered) expect(whole).toContain(`e-${round}`);
});

test("a message in hand when the process was killed is delivered again to its successor", async () => {
  const database = openDatabase(dataDir);
  const first = createTurnQueue(database, systemClock, randomUUID);
  const command = {
    kind: "continue" as const,
    ...KEY,
    workflow: "desk",
    turnId: "t",
    commandId: "c",
  };
  await first.enqueue({ group: "g", deduplicationId: "c", command });
  expect(await first.receive()).not.toBeNull();
  database.close();

  const reopened = openDatabase(dataDir);
  const second = createTurnQueue(reopened, systemClock, randomUUID);
  expect(await second.receive()).toBeNull();
  expect(second.releaseClaims()).toBe(1);
  expect((await second.receive())?.message.command).toEqual(command);
  reopened.close();
});

test("a lease held when the process was killed is ended for its successor, and its turn is due at once", async () => {
  const database = openDatabase(dataDir);
  const records = createSessionRecords(database, systemClock, randomUUID);
  const now = systemClock.now();
  const at = new Date(now).toISOString();
  const common = {
    tenant: "acme",
    workflow: "desk",
    status: "running" as const,
    createdAt: at,
    updatedAt: at,
    parkSeq: 0,
    leaseToken: 4,
    attempts: {},
    carriedOut: [],
    unpublished: [],
  };
  const lease = { owner: "dead", token: 4, until: now + 60_000 };
  await records.create({ ...common, sessionId: "held", lease, attentionAt: lease.until });
  await records.create({ ...common, sessionId: "idle" });
  database.close();

  const reopened = openDatabase(dataDir);
  const successor = createSessionRecords(reopened, systemClock, randomUUID);
  expect((await successor.due({ until: systemClock.now(), limit: 10 })).records).toEqual([]);
  expect(successor.endLeases()).toBe(1);
  const { records: due } = await successor.due({ until: systemClock.now(), limit: 10 });
  expect(due).toMatchObject([{ sessionId: "held", leaseToken: 4, lease: { owner: "dead", token: 4 } }]);
  expect(due[0]?.lease?.until).toBeLessThanOrEqual(systemClock.now());
  expect(successor.endLeases()).toBe(0);
  reopened.close();
});

test("a file written by another version is refused by name", () => {
  const database = openDatabase(dataDir);
  database.run("PRAGMA user_version = 99");
  database.close();
  expect(() => openDatabase(dataDir)).toThrow(
    expect.objectContaining({ name: "DataVersionError", found: 99 }),
  );
});

test("a file of the first version gets the tables it lacks and keeps what it holds", async () => {
  const database = openDatabase(dataDir);
  database.run("DROP TABLE event_letters");
  database.run("DROP TABLE recurring_schedules");
  database.run("INSERT INTO queue_deduplication (deduplication_id, until) VALUES ('kept', 1)");
  database.run("PRAGMA user_version = 1");
  database.close();
  const reopened = openDatabase(dataDir);
  const queue = createTurnQueue(reopened, systemClock, randomUUID);
  await queue.deadLetter({ id: "e-1" }, "why");
  expect(queue.deadLetters()).toEqual([{ letter: { id: "e-1" }, reason: "why" }]);
  expect(reopened.first("SELECT deduplication_id FROM queue_deduplication")).toEqual({
    deduplication_id: "kept",
  });
  reopened.close();
});
