/** The host's ports on AWS. */
export {
  SessionRecordCorruptError,
  SessionRecordsStorageError,
  SessionRecordTooLargeError,
} from "./session-records/errors.ts";
export { createDynamoSessionRecords, type DynamoSessionRecordsOptions } from "./session-records/records.ts";
export { createSessionRecordsTable } from "./session-records/table.ts";
