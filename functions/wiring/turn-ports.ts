/** What running turns needs, whoever asks for them. */
import { randomUUID } from "node:crypto";
import {
  createTurnRunner,
  type EventPublisher,
  type Logger,
  systemClock,
  type TurnObserver,
  type TurnQueue,
  type TurnRunner,
} from "@archmax-ai/host";
import { createEventBridgePublisher, createSqsTurnQueue, type SqsQueueOptions } from "@archmax-ai/host-aws";
import { createAwsAgentProvider } from "@archmax-ai/host-aws/agents";
import { createTurnMetrics } from "@archmax-ai/host-aws/observability";
import { traceAgents } from "@archmax-ai/host-aws/tracing";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { S3Client } from "@aws-sdk/client-s3";
import { agentOptions } from "./agent-options.ts";
import { dynamoClient } from "./clients/dynamo.ts";
import { eventBridgeClient } from "./clients/event-bridge.ts";
import { s3Client } from "./clients/s3.ts";
import { QUEUE, queueOptions } from "./command-queue.ts";
import type { Configuration } from "./configuration.ts";
import { SERVICE_NAME } from "./logger.ts";
import { createSessionPorts, SESSIONS, type SessionPorts } from "./session-ports.ts";

/** The variables it reads. */
export const TURNS = [...SESSIONS, ...QUEUE, "stage", "workspaceDir", "busName", "s3PathStyle"] as const;

export interface TurnPorts extends SessionPorts {
  runner: TurnRunner;
  queue: TurnQueue;
  publisher: EventPublisher;
  observer: TurnObserver;
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
  const observer = createTurnMetrics({ serviceName: SERVICE_NAME, stage: configuration.stage });
  const agents = traceAgents(
    createAwsAgentProvider({ workspaceDir, dynamo, checkpointsTable, s3, bucket }, agentOptions),
    { serviceName: SERVICE_NAME },
  );
  const runner = createTurnRunner({
    ...sessions,
    queue,
    publisher,
    agents,
    observer,
    clock: systemClock,
    logger,
    newId: randomUUID,
  });
  return { ...sessions, runner, queue, publisher, observer, queueOptions: options, dynamo, s3 };
}
