/** What knows about sessions without running them: records, events, files, schedules. Carries no model runtime. */
import type {
  ResumeScheduler,
  SessionData,
  SessionEventLog,
  SessionRecords,
  TurnQueue,
} from "@archmax-ai/host";
import {
  createAwsSessionData,
  createDynamoSessionEventLog,
  createDynamoSessionRecords,
  createResumeSchedules,
} from "@archmax-ai/host-aws";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { S3Client } from "@aws-sdk/client-s3";
import { schedulerClient } from "./clients/scheduler.ts";
import type { Configuration } from "./configuration.ts";

/** The variables it reads. */
export const SESSIONS = [
  "recordsTable",
  "checkpointsTable",
  "hostTable",
  "bucket",
  "queueArn",
  "scheduleGroup",
  "scheduleRoleArn",
  "scheduleDeadLetterQueueArn",
  "retentionDays",
] as const;

const DAY_SECONDS = 86_400;

export interface SessionPorts {
  records: SessionRecords;
  eventLog: SessionEventLog;
  data: SessionData;
  scheduler: ResumeScheduler;
}

/** What sessions are kept in. */
export interface SessionClients {
  dynamo: DynamoDBClient;
  s3: S3Client;
  queue: TurnQueue;
}

export function createSessionPorts(
  configuration: Configuration<(typeof SESSIONS)[number]>,
  { dynamo, s3, queue }: SessionClients,
): SessionPorts {
  const { recordsTable, checkpointsTable, hostTable, bucket, retentionDays } = configuration;
  return {
    records: createDynamoSessionRecords({
      client: dynamo,
      tableName: recordsTable,
      ...(retentionDays !== undefined && { finishedTtlSeconds: Math.ceil(retentionDays * DAY_SECONDS) }),
    }),
    eventLog: createDynamoSessionEventLog({ client: dynamo, tableName: hostTable }),
    data: createAwsSessionData({ dynamo, checkpointsTable, s3, bucket }),
    scheduler: createResumeSchedules({
      client: schedulerClient(),
      group: configuration.scheduleGroup,
      roleArn: configuration.scheduleRoleArn,
      queueArn: configuration.queueArn,
      deadLetterQueueArn: configuration.scheduleDeadLetterQueueArn,
      queue,
    }),
  };
}
