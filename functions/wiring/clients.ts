/** Clients of AWS's services. A function makes those it needs once, when its module is loaded. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { S3Client } from "@aws-sdk/client-s3";
import { SchedulerClient } from "@aws-sdk/client-scheduler";
import { SQSClient } from "@aws-sdk/client-sqs";

/** How long a connection may take to open, in ms. */
const CONNECTED_WITHIN_MS = 1_000;
/** How long a service may take to answer, in ms: DynamoDB takes a few, SQS and the others tens. */
const ANSWERED_WITHIN_MS = 5_000;
/** The same for S3, whose answer to an upload of 50 MB takes as long as the upload. */
const OBJECT_WITHIN_MS = 60_000;

/** Retries that slow down while a service asks for it; connections that outlive a request. */
function settings(answeredWithinMs = ANSWERED_WITHIN_MS) {
  return {
    retryMode: "adaptive",
    maxAttempts: 6,
    requestHandler: {
      connectionTimeout: CONNECTED_WITHIN_MS,
      requestTimeout: answeredWithinMs,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: 64 },
      httpsAgent: { keepAlive: true, maxSockets: 64 },
    },
  } as const;
}

export const dynamoClient = (): DynamoDBClient => new DynamoDBClient(settings());

/** @param pathStyle for stand-ins that know no virtual hosts */
export const s3Client = (pathStyle: boolean): S3Client =>
  new S3Client({ ...settings(OBJECT_WITHIN_MS), forcePathStyle: pathStyle });

export const sqsClient = (): SQSClient => new SQSClient(settings());

export const eventBridgeClient = (): EventBridgeClient => new EventBridgeClient(settings());

export const schedulerClient = (): SchedulerClient => new SchedulerClient(settings());
