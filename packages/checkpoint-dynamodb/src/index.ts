/** A LangGraph.js checkpointer on DynamoDB. */
export type { Compression } from "./compression.ts";
export { CheckpointCorruptError, CheckpointStorageError, StaleWriterError } from "./errors.ts";
export type { OverflowOptions } from "./overflow.ts";
export { DynamoDBSaver, type DynamoDBSaverOptions } from "./saver.ts";
