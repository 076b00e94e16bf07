import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { type Clock, type EventPublisher, systemClock } from "@archmax-ai/host";
import { openDatabase } from "./database.ts";
import { createIdempotencyStore, type LocalIdempotencyStore } from "./idempotency-store.ts";
import { createEventFilePublisher } from "./published-events.ts";
import { createResumeScheduler, type LocalResumeScheduler } from "./resume-scheduler.ts";
import { createSessionEventLog, type LocalSessionEventLog } from "./session-event-log.ts";
import { createSessionRecords, type LocalSessionRecords } from "./session-records.ts";
import { createSettledTimes, type SettledTimes } from "./settled-times.ts";
import { createTurnQueue, type LocalTurnQueue } from "./turn-queue.ts";

export { DataVersionError } from "./database.ts";

/** The stores of one data folder. */
export interface LocalStorage {
  readonly records: LocalSessionRecords;
  readonly queue: LocalTurnQueue;
  readonly scheduler: LocalResumeScheduler;
  readonly eventLog: LocalSessionEventLog;
  readonly idempotency: LocalIdempotencyStore;
  readonly publisher: EventPublisher;
  readonly settledTimes: SettledTimes;
  /** Forgets events and idempotency answers whose time is over. */
  prune(): void;
  close(): void;
}

/**
 * Opens a data folder, making it where it is missing.
 *
 * @throws DataVersionError for a folder that another version wrote
 */
export function openLocalStorage(
  dataDir: string,
  clock: Clock = systemClock,
  newId: () => string = randomUUID,
): LocalStorage {
  const folder = resolve(dataDir);
  const database = openDatabase(folder);
  const eventLog = createSessionEventLog(database, clock);
  const idempotency = createIdempotencyStore(database, clock);
  return {
    records: createSessionRecords(database, clock, newId),
    queue: createTurnQueue(database, clock, newId),
    scheduler: createResumeScheduler(database, clock),
    eventLog,
    idempotency,
    publisher: createEventFilePublisher(join(folder, "published-events.jsonl")),
    settledTimes: createSettledTimes(database),
    prune() {
      eventLog.prune();
      idempotency.prune();
    },
    close: () => database.close(),
  };
}
