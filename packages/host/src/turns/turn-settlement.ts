import type { Clock } from "../ports/clock.ts";
import type { EventPublisher } from "../ports/event-publisher.ts";
import type { Logger } from "../ports/logger.ts";
import type { ResumeScheduler } from "../ports/resume-scheduler.ts";
import type { ParkRecord, SessionRecord } from "../ports/session-record.ts";
import type { TurnQueue } from "../ports/turn-queue.ts";
import { resumeMessage } from "./resume-message.ts";

/** A wait that ends sooner than this goes straight to the queue, in ms (spec 07 §4). */
export const SHORT_WAIT_MS = 60_000;

/** What settling needs of the host. */
export interface SettlementPorts {
  scheduler: ResumeScheduler;
  queue: TurnQueue;
  publisher: EventPublisher;
  clock: Clock;
  logger: Logger;
}

/**
 * Arms a park's timed resume: a schedule at the next whole second, or for a short or past wait a message that
 * waits in the queue for its time, exact to the second. Arming twice is one schedule.
 */
export async function armResume(
  ports: Pick<SettlementPorts, "scheduler" | "queue" | "clock">,
  record: Pick<SessionRecord, "tenant" | "workflow" | "sessionId">,
  park: ParkRecord & { resumeAt: string },
): Promise<void> {
  const { tenant, workflow, sessionId } = record;
  const dueAt = new Date(Math.ceil(Date.parse(park.resumeAt) / 1_000) * 1_000).toISOString();
  const resume = { tenant, workflow, sessionId, seq: park.seq, dueAt };
  if (Date.parse(dueAt) - ports.clock.now() >= SHORT_WAIT_MS) await ports.scheduler.arm(resume);
  else await ports.queue.enqueue(resumeMessage(resume));
}

/** Hands a record's unsent events to the bus. False where it did not take them: they are sent later. */
export async function publishEvents(
  { publisher, logger }: Pick<SettlementPorts, "publisher" | "logger">,
  record: SessionRecord,
): Promise<boolean> {
  if (record.unpublished.length === 0) return true;
  try {
    await publisher.publish(record.unpublished);
    return true;
  } catch (error) {
    const { tenant, workflow, sessionId } = record;
    logger.warn("the event bus did not take a turn's events; they are sent later", {
      tenant,
      workflow,
      sessionId,
      cause: error instanceof Error ? error.name : "unknown",
    });
    return false;
  }
}
