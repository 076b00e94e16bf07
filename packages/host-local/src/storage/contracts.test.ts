import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandSchema, type OutEvent } from "@archmax-ai/host";
import {
  eventPublisherContract,
  idempotencyStoreContract,
  resumeSchedulerContract,
  sessionEventLogContract,
  sessionRecordsContract,
  turnQueueContract,
} from "@archmax-ai/host/contracts";
import { afterAll, describe, test } from "vitest";
import { createManualClock } from "../../../host/src/testing-fixtures/manual-clock.ts";
import { type Database, openDatabase } from "./database.ts";
import { createIdempotencyStore } from "./idempotency-store.ts";
import { createEventFilePublisher } from "./published-events.ts";
import { createResumeScheduler } from "./resume-scheduler.ts";
import { createSessionEventLog } from "./session-event-log.ts";
import { createSessionRecords } from "./session-records.ts";
import { createTurnQueue } from "./turn-queue.ts";

const api = { describe, test };
const folders: string[] = [];

afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "archmax-storage-"));
  folders.push(folder);
  return folder;
}

async function onDatabase<T>(make: (database: Database) => T): Promise<T & { dispose(): Promise<void> }> {
  const database = openDatabase(await newFolder());
  return { ...make(database), dispose: async () => database.close() };
}

sessionRecordsContract(api, () =>
  onDatabase((database) => ({ subject: createSessionRecords(database, createManualClock(), randomUUID) })),
);

sessionEventLogContract(api, () =>
  onDatabase((database) => ({ subject: createSessionEventLog(database, createManualClock()) })),
);

idempotencyStoreContract(api, () =>
  onDatabase((database) => {
    const clock = createManualClock();
    return { subject: createIdempotencyStore(database, clock), now: clock.now, advance: clock.advance };
  }),
);

turnQueueContract(api, () =>
  onDatabase((database) => {
    const clock = createManualClock();
    let ids = 0;
    const queue = createTurnQueue(database, clock, () => `claim-${++ids}`);
    return {
      subject: queue,
      now: clock.now,
      advance: clock.advance,
      deadLetters: async () => queue.deadLetters(),
      crash: async () => {
        queue.releaseClaims();
      },
      redeliveryMs: 0,
    };
  }),
);

resumeSchedulerContract(api, () =>
  onDatabase((database) => {
    const clock = createManualClock();
    const scheduler = createResumeScheduler(database, clock);
    return {
      subject: scheduler,
      now: clock.now,
      async advance(milliseconds) {
        await clock.advance(milliseconds);
        scheduler.fireDue();
      },
      fired: async () =>
        database.all("SELECT message_group, command FROM queue ORDER BY position").map((row) => ({
          group: String(row.message_group),
          command: commandSchema.parse(JSON.parse(String(row.command))),
        })),
    };
  }),
);

eventPublisherContract(api, async () => {
  const file = join(await newFolder(), "published-events.jsonl");
  let down = false;
  const publisher = createEventFilePublisher(file);
  return {
    subject: {
      publish: (events) =>
        down ? createEventFilePublisher("/dev/null/no").publish(events) : publisher.publish(events),
    },
    async received() {
      const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
      return lines.map((line) => {
        const { id, time, detail, ...rest } = JSON.parse(line);
        return { id, type: rest["detail-type"], time, detail } satisfies OutEvent;
      });
    },
    async setDown(value) {
      down = value;
    },
  };
});
