/** A message in hand: how it is read, and how it leaves the hand. */
import {
  type Clock,
  type Logger,
  type QueueDelivery,
  type QueueMessage,
  silentLogger,
  systemClock,
} from "@archmax-ai/host";
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { OverflowBucket } from "../overflow-bucket.ts";
import { named } from "./errors.ts";
import { NoCommandError, parseText } from "./message-body.ts";
import { keptCommand, removeCommand } from "./overflow.ts";

/** The queue and what goes with it. */
export interface SqsQueueOptions {
  /** Its retries are all there are. */
  client: SQSClient;
  /** A FIFO queue with content-based deduplication. */
  queueUrl: string;
  /** A FIFO queue. */
  deadLetterQueueUrl: string;
  /** Where commands too large for a message go, as objects under `tenants/<tenant>/overflow/`. */
  overflow: OverflowBucket;
  /** Default: the machine's. */
  clock?: Clock;
  /** Default: none. */
  logger?: Logger;
}

/** A message as SQS handed it out, to this process or to Lambda. */
export interface HandedMessage {
  messageId: string;
  receiptHandle: string;
  body: string;
  /** SQS's own group of it. */
  group: string;
  /** When SQS took it, in milliseconds since the epoch. */
  sentAt: number;
}

/** What became of a message in hand: gone, to be shown again, or still in hand. */
export type DeliveryOutcome = "removed" | "kept" | "in-hand";

/** A delivery that says what became of it. */
export interface SqsDelivery extends QueueDelivery {
  readonly outcome: DeliveryOutcome;
  /** When it was sent, or put back last, in milliseconds since the epoch. */
  readonly enqueuedAt: number;
}

/**
 * The longest a message is made to wait at once, in seconds. SQS allows twelve hours from its receipt, of which a
 * worker may have used fifteen minutes. What waits longer is shown in between, and waits again.
 */
const MAX_WAIT_SECONDS = 42_000;

/** All dead letters form one group, so that they are put back in the order they came. */
const DEAD_LETTER_GROUP = "dead-letters";
/** How long a reason may be, in characters: a letter has to stay below what a message may hold. */
const MAX_REASON = 1_000;

/** Names of a dead letter's attributes. */
export const REASON = "reason";
export const GROUP = "group";

/**
 * Makes the delivery of a message in hand. One that is no command is put aside with its reason and comes to `null`.
 *
 * @throws TurnQueueStorageError
 */
export async function deliveryOf(
  options: SqsQueueOptions,
  handed: HandedMessage,
): Promise<SqsDelivery | null> {
  const { overflow, clock = systemClock, logger = silentLogger } = options;
  let message: QueueMessage;
  let kept: string | undefined;
  try {
    const read = parseText(handed.body);
    if ("overflow" in read) {
      kept = read.overflow;
      const { group, deduplicationId } = read;
      message = { group, deduplicationId, command: await keptCommand(overflow, kept) };
    } else message = read;
  } catch (error) {
    if (!(error instanceof NoCommandError)) throw error;
    logger.error("a message of the queue is no command and was put aside", {
      messageId: handed.messageId,
      reason: error.message,
    });
    await putAside(options, handed, error.message);
    return null;
  }

  let outcome: DeliveryOutcome = "in-hand";
  return {
    message,
    enqueuedAt: handed.sentAt,
    get outcome() {
      return outcome;
    },
    async done() {
      await removeMessage(options, handed);
      outcome = "removed";
      if (kept === undefined) return;
      await removeCommand(overflow, kept).catch((error: unknown) =>
        // The bucket's lifecycle rule finds it.
        logger.warn("the object of a message that is done could not be removed", {
          tenant: message.command.tenant,
          cause: error instanceof Error ? error.name : "unknown",
        }),
      );
    },
    async retryAt(epochMs) {
      await showAgain(options, handed, epochMs - clock.now());
      outcome = "kept";
    },
    async deadLetter(reason) {
      await putAside(options, handed, reason);
      outcome = "removed";
    },
  };
}

/**
 * Shows a message again after a time, in milliseconds, rounded up to the second. One that is out of this hand by now
 * is shown by itself. @throws TurnQueueStorageError
 */
export async function showAgain(
  { client, queueUrl }: SqsQueueOptions,
  { receiptHandle }: HandedMessage,
  afterMs: number,
): Promise<void> {
  const VisibilityTimeout = Math.min(Math.max(Math.ceil(afterMs / 1_000), 0), MAX_WAIT_SECONDS);
  await named("ChangeMessageVisibility", queueUrl, () =>
    client.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: queueUrl,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout,
      }),
    ),
  );
}

async function removeMessage(
  { client, queueUrl }: SqsQueueOptions,
  { receiptHandle }: HandedMessage,
): Promise<void> {
  await named("DeleteMessage", queueUrl, () =>
    client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receiptHandle })),
  );
}

/** First into the dead-letter queue, then out of this one: cut off in between, it is put aside again, as the same. */
async function putAside(options: SqsQueueOptions, handed: HandedMessage, reason: string): Promise<void> {
  const { client, deadLetterQueueUrl } = options;
  await named("SendMessage", deadLetterQueueUrl, () =>
    client.send(
      new SendMessageCommand({
        QueueUrl: deadLetterQueueUrl,
        MessageBody: handed.body,
        MessageGroupId: DEAD_LETTER_GROUP,
        // Not the body's own: a command put back and put aside once more is another letter.
        MessageDeduplicationId: handed.messageId,
        MessageAttributes: {
          [REASON]: { DataType: "String", StringValue: attributeText(reason) },
          [GROUP]: { DataType: "String", StringValue: handed.group },
        },
      }),
    ),
  );
  await removeMessage(options, handed);
}

/** A text that SQS takes as an attribute. */
export function attributeText(text: string): string {
  const plain = text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\ufffd]/g, " ");
  return plain === "" ? "No reason was given." : plain.slice(0, MAX_REASON).toWellFormed();
}
