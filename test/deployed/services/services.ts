/** The services of AWS that a deployment runs on, as stand-ins. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { BusEvent, PushedEvent } from "../../support/aws/event-bus-server.ts";

/** The services by the names under which the SDK takes their addresses, `AWS_ENDPOINT_URL_<name>`. */
export const SERVICES = ["DYNAMODB", "S3", "SQS", "EVENTBRIDGE", "SCHEDULER"] as const;

export type ServiceName = (typeof SERVICES)[number];

/** A queue by both of its names. */
export interface QueueNames {
  url: string;
  arn: string;
}

/** A one-time schedule that is armed. */
export interface ArmedSchedule {
  name: string;
  /** Milliseconds since the epoch. */
  dueAt: number;
  input: Record<string, unknown>;
}

/** The bus of a deployment. */
export interface ServiceBus {
  /** What it has taken so far, in order. */
  events(): BusEvent[];
  /** Puts an event of somebody else's on it. */
  push(event: PushedEvent): Promise<void>;
  /** Hands an event that it has taken to the listeners once more, as EventBridge may. */
  repeat(event: BusEvent): Promise<void>;
  /** Hands each event taken from now on to a listener; one that rejects is given it again. */
  subscribe(listener: (event: BusEvent) => Promise<void>): void;
}

/** What `embeddedServices` and `motoServices` give: services with a deployment's queues, bus and group in them. */
export interface Services {
  addresses: Record<ServiceName, string>;
  queue: QueueNames;
  deadLetters: QueueNames;
  /** The standard queue of what Scheduler could not send. */
  scheduleDeadLetters: QueueNames;
  busName: string;
  scheduleGroup: string;
  bus: ServiceBus;
  schedules(): Promise<ArmedSchedule[]>;
  close(): Promise<void>;
}

/** How a deployment's queue is made. */
export interface QueueSettings {
  /** How long a message is hidden while it is carried out, in seconds. */
  visibilitySeconds: number;
}

/** The rule of the queue's own redrive: a backstop, far above the worker's five attempts. */
export const MAX_RECEIVE_COUNT = 1_000;

const CREDENTIALS = { accessKeyId: "test", secretAccessKey: "test" };

/** Every client of the tests speaks as this. */
export const CLIENT = { region: "us-east-1", credentials: CREDENTIALS } as const;

/** The same for a process. */
export const CREDENTIALS_ENV = {
  AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  AWS_EC2_METADATA_DISABLED: "true",
};

/** Clients of the test's own, past whatever stands between the functions and the services. */
export interface ServiceClients {
  dynamo: DynamoDBClient;
  s3: S3Client;
  sqs: SQSClient;
  destroy(): void;
}

export function serviceClients({ addresses }: Pick<Services, "addresses">): ServiceClients {
  const dynamo = new DynamoDBClient({ ...CLIENT, endpoint: addresses.DYNAMODB });
  const s3 = new S3Client({ ...CLIENT, endpoint: addresses.S3, forcePathStyle: true });
  const sqs = new SQSClient({ ...CLIENT, endpoint: addresses.SQS, useQueueUrlAsEndpoint: false });
  return {
    dynamo,
    s3,
    sqs,
    destroy() {
      for (const client of [dynamo, s3, sqs]) client.destroy();
    },
  };
}

/** Makes a bucket. */
export async function createBucket(s3: S3Client, Bucket: string): Promise<void> {
  await s3.send(new CreateBucketCommand({ Bucket }));
}
