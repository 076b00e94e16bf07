/**
 * A process for the crash tests: writes through every part of the storage, over and over, and names each round
 * on its standard output once all of its writes have been answered. Its parent kills it at any moment.
 *
 * Arguments: the data folder and the first round's number.
 */
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { commandGroup, isoInstant, systemClock } from "@archmax-ai/host";
import { createFilesBackend } from "../files/files-backend.ts";
import { tenantFiles } from "../files/tenant-files.ts";
import { lockDataDir } from "../storage/data-dir-lock.ts";
import { openDatabase } from "../storage/database.ts";
import { createEventFilePublisher } from "../storage/published-events.ts";
import { createResumeScheduler } from "../storage/resume-scheduler.ts";
import { createSessionEventLog } from "../storage/session-event-log.ts";
import { createSessionRecords } from "../storage/session-records.ts";
import { createTurnQueue } from "../storage/turn-queue.ts";

const [dataDir = "", first = "0"] = process.argv.slice(2);
lockDataDir(dataDir);
const database = openDatabase(dataDir);
const records = createSessionRecords(database, systemClock, randomUUID);
const queue = createTurnQueue(database, systemClock, randomUUID);
const scheduler = createResumeScheduler(database, systemClock);
const events = createSessionEventLog(database, systemClock);
const publisher = createEventFilePublisher(`${dataDir}/published-events.jsonl`);
const files = createFilesBackend(tenantFiles(dataDir, "acme"));

const tenant = "acme";
const workflow = "desk";
const sessionId = "s";
const key = { tenant, sessionId };

for (let round = Number(first); ; round += 1) {
  const at = isoInstant(systemClock.now());
  await queue.enqueue({
    group: commandGroup(tenant, sessionId),
    deduplicationId: `c-${round}`,
    command: {
      kind: "reply",
      tenant,
      workflow,
      sessionId,
      turnId: `t-${round}`,
      commandId: `c-${round}`,
      message: "m",
    },
  });
  await scheduler.arm({ ...key, workflow, seq: round, dueAt: "2999-01-01T00:00:00.000Z" });
  await events.append(key, [{ id: round, type: "agent-text", data: { round } }]);
  await records.create({
    tenant,
    sessionId: `${sessionId}-${round}`,
    workflow,
    status: "running",
    createdAt: at,
    updatedAt: at,
    parkSeq: 0,
    leaseToken: 0,
    attempts: {},
    carriedOut: [],
    unpublished: [],
  });
  await files.write(
    `/${sessionId}/checkpoints/cp-${round}.json`,
    JSON.stringify({ round, filler: "x".repeat(200_000) }),
  );
  await publisher.publish([
    {
      id: `e-${round}`,
      type: "SessionParked",
      time: at,
      detail: { tenant, workflow, sessionId, title: "t".repeat(5000) },
    },
  ]);
  writeSync(1, `${round}\n`);
}
