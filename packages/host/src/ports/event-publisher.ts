import type { OutEvent } from "./session-record.ts";

/** Source of every event the host publishes. */
export const EVENT_SOURCE = "archmax";

/**
 * The way out to the event bus (spec 07 §5). At least once: a receiver tells a repeat by the event's id.
 */
export interface EventPublisher {
  /** Publishes all of them, in order, or rejects; after a rejection the host publishes the same ones again. */
  publish(events: readonly OutEvent[]): Promise<void>;
}
