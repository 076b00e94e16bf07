/** Requests to DynamoDB: errors with names, and the outcome of conditional writes. */
import { conditionalWrite, type WriteOutcome } from "../tables/conditional-write.ts";
import { SessionRecordsStorageError, type StoragePlace } from "./errors.ts";

/** Runs a request. @throws SessionRecordsStorageError around whatever it throws */
export async function named<T>(place: StoragePlace, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw new SessionRecordsStorageError(place, error);
  }
}

/** Runs a conditional write. @throws SessionRecordsStorageError */
export async function conditional(
  place: StoragePlace,
  request: () => Promise<unknown>,
): Promise<WriteOutcome> {
  return named(place, () => conditionalWrite(request));
}
