/** Messages that Lambda's event source mapping hands to a function, in batches. */
import { type QueueDelivery, silentLogger, systemClock } from "@archmax-ai/host";
import * as z from "zod";
import {
  deliveryOf,
  type HandedMessage,
  type SqsDelivery,
  type SqsQueueOptions,
  showAgain,
} from "./deliveries.ts";
import { NoQueueEventError } from "./errors.ts";

/** How long a message waits after its handler failed without settling it, in milliseconds. */
const RETRY_MS = 5_000;

/** How long a message in hand stays out of sight unless that is renewed, and how often it is, in milliseconds. */
const HOLD_MS = 90_000;
const RENEW_MS = 30_000;

/** A message as Lambda hands it over; there is more in it. */
export const sqsRecordSchema = z.object({
  messageId: z.string(),
  receiptHandle: z.string(),
  body: z.string(),
  attributes: z.object({ MessageGroupId: z.string(), SentTimestamp: z.coerce.number() }),
});

/** A batch of them. */
export const sqsEventSchema = z.object({ Records: z.array(sqsRecordSchema) });

export type SqsRecord = z.infer<typeof sqsRecordSchema>;

/** What Lambda is answered: the messages that it must not delete. */
export interface SqsBatchResponse {
  batchItemFailures: { itemIdentifier: string }[];
}

/** What the handler needs of Lambda's context. */
export interface InvocationContext {
  getRemainingTimeInMillis(): number;
}

/** The batch handler's options. */
export interface QueueHandlerOptions extends SqsQueueOptions {
  /**
   * Carries one message out and settles it: `handle` of the host's command worker. `deadline` is when the
   * invocation ends, in ms since the epoch.
   */
  handle(delivery: QueueDelivery, options: { deadline?: number }): Promise<void>;
}

/**
 * Makes the delivery of a record of Lambda's. One that is no command is put aside with its reason and comes to `null`.
 * A delivery whose `outcome` is not `removed` has to be reported as failed, or Lambda deletes it.
 *
 * @throws TurnQueueStorageError
 */
export function sqsDelivery(record: SqsRecord, options: SqsQueueOptions): Promise<SqsDelivery | null> {
  return deliveryOf(options, handedBy(record));
}

function handedBy({ messageId, receiptHandle, body, attributes }: SqsRecord): HandedMessage {
  const { MessageGroupId: group, SentTimestamp: sentAt } = attributes;
  return { messageId, receiptHandle, body, group, sentAt };
}

/**
 * Makes the handler of a function whose event source is the queue, with `ReportBatchItemFailures`. Messages are
 * carried out one after another. One that waits or failed is reported as failed, so that Lambda leaves it in the
 * queue until it is to be shown again, and with it what comes after it in its group: the order in a group holds.
 * A message in hand is held for a minute and a half at a time: the queue's own visibility timeout, which Lambda
 * wants as long as the longest invocation, would hold a session up for that long after a crash.
 *
 * @throws NoQueueEventError for an event of another kind
 */
export function createQueueHandler(
  options: QueueHandlerOptions,
): (event: unknown, context?: InvocationContext) => Promise<SqsBatchResponse> {
  const { clock = systemClock, logger = silentLogger } = options;

  /** Whether the message is out of the queue. */
  async function carriedOut(record: SqsRecord, deadline: number | undefined): Promise<boolean> {
    const hold = held(record);
    let delivery: SqsDelivery | null = null;
    try {
      delivery = await sqsDelivery(record, options);
      if (delivery === null) return true;
      await options.handle(afterLettingGo(delivery, hold), deadline === undefined ? {} : { deadline });
      if (delivery.outcome === "in-hand") throw new Error("The handler has not settled the message.");
    } catch (error) {
      logger.error("a queued command could not be carried out", fieldsOf(record, delivery), error);
      await hold();
      if (delivery === null || delivery.outcome === "in-hand") await laterIfPossible(record, delivery);
    } finally {
      await hold();
    }
    return delivery?.outcome === "removed";
  }

  /** Keeps a message out of sight until that is let go; resolves when nothing more is under way. */
  function held(record: SqsRecord): () => Promise<void> {
    let renewing: Promise<void> = Promise.resolve();
    let cancel: () => void = () => {};
    const renew = () => {
      renewing = laterIfPossible(record, null, HOLD_MS);
      cancel = clock.after(RENEW_MS, renew);
    };
    renew();
    return () => {
      cancel();
      return renewing;
    };
  }

  /** Shows a message again after a time. Where that fails it is shown by itself, at another time. */
  async function laterIfPossible(
    record: SqsRecord,
    delivery: SqsDelivery | null,
    ms = RETRY_MS,
  ): Promise<void> {
    await showAgain(options, handedBy(record), ms).catch((error: unknown) =>
      logger.warn("the time at which a message is shown again could not be set", {
        ...fieldsOf(record, delivery),
        cause: error instanceof Error ? error.name : "unknown",
      }),
    );
  }

  return async (event, context) => {
    const parsed = sqsEventSchema.safeParse(event);
    if (!parsed.success) throw new NoQueueEventError(parsed.error);
    const deadline = context === undefined ? undefined : clock.now() + context.getRemainingTimeInMillis();
    const failed: string[] = [];
    const waiting = new Set<string>();
    for (const record of parsed.data.Records) {
      const group = record.attributes.MessageGroupId;
      // Behind a message that stays it may not be carried out; it is free again as soon as that one is.
      if (waiting.has(group)) await laterIfPossible(record, null, 0);
      else if (await carriedOut(record, deadline)) continue;
      waiting.add(group);
      failed.push(record.messageId);
    }
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

/** A delivery that is let go before it is settled: a renewal that came after would undo its waiting time. */
function afterLettingGo(delivery: SqsDelivery, letGo: () => Promise<void>): Omit<SqsDelivery, "outcome"> {
  const { message, enqueuedAt } = delivery;
  return {
    message,
    enqueuedAt,
    async done() {
      await letGo();
      await delivery.done();
    },
    async retryAt(epochMs) {
      await letGo();
      await delivery.retryAt(epochMs);
    },
    async deadLetter(reason) {
      await letGo();
      await delivery.deadLetter(reason);
    },
  };
}

function fieldsOf({ messageId }: SqsRecord, delivery: SqsDelivery | null): Record<string, string> {
  if (delivery === null) return { messageId };
  const { kind, tenant, workflow, sessionId, turnId } = delivery.message.command;
  return { messageId, kind, tenant, workflow, sessionId, turnId };
}
