import { setTimeout as pause } from "node:timers/promises";
import { EVENT_SOURCE, type EventPublisher, type OutEvent } from "@archmax-ai/host";
import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from "@aws-sdk/client-eventbridge";
import { EventsUnpublishedError } from "./errors.ts";

/** What a request may hold: entries, and bytes as EventBridge counts them. */
const MAX_ENTRIES = 10;
const MAX_BYTES = 256_000;

/** How often entries that the bus did not take are sent, and the first wait before that, doubling, in ms. */
const MAX_ATTEMPTS = 5;
const FIRST_WAIT_MS = 100;

/** What the publisher publishes to. */
export interface EventBridgePublisherOptions {
  /** Its retries are all there are for a request that fails whole. */
  client: EventBridgeClient;
  /** Name or ARN of the bus. */
  busName: string;
  /** Waits before refused entries are sent again, in ms. Default: the machine's timer. */
  wait?: (milliseconds: number) => Promise<void>;
}

interface Pending {
  id: string;
  entry: PutEventsRequestEntry;
}

/**
 * Publishes the host's events to an EventBridge bus (spec 07 §5): source `archmax`, the event's id in the detail
 * beside the rest. A batch goes out when the one before it has been taken whole. EventBridge itself promises no
 * order, and gives an event's time to the second.
 *
 * @throws EventsUnpublishedError
 */
export function createEventBridgePublisher(options: EventBridgePublisherOptions): EventPublisher {
  const { client, busName, wait = (milliseconds) => pause(milliseconds) } = options;

  /** Sends entries and gives back those that were not taken. */
  async function send(batch: Pending[]): Promise<{ pending: Pending; code: string }[]> {
    let results: PutEventsResultEntry[];
    try {
      const answer = await client.send(new PutEventsCommand({ Entries: batch.map(({ entry }) => entry) }));
      results = answer.Entries ?? [];
    } catch (cause) {
      const code = cause instanceof Error ? cause.name : "unknown";
      throw new EventsUnpublishedError(
        busName,
        batch.map(({ id }) => ({ id, code })),
        { cause },
      );
    }
    return batch.flatMap((pending, at) => {
      const result = results[at];
      if (result?.EventId !== undefined) return [];
      return [{ pending, code: result?.ErrorCode ?? "NoAnswer" }];
    });
  }

  return {
    async publish(events) {
      for (const batch of batchesOf(events.map((event) => pendingOf(event, busName)))) {
        let refused = await send(batch);
        for (let attempt = 1; refused.length > 0; attempt += 1) {
          if (attempt === MAX_ATTEMPTS)
            throw new EventsUnpublishedError(
              busName,
              refused.map(({ pending: { id }, code }) => ({ id, code })),
            );
          await wait(FIRST_WAIT_MS * 2 ** (attempt - 1));
          refused = await send(refused.map(({ pending }) => pending));
        }
      }
    },
  };
}

function pendingOf({ id, type, time, detail }: OutEvent, busName: string): Pending {
  const entry = {
    EventBusName: busName,
    Source: EVENT_SOURCE,
    DetailType: type,
    Time: new Date(time),
    Detail: JSON.stringify({ id, ...detail }),
  };
  return { id, entry };
}

/** Batches in order, each within both bounds; an event above the second alone is a batch of its own. */
function batchesOf(pending: Pending[]): Pending[][] {
  const batches: Pending[][] = [];
  let bytes = 0;
  for (const each of pending) {
    const size = sizeOf(each.entry);
    const last = batches.at(-1);
    if (last === undefined || last.length === MAX_ENTRIES || bytes + size > MAX_BYTES) {
      batches.push([each]);
      bytes = size;
    } else {
      last.push(each);
      bytes += size;
    }
  }
  return batches;
}

/** 14 bytes for the time, the texts in UTF-8; the bus's name, which is not counted, for good measure. */
function sizeOf({
  Source = "",
  DetailType = "",
  Detail = "",
  EventBusName = "",
}: PutEventsRequestEntry): number {
  return [Source, DetailType, Detail, EventBusName].reduce((sum, text) => sum + Buffer.byteLength(text), 14);
}
