/**
 * Queues and buckets for tests: fauxqs in this process, or the moto server that `ARCHMAX_MOTO_ENDPOINT` names where
 * its clock can be moved. Tests move the time: fauxqs goes by this process's clock, moto by the file that
 * `ARCHMAX_MOTO_CLOCK` names.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import type { Clock } from "@archmax-ai/host";
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from "@aws-sdk/client-sqs";
import { buildApp } from "fauxqs";
import { afterAll, beforeAll, vi } from "vitest";
import type { SqsQueueOptions } from "../queue/deliveries.ts";
import { holdToSqsRules } from "./sqs-rules.ts";

const MOTO_CLOCK = process.env.ARCHMAX_MOTO_CLOCK;

/** The moto server that the tests run on, where they do. */
export const MOTO = MOTO_CLOCK === undefined ? undefined : process.env.ARCHMAX_MOTO_ENDPOINT;
export const ON_MOTO = MOTO !== undefined;

const SETTINGS = { region: "us-east-1", credentials: { accessKeyId: "test", secretAccessKey: "test" } };
const START = Date.UTC(2026, 0, 1);

/** A queue, its dead letters and a bucket, with a look into them. */
export interface TestQueues extends SqsQueueOptions {
  clock: Clock;
  queueArn: string;
  /** A client of its own, so that a middleware reaches no other. */
  newClient(config?: SQSClientConfig): SQSClient;
  /** Sends a text as somebody who is no `TurnQueue`. */
  sendText(text: string, group?: string): Promise<void>;
  /** Takes up to ten messages in hand and gives them as Lambda's event source mapping does. */
  handOver(): Promise<{ Records: object[] }>;
  /** The messages of the queue, or of the dead letters, that nobody has in hand; they stay. */
  look(url: string): Promise<Message[]>;
  /** The keys of the bucket's objects. */
  objects(): Promise<string[]>;
}

/** The server of a test file. */
export interface SqsTestServer {
  readonly endpoint: string;
  clock: Clock;
  /** Moves the time forward, in milliseconds. */
  advance(milliseconds: number): Promise<void>;
  /** New, empty queues as a deployment makes them, the first with these attributes, and a bucket. */
  queues(attributes?: Record<string, string>): Promise<TestQueues>;
}

/** Starts the server before a file's tests and stops it after them. */
export function useSqsServer(): SqsTestServer {
  let endpoint = MOTO ?? "";
  const clients: { destroy(): void }[] = [];
  const app = ON_MOTO ? undefined : buildApp({ logger: false });
  beforeAll(async () => {
    if (app === undefined) return;
    endpoint = await app.listen({ port: 0, host: "127.0.0.1" });
    vi.useFakeTimers({ toFake: ["Date"], now: START });
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
    vi.useRealTimers();
    await app?.close();
  });
  const motoAhead = () => Number(readFileSync(MOTO_CLOCK ?? "", "utf8"));
  const clock: Clock = {
    now: () => (ON_MOTO ? Date.now() + motoAhead() * 1_000 : Date.now()),
    after: () => () => {},
  };
  const kept = <T extends { destroy(): void }>(client: T): T => {
    clients.push(client);
    return client;
  };
  const newClient = (config: SQSClientConfig = {}) => {
    const client = kept(new SQSClient({ endpoint, ...SETTINGS, ...config }));
    holdToSqsRules(client);
    return client;
  };

  return {
    get endpoint() {
      return endpoint;
    },
    clock,
    async advance(milliseconds) {
      if (MOTO_CLOCK !== undefined) writeFileSync(MOTO_CLOCK, String(motoAhead() + milliseconds / 1_000));
      else vi.setSystemTime(Date.now() + milliseconds);
    },
    async queues(attributes) {
      const client = newClient();
      const name = randomUUID();
      const queueUrl = await created(client, `${name}.fifo`, attributes);
      const deadLetterQueueUrl = await created(client, `${name}-dead.fifo`);
      const s3 = kept(new S3Client({ endpoint, forcePathStyle: true, ...SETTINGS }));
      await s3.send(new CreateBucketCommand({ Bucket: name }));
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ["QueueArn"] }),
      );
      return {
        client,
        queueUrl,
        queueArn: Attributes?.QueueArn ?? "",
        deadLetterQueueUrl,
        overflow: { client: s3, bucket: name },
        clock,
        newClient,
        async sendText(text, group = "g") {
          await client.send(
            new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: text, MessageGroupId: group }),
          );
        },
        async handOver() {
          const { Messages = [] } = await client.send(
            new ReceiveMessageCommand({
              QueueUrl: queueUrl,
              MaxNumberOfMessages: 10,
              MessageSystemAttributeNames: ["All"],
            }),
          );
          return { Records: Messages.map(recordOf) };
        },
        async look(QueueUrl) {
          const { Messages = [] } = await client.send(
            new ReceiveMessageCommand({
              QueueUrl,
              MaxNumberOfMessages: 10,
              VisibilityTimeout: 0,
              MessageSystemAttributeNames: ["All"],
              MessageAttributeNames: ["All"],
            }),
          );
          return Messages;
        },
        async objects() {
          const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: name }));
          return Contents.flatMap(({ Key }) => Key ?? []);
        },
      };
    },
  };
}

function recordOf({ MessageId, ReceiptHandle, Body, MD5OfBody, Attributes }: Message) {
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: Attributes,
    messageAttributes: {},
    md5OfBody: MD5OfBody,
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:turns.fifo",
    awsRegion: "us-east-1",
  };
}

async function created(
  client: SQSClient,
  QueueName: string,
  attributes: Record<string, string> = {},
): Promise<string> {
  const { QueueUrl = "" } = await client.send(
    new CreateQueueCommand({
      QueueName,
      Attributes: {
        FifoQueue: "true",
        ContentBasedDeduplication: "true",
        VisibilityTimeout: "30",
        ...attributes,
      },
    }),
  );
  return QueueUrl;
}
