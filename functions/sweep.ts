/** Looks after what a crash left behind, every five minutes: turns, schedules, events, deletions. */
import { finishDeletion, sweep, systemClock } from "@archmax-ai/host";
import { createEventBridgePublisher, createSqsTurnQueue } from "@archmax-ai/host-aws";
import { dynamoClient } from "./wiring/clients/dynamo.ts";
import { eventBridgeClient } from "./wiring/clients/event-bridge.ts";
import { s3Client } from "./wiring/clients/s3.ts";
import { QUEUE, queueOptions } from "./wiring/command-queue.ts";
import { readConfiguration } from "./wiring/configuration.ts";
import type { Invocation } from "./wiring/invocation.ts";
import { createLogger } from "./wiring/logger.ts";
import { createSessionPorts, SESSIONS } from "./wiring/session-ports.ts";

const configuration = readConfiguration(process.env, [...SESSIONS, ...QUEUE, "busName", "s3PathStyle"]);
const { busName, s3PathStyle } = configuration;
const logger = createLogger();
const s3 = s3Client(s3PathStyle);
const queue = createSqsTurnQueue({ ...queueOptions(configuration, s3), logger });
const sessions = createSessionPorts(configuration, { dynamo: dynamoClient(), s3, queue });
const publisher = createEventBridgePublisher({ client: eventBridgeClient(), busName });

export async function handler(_event: unknown, context: Invocation): Promise<void> {
  logger.invokedWith(context);
  const report = await sweep({
    ...sessions,
    queue,
    publisher,
    clock: systemClock,
    logger,
    finishDeletion: (record) => finishDeletion(sessions, record),
  });
  logger.info("swept", { ...report });
}
