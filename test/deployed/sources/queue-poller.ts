/** Lambda's event source mapping of an SQS queue: takes its messages to a function, one at a time each. */
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { InvocationResult } from "../../support/runtime-api.ts";

/** How long one look at an empty queue takes, in seconds. */
const LONG_POLL_SECONDS = 1;

export interface QueuePollerOptions {
  client: SQSClient;
  queueUrl: string;
  queueArn: string;
  invoke(event: unknown): Promise<InvocationResult>;
  /** How many messages are under way at once, of as many groups. */
  concurrency: number;
  /** Takes every message to the function twice before its answer counts, as SQS may. */
  twice?: boolean;
}

export interface QueuePoller {
  /** Takes no message until it is let on. Fulfils once those in hand are carried out. */
  pause(): Promise<void>;
  resume(): void;
  /** How many messages have been carried out so far, given back or not. */
  handled(): number;
  /** Messages being carried out now. */
  underWay(): number;
  stop(): Promise<void>;
}

/** A message in the form Lambda hands it over. */
export function queueRecord(message: Message, queueArn: string) {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: {},
    md5OfBody: message.MD5OfBody,
    eventSource: "aws:sqs",
    eventSourceARN: queueArn,
    awsRegion: "us-east-1",
  };
}

/**
 * The messages of a batch that the function gave back. An answer that is not as the platform knows it, and an error,
 * give all of them back.
 */
function givenBack(result: InvocationResult, messageId: string | undefined): boolean {
  if (!result.ok) return true;
  const { batchItemFailures } = (result.result ?? {}) as { batchItemFailures?: unknown };
  if (batchItemFailures === undefined || batchItemFailures === null) return false;
  if (!Array.isArray(batchItemFailures)) return true;
  return batchItemFailures.some(
    (failure: { itemIdentifier?: unknown } | null) =>
      typeof failure?.itemIdentifier !== "string" || failure.itemIdentifier === messageId,
  );
}

/** Starts to poll. A message that is not given back is deleted; one that is shows again when its time is up. */
export function startQueuePoller(options: QueuePollerOptions): QueuePoller {
  const { client, queueUrl, queueArn, invoke, concurrency, twice = false } = options;
  let stopped = false;
  let paused: PromiseWithResolvers<void> | undefined;
  /** Ends the looks at the queue that are under way. */
  let looking = new AbortController();
  let underWay = 0;
  let handled = 0;

  async function carryOut(message: Message): Promise<void> {
    const event = { Records: [queueRecord(message, queueArn)] };
    let result = await invoke(event);
    if (twice) result = await invoke(event);
    if (givenBack(result, message.MessageId)) return;
    // The function may have deleted it already, which not every server takes a second time.
    await client
      .send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: message.ReceiptHandle }))
      .catch(() => undefined);
  }

  async function poll(): Promise<void> {
    while (!stopped) {
      await paused?.promise;
      const { signal } = looking;
      try {
        const { Messages = [] } = await client.send(
          new ReceiveMessageCommand({
            QueueUrl: queueUrl,
            MaxNumberOfMessages: 1,
            WaitTimeSeconds: LONG_POLL_SECONDS,
            MessageSystemAttributeNames: ["All"],
          }),
          { abortSignal: signal },
        );
        underWay += Messages.length;
        for (const message of Messages) {
          await carryOut(message).finally(() => {
            underWay -= 1;
            handled += 1;
          });
        }
      } catch (error) {
        if (!signal.aborted) console.error("the queue's poller:", error);
      }
    }
  }

  const endLooks = () => {
    looking.abort();
    looking = new AbortController();
  };
  const polling = Array.from({ length: concurrency }, poll);
  return {
    async pause() {
      paused ??= Promise.withResolvers();
      endLooks();
      while (underWay > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    resume() {
      paused?.resolve();
      paused = undefined;
    },
    handled: () => handled,
    underWay: () => underWay,
    async stop() {
      stopped = true;
      endLooks();
      paused?.resolve();
      await Promise.all(polling);
    },
  };
}
