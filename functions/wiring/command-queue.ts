/** The queue of commands. */
import type { SqsQueueOptions } from "@archmax-ai/host-aws";
import type { S3Client } from "@aws-sdk/client-s3";
import { sqsClient } from "./clients/sqs.ts";
import type { Configuration } from "./configuration.ts";

/** The variables it reads. */
export const QUEUE = ["queueUrl", "deadLetterQueueUrl", "bucket"] as const;

/** What the queue and the handler of its messages are made from. */
export function queueOptions(
  { queueUrl, deadLetterQueueUrl, bucket }: Configuration<(typeof QUEUE)[number]>,
  s3: S3Client,
): SqsQueueOptions {
  return { client: sqsClient(), queueUrl, deadLetterQueueUrl, overflow: { client: s3, bucket } };
}
