import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import type { S3Client } from "@aws-sdk/client-s3";
import type { SchedulerClient } from "@aws-sdk/client-scheduler";
import type { SQSClient } from "@aws-sdk/client-sqs";

/** A client of any of the services: their middlewares differ in nothing but the names of inputs and outputs. */
export type AnyClient = DynamoDBClient | EventBridgeClient | S3Client | SchedulerClient | SQSClient;

/** The stack that a client's middlewares are added to. */
export const middlewareOf = (client: AnyClient): DynamoDBClient["middlewareStack"] =>
  client.middlewareStack as DynamoDBClient["middlewareStack"];
