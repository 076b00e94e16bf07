/** Timed resumes for tests: on this repository's stand-in for Scheduler, which fires, or on moto's, which does not. */
import { randomUUID } from "node:crypto";
import {
  CreateScheduleGroupCommand,
  SchedulerClient,
  type SchedulerClientConfig,
} from "@aws-sdk/client-scheduler";
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { afterAll, beforeAll } from "vitest";
import { type SchedulerServer, startSchedulerServer } from "../../../../test/support/aws/scheduler-server.ts";
import { createSqsTurnQueue } from "../queue/turn-queue.ts";
import type { ResumeSchedulesOptions } from "../schedules/resume-schedules.ts";
import { ON_MOTO, type SqsTestServer, type TestQueues } from "./sqs-server.ts";

export const ROLE = "arn:aws:iam::000000000000:role/archmax/scheduler";
export const LETTERS = "arn:aws:sqs:us-east-1:000000000000:archmax-schedule-letters";

/** The server of a test file. */
export interface SchedulerTestServer {
  /** A client of its own, patient with faults, so that a middleware reaches no other. */
  newClient(config?: SchedulerClientConfig): SchedulerClient;
  /** What schedules into these queues are made of, in a new group. */
  options(queues: TestQueues, client?: SchedulerClient): Promise<ResumeSchedulesOptions>;
  /** Moves the time forward, in milliseconds, and fires what came due. */
  advance(milliseconds: number): Promise<void>;
}

/** Starts the server before a file's tests and stops it after them. */
export function useScheduler(server: SqsTestServer): SchedulerTestServer {
  const clients: SchedulerClient[] = [];
  let stand: SchedulerServer | undefined;
  beforeAll(async () => {
    if (!ON_MOTO) stand = await startSchedulerServer({ sqsUrl: server.endpoint, now: server.clock.now });
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
    await stand?.close();
  });
  const newClient = (config: SchedulerClientConfig = {}) => {
    const client = new SchedulerClient({
      endpoint: stand?.url ?? server.endpoint,
      region: "us-east-1",
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
      retryStrategy: new ConfiguredRetryStrategy(12, () => 2),
      ...config,
    });
    clients.push(client);
    return client;
  };
  return {
    newClient,
    async options(queues, client = newClient()) {
      const group = `g-${randomUUID()}`;
      await newClient().send(new CreateScheduleGroupCommand({ Name: group }));
      return {
        client,
        group,
        roleArn: ROLE,
        queueArn: queues.queueArn,
        deadLetterQueueArn: LETTERS,
        queue: createSqsTurnQueue(queues),
        clock: server.clock,
      };
    },
    async advance(milliseconds) {
      await server.advance(milliseconds);
      // The server shares the clock: nothing is added to it, what is due is sent.
      await stand?.advance(0);
    },
  };
}
