import { randomUUID } from "node:crypto";
import type { TurnQueue } from "@archmax-ai/host";
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from "@aws-sdk/client-sqs";
import {
  attributeText,
  deliveryOf,
  GROUP,
  type HandedMessage,
  REASON,
  type SqsQueueOptions,
  showAgain,
} from "./deliveries.ts";
import { named } from "./errors.ts";
import { isLetterGroup, letterGroup, letterId, letterText } from "./event-letters.ts";
import { fifoId } from "./fifo-ids.ts";
import { referredText, wholeText } from "./message-body.ts";
import { keepCommand } from "./overflow.ts";

/**
 * What a message carries itself, in bytes of UTF-8; a larger command is kept as an object. SQS takes 1 MiB in new
 * queues and 256 KiB in old ones, attributes included; a dead letter's take up to 4 KB.
 */
export const MAX_TEXT_BYTES = 250_000;

/** How many dead letters are taken in hand at once: SQS's own bound. */
const REDRIVE_BATCH = 10;

/** The turn queue's options. */
export interface SqsTurnQueueOptions extends SqsQueueOptions {
  /** Gives a fresh id each time, for objects and receipts. Default: a UUID. */
  newId?: () => string;
}

/**
 * The FIFO queue of commands on SQS (spec 07 §3). A message in hand is shown again when the queue's visibility timeout
 * ends, so that has to be longer than a worker may take.
 */
export function createSqsTurnQueue(options: SqsTurnQueueOptions): TurnQueue {
  const { client, queueUrl, deadLetterQueueUrl, overflow, newId = randomUUID } = options;

  async function receive(url: string, count: number, waitSeconds: number): Promise<Message[]> {
    const { Messages = [] } = await named("ReceiveMessage", url, () =>
      client.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: count,
          WaitTimeSeconds: waitSeconds,
          MessageSystemAttributeNames: ["MessageGroupId", "SentTimestamp"],
          MessageAttributeNames: [GROUP],
          // A repetition after a lost answer is given the same messages, not told that they are in hand.
          ReceiveRequestAttemptId: newId(),
        }),
      ),
    );
    return Messages;
  }

  return {
    async enqueue(message) {
      const { group, deduplicationId, command } = message;
      let body = wholeText(message);
      if (Buffer.byteLength(body) > MAX_TEXT_BYTES)
        body = referredText({
          group,
          deduplicationId,
          overflow: await keepCommand(overflow, command, newId),
        });
      await named("SendMessage", queueUrl, () =>
        client.send(
          new SendMessageCommand({
            QueueUrl: queueUrl,
            MessageBody: body,
            MessageGroupId: fifoId(group),
            MessageDeduplicationId: fifoId(deduplicationId),
          }),
        ),
      );
    },

    async receive() {
      for (;;) {
        const [message] = await receive(queueUrl, 1, 0);
        if (message === undefined) return null;
        const delivery = await deliveryOf(options, handedBy(message));
        if (delivery !== null) return delivery;
      }
    },

    async redrive(limit) {
      const passedOver: Message[] = [];
      let count = 0;
      try {
        while (count < limit) {
          // Waits a second: without, SQS asks only some of its servers and may answer that there is none.
          const letters = await receive(deadLetterQueueUrl, Math.min(REDRIVE_BATCH, limit - count), 1);
          if (letters.length === 0) return count;
          for (const letter of letters) {
            if (isCommand(letter)) {
              await putBack(letter);
              count += 1;
            } else passedOver.push(letter);
          }
        }
        return count;
      } finally {
        const shown = { ...options, queueUrl: deadLetterQueueUrl };
        for (const letter of passedOver) await showAgain(shown, handedBy(letter), 0);
      }
    },

    async deadLetter(letter, reason) {
      const id = letterId(letter, reason);
      const text = await letterText(overflow, letter, { maxBytes: MAX_TEXT_BYTES, newId });
      await named("SendMessage", deadLetterQueueUrl, () =>
        client.send(
          new SendMessageCommand({
            QueueUrl: deadLetterQueueUrl,
            MessageBody: text,
            MessageGroupId: letterGroup(id),
            MessageDeduplicationId: id,
            MessageAttributes: { [REASON]: { DataType: "String", StringValue: attributeText(reason) } },
          }),
        ),
      );
    },
  };

  /** First into the queue, then out of the letters: cut off in between, it is put back again, as the same. */
  async function putBack(letter: Message): Promise<void> {
    const { messageId, receiptHandle, body, group } = handedBy(letter);
    await named("SendMessage", queueUrl, () =>
      client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: body,
          MessageGroupId: letter.MessageAttributes?.[GROUP]?.StringValue ?? group,
          // Its own: within five minutes of its first sending it would pass for a repeat.
          MessageDeduplicationId: `redrive:${messageId}`,
        }),
      ),
    );
    await named("DeleteMessage", deadLetterQueueUrl, () =>
      client.send(new DeleteMessageCommand({ QueueUrl: deadLetterQueueUrl, ReceiptHandle: receiptHandle })),
    );
  }
}

/** Events that came to nothing are no commands: put back, they would be put aside again. */
function isCommand({ Attributes }: Message): boolean {
  return !isLetterGroup(Attributes?.MessageGroupId ?? "");
}

function handedBy({ MessageId = "", ReceiptHandle = "", Body = "", Attributes }: Message): HandedMessage {
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    group: Attributes?.MessageGroupId ?? "",
    sentAt: Number(Attributes?.SentTimestamp),
  };
}
