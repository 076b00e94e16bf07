/** What running turns needs, whoever asks for them. */
import { randomUUID } from "node:crypto";
import {
  createTurnRunner,
  type EventPublisher,
  type Logger,
  systemClock,
  type TurnQueue,
  type TurnRunner,
} from "@archmax-ai/host";
import { createEventBridgePublisher, createSqsTurnQueue, type SqsQueueOptions } from "@archmax-ai/host-aws";
import { createAwsAgentProvider } from "@archmax-ai/host-aws/agents";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { S3Client } from "@aws-sdk/client-s3";
import { agentOptions } from "./agent-options.ts";
import { dynamoClient, eventBridgeClient, s3Client } from "./clients.ts";
import { QUEUE, queueOptions } from "./command-queue.ts";
import type { Configuration } from "./configuration.ts";
import { createSessionPorts, SESSIONS, type SessionPorts } from "./session-ports.ts";

/** The variables it reads. */
export const TURNS = [...SESSIONS, ...QUEUE, "workspaceDir", "busName", "s3PathStyle"] as const;

export interface TurnPorts extends SessionPorts {
  runner: TurnRunner;
  queue: TurnQueue;
  publisher: EventPublisher;
  queueOptions: SqsQueueOptions;
  dynamo: DynamoDBClient;
  s3: S3Client;
}

export function createTurnPorts(
  configuration: Configuration<(typeof TURNS)[number]>,
  logger: Logger,
): TurnPorts {
  const { workspaceDir, checkpointsTable, bucket, busName, s3PathStyle } = configuration;
  const dynamo = dynamoClient();
  const s3 = s3Client(s3PathStyle);
  const options = { ...queueOptions(configuration, s3), logger };
  const queue = createSqsTurnQueue(options);
  const sessions = createSessionPorts(configuration, { dynamo, s3, queue });
  const publisher = createEventBridgePublisher({ client: eventBridgeClient(), busName });
  const agents = createAwsAgentProvider({ workspaceDir, dynamo, checkpointsTable, s3, bucket }, agentOptions);
  const runner = createTurnRunner({
    ...sessions,
    queue,
    publisher,
    agents,
    clock: systemClock,
    logger,
    newId: randomUUID,
  });
  return { ...sessions, runner, queue, publisher, queueOptions: options, dynamo, s3 };
}
