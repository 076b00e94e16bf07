/** Requests to DynamoDB: errors with names, and the outcome of conditional writes. */
import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { SessionRecordsStorageError, type StoragePlace } from "./errors.ts";

/** Runs a request. @throws SessionRecordsStorageError around whatever it throws */
export async function named<T>(place: StoragePlace, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw new SessionRecordsStorageError(place, error);
  }
}

/**
 * What became of a conditional write. `unsure`: the condition does not hold now, but the request was sent more than
 * once, so an earlier sending may have been stored and its answer lost.
 */
export type WriteOutcome = "stored" | "refused" | "unsure";

/** Runs a conditional write. @throws SessionRecordsStorageError */
export async function conditional(
  place: StoragePlace,
  request: () => Promise<unknown>,
): Promise<WriteOutcome> {
  return named(place, async () => {
    try {
      await request();
      return "stored";
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return error.$metadata.attempts === 1 ? "refused" : "unsure";
    }
  });
}
