/**
 * List prices in US dollars, us-east-1, as AWS's pricing pages had them in November 2026; no free tier, no savings.
 * Change them here, and `npm run bench:host` reckons with yours.
 */
export const LIST_PRICES = {
  /** DynamoDB on demand, each unit: up to 1 KB written, up to 4 KB read with strong consistency. */
  dynamoWriteUnit: 0.625 / 1_000_000,
  dynamoReadUnit: 0.125 / 1_000_000,
  /** S3 Standard, each request. */
  s3Write: 0.005 / 1_000,
  s3Read: 0.0004 / 1_000,
  /** SQS FIFO, each request. */
  sqsRequest: 0.5 / 1_000_000,
  /** EventBridge, each event of one's own. */
  event: 1 / 1_000_000,
  /** EventBridge Scheduler, each invocation. */
  schedule: 1 / 1_000_000,
} as const;
