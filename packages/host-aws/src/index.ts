/**
 * The host's ports on AWS that need no model runtime; `@archmax-ai/host-aws/agents` is the one beside them.
 */
export { type AuthenticatorPorts, createAuthenticator } from "./auth/authenticator.ts";
export { type AuthConfig, authConfigSchema } from "./auth/configuration.ts";
export { AuthenticationRefusedError, AuthenticationUnavailableError } from "./auth/errors.ts";
export { EventsUnpublishedError, type UnpublishedEvent } from "./events/errors.ts";
export { createEventBridgePublisher, type EventBridgePublisherOptions } from "./events/publisher.ts";
export {
  type ApiKeyGrant,
  type CreatedApiKey,
  createDynamoApiKeys,
  type DynamoApiKeys,
  type DynamoApiKeysOptions,
  type ListedApiKey,
} from "./host-table/api-keys.ts";
export { HostTableCorruptError, HostTableStorageError } from "./host-table/errors.ts";
export {
  createDynamoIdempotencyStore,
  type DynamoIdempotencyStoreOptions,
} from "./host-table/idempotency-store.ts";
export {
  createDynamoSessionEventLog,
  type DynamoSessionEventLogOptions,
} from "./host-table/session-event-log.ts";
export { createHostTable } from "./host-table/table.ts";
export type { OverflowBucket } from "./overflow-bucket.ts";
export {
  createQueueHandler,
  type InvocationContext,
  type QueueHandlerOptions,
  type SqsBatchResponse,
  type SqsRecord,
  sqsDelivery,
} from "./queue/batch-handler.ts";
export type { DeliveryOutcome, SqsDelivery, SqsQueueOptions } from "./queue/deliveries.ts";
export { NoQueueEventError, TurnQueueStorageError } from "./queue/errors.ts";
export { createSqsTurnQueue, type SqsTurnQueueOptions } from "./queue/turn-queue.ts";
export { ResumeScheduleError } from "./schedules/errors.ts";
export { createResumeSchedules, type ResumeSchedulesOptions } from "./schedules/resume-schedules.ts";
export { createS3FileLinks, type S3FileLinksOptions } from "./session-data/file-links.ts";
export { createAwsSessionData } from "./session-data/session-data.ts";
export type { SessionStorageOptions } from "./session-data/tenant-storage.ts";
export {
  SessionRecordCorruptError,
  SessionRecordsStorageError,
  SessionRecordTooLargeError,
} from "./session-records/errors.ts";
export { createDynamoSessionRecords, type DynamoSessionRecordsOptions } from "./session-records/records.ts";
export { createSessionRecordsTable } from "./session-records/table.ts";
