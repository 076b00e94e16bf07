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

/** A message as Lambda hands it over; there is more in it. */
export const sqsRecordSchema = z.object({
  messageId: z.string(),
  receiptHandle: z.string(),
  body: z.string(),
  attributes: z.object({ MessageGroupId: z.string() }),
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
  return { messageId, receiptHandle, body, group: attributes.MessageGroupId };
}

/**
 * Makes the handler of a function whose event source is the queue, with `ReportBatchItemFailures`. Messages are
 * carried out one after another. One that waits or failed is reported as failed, so that Lambda leaves it in the
 * queue until it is to be shown again, and with it what comes after it in its group: the order in a group holds.
 *
 * @throws NoQueueEventError for an event of another kind
 */
export function createQueueHandler(
  options: QueueHandlerOptions,
): (event: unknown, context?: InvocationContext) => Promise<SqsBatchResponse> {
  const { clock = systemClock, logger = silentLogger } = options;

  /** Whether the message is out of the queue. */
  async function carriedOut(record: SqsRecord, deadline: number | undefined): Promise<boolean> {
    let delivery: SqsDelivery | null = null;
    try {
      delivery = await sqsDelivery(record, options);
      if (delivery === null) return true;
      await options.handle(delivery, deadline === undefined ? {} : { deadline });
      if (delivery.outcome === "in-hand") throw new Error("The handler has not settled the message.");
    } catch (error) {
      logger.error("a queued command could not be carried out", fieldsOf(record, delivery), error);
      if (delivery === null || delivery.outcome === "in-hand") await laterIfPossible(record, delivery);
    }
    return delivery?.outcome === "removed";
  }

  /** Without it the message would wait for as long as an invocation may take. */
  async function laterIfPossible(
    record: SqsRecord,
    delivery: SqsDelivery | null,
    ms = RETRY_MS,
  ): Promise<void> {
    await showAgain(options, handedBy(record), ms).catch((error: unknown) =>
      logger.warn("a message could not be shown again sooner", {
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

function fieldsOf({ messageId }: SqsRecord, delivery: SqsDelivery | null): Record<string, string> {
  if (delivery === null) return { messageId };
  const { kind, tenant, workflow, sessionId, turnId } = delivery.message.command;
  return { messageId, kind, tenant, workflow, sessionId, turnId };
}
