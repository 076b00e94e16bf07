import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";

/**
 * What became of a conditional write. `unsure`: the condition does not hold now, but the request was sent more than
 * once, so an earlier sending may have been stored and its answer lost.
 */
export type WriteOutcome = "stored" | "refused" | "unsure";

/** Sends a conditional write. Throws what it throws but for the condition that does not hold. */
export async function conditionalWrite(request: () => Promise<unknown>): Promise<WriteOutcome> {
  try {
    await request();
    return "stored";
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.$metadata.attempts === 1 ? "refused" : "unsure";
  }
}
