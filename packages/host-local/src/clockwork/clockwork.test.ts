import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Command, commandGroup, type LogFields, type Logger, silentLogger } from "@archmax-ai/host";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createManualClock,
  type ManualClock,
  settle,
} from "../../../host/src/testing-fixtures/manual-clock.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import { createTurnQueue, type LocalTurnQueue } from "../storage/turn-queue.ts";
import { startQueueConsumer } from "./queue-consumer.ts";
import { regularly } from "./regularly.ts";

let folder: string;
let database: Database;
let clock: ManualClock;
let queue: LocalTurnQueue;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "archmax-clockwork-"));
  database = openDatabase(folder);
  clock = createManualClock();
  queue = createTurnQueue(database, clock, randomUUID);
});

afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true, force: true });
});

async function enqueue(sessionId: string, commandId: string): Promise<void> {
  const command: Command = {
    kind: "continue",
    tenant: "acme",
    workflow: "desk",
    sessionId,
    turnId: "t",
    commandId,
  };
  await queue.enqueue({ group: commandGroup("acme", sessionId), deduplicationId: commandId, command });
}

function recordingLogger(): Logger & { errors: [string, LogFields | undefined, unknown][] } {
  const errors: [string, LogFields | undefined, unknown][] = [];
  return { ...silentLogger, errors, error: (...entry) => errors.push([entry[0], entry[1], entry[2]]) };
}

describe("the queue consumer", () => {
  test("carries messages out, those of one session in order, those of several at once", async () => {
    for (const id of ["1", "2"]) for (const session of ["a", "b"]) await enqueue(session, `${session}${id}`);
    const started: string[] = [];
    const release: (() => void)[] = [];
    const consumer = startQueueConsumer({
      queue,
      clock,
      logger: silentLogger,
      concurrency: 4,
      pollMs: 100,
      async handle(delivery) {
        started.push(delivery.message.command.commandId);
        await new Promise<void>((resolve) => release.push(resolve));
        await delivery.done();
      },
    });
    await settle();
    expect(started).toEqual(["a1", "b1"]);
    for (const go of release.splice(0)) go();
    await settle();
    expect(started).toEqual(["a1", "b1", "a2", "b2"]);
    let stopped = false;
    const stopping = consumer.stop().then(() => {
      stopped = true;
    });
    await settle();
    expect(stopped).toBe(false);
    for (const go of release.splice(0)) go();
    await stopping;
    await enqueue("c", "c1");
    await clock.advance(10_000);
    expect(started).toHaveLength(4);
  });

  test("takes no more at once than it is allowed", async () => {
    for (const session of ["a", "b", "c"]) await enqueue(session, session);
    let atOnce = 0;
    let most = 0;
    const consumer = startQueueConsumer({
      queue,
      clock,
      logger: silentLogger,
      concurrency: 2,
      pollMs: 100,
      async handle(delivery) {
        most = Math.max(most, ++atOnce);
        await settle();
        atOnce -= 1;
        await delivery.done();
      },
    });
    await clock.advance(1_000);
    await consumer.stop();
    expect(most).toBe(2);
    expect(await queue.receive()).toBeNull();
  });

  test("shows a message again whose handler failed, and logs why", async () => {
    await enqueue("a", "a1");
    const logger = recordingLogger();
    const boom = new Error("boom");
    let attempts = 0;
    const consumer = startQueueConsumer({
      queue,
      clock,
      logger,
      concurrency: 1,
      pollMs: 100,
      async handle(delivery) {
        attempts += 1;
        if (attempts === 1) throw boom;
        await delivery.done();
      },
    });
    await clock.advance(4_000);
    expect(attempts).toBe(1);
    expect(logger.errors).toEqual([[expect.any(String), expect.objectContaining({ sessionId: "a" }), boom]]);
    await clock.advance(2_000);
    expect(attempts).toBe(2);
    await consumer.stop();
  });
});

describe("a regular task", () => {
  test("runs at once and then after each pause, a failed run too, until it is stopped", async () => {
    const logger = recordingLogger();
    let runs = 0;
    const task = regularly(
      "the test's task",
      1_000,
      async () => {
        runs += 1;
        if (runs === 2) throw new Error("boom");
      },
      { clock, logger },
    );
    await settle();
    expect(runs).toBe(1);
    await clock.advance(2_500);
    expect(runs).toBe(3);
    expect(logger.errors.map(([message]) => message)).toEqual(["the test's task failed"]);
    await task.stop();
    await clock.advance(5_000);
    expect(runs).toBe(3);
  });
});
