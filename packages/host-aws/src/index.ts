/** The host's ports on AWS. */
export { EventsUnpublishedError, type UnpublishedEvent } from "./events/errors.ts";
export { createEventBridgePublisher, type EventBridgePublisherOptions } from "./events/publisher.ts";
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
export type { OverflowBucket } from "./queue/overflow.ts";
export { createSqsTurnQueue, type SqsTurnQueueOptions } from "./queue/turn-queue.ts";
export { ResumeScheduleError } from "./schedules/errors.ts";
export { createResumeSchedules, type ResumeSchedulesOptions } from "./schedules/resume-schedules.ts";
export {
  SessionRecordCorruptError,
  SessionRecordsStorageError,
  SessionRecordTooLargeError,
} from "./session-records/errors.ts";
export { createDynamoSessionRecords, type DynamoSessionRecordsOptions } from "./session-records/records.ts";
export { createSessionRecordsTable } from "./session-records/table.ts";
