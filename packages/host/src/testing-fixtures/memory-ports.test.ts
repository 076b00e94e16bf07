import { describe, test } from "vitest";
import {
  clockContract,
  eventPublisherContract,
  idempotencyStoreContract,
  resumeSchedulerContract,
  sessionEventLogContract,
  sessionRecordsContract,
  turnQueueContract,
} from "../contracts/index.ts";
import { systemClock } from "../ports/clock.ts";
import { createManualClock } from "./manual-clock.ts";
import { createMemoryQueue, createMemoryScheduler } from "./memory-queue.ts";
import { createMemoryRecords } from "./memory-records.ts";
import {
  createMemoryEventLog,
  createMemoryIdempotencyStore,
  createMemoryPublisher,
} from "./memory-stores.ts";

const api = { describe, test };

sessionRecordsContract(api, async () => ({ subject: createMemoryRecords() }));
sessionEventLogContract(api, async () => ({ subject: createMemoryEventLog() }));
idempotencyStoreContract(api, async () => {
  const clock = createManualClock();
  return { subject: createMemoryIdempotencyStore(clock), now: clock.now, advance: clock.advance };
});
turnQueueContract(api, async () => {
  const clock = createManualClock();
  const queue = createMemoryQueue(clock);
  return {
    subject: queue,
    now: clock.now,
    advance: clock.advance,
    deadLetters: async () => queue.letters,
    crash: async () => undefined,
    redeliveryMs: 30_000,
  };
});
resumeSchedulerContract(api, async () => {
  const clock = createManualClock();
  const queue = createMemoryQueue(clock);
  return {
    subject: createMemoryScheduler(clock, queue),
    now: clock.now,
    advance: clock.advance,
    fired: async () => queue.pending(),
  };
});
eventPublisherContract(api, async () => {
  const publisher = createMemoryPublisher();
  return {
    subject: publisher,
    received: async () => publisher.received,
    setDown: async (down) => {
      publisher.down = down;
    },
  };
});
clockContract(api, async () => {
  const clock = createManualClock();
  return { subject: clock, now: clock.now, advance: clock.advance };
});
describe("the machine's clock", () => {
  clockContract(api, async () => ({
    subject: systemClock,
    now: systemClock.now,
    advance: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  }));
});
