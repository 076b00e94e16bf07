/** Dead letters that never were commands: events that map to nothing valid (spec 07 §5). */
import { createHash } from "node:crypto";
import { TENANT_PATTERN } from "@archmax-ai/host";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { named } from "./errors.ts";
import { messageText } from "./message-body.ts";
import type { OverflowBucket } from "./overflow.ts";

/** Their group: they come in order, and a redrive, which takes commands alone, is not held up by them. */
export const EVENT_LETTER_GROUP = "event-letters";

/** What of an event letter is the same when the event is put aside again. */
export function letterId(letter: unknown, reason: string): string {
  return createHash("sha256")
    .update(JSON.stringify([letter, reason]))
    .digest("hex");
}

/**
 * The text of the message that carries a letter: the letter itself, or the key of the object that keeps it where it is
 * too large.
 *
 * @throws TurnQueueStorageError
 */
export async function letterText(
  { client, bucket }: OverflowBucket,
  letter: unknown,
  { maxBytes, newId }: { maxBytes: number; newId: () => string },
): Promise<string> {
  const whole = messageText({ letter });
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  const Key = `tenants/${tenantOf(letter)}/overflow/letters/${newId()}`;
  await named("PutObject", bucket, () =>
    client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key,
        Body: JSON.stringify(letter),
        ContentType: "application/json",
      }),
    ),
  );
  return messageText({ letterObject: Key });
}

/** Whose letter it is; `-`, which is no tenant's id, where it does not say. */
function tenantOf(letter: unknown): string {
  const tenant =
    typeof letter === "object" && letter !== null && "tenant" in letter ? letter.tenant : undefined;
  return typeof tenant === "string" && TENANT_PATTERN.test(tenant) ? tenant : "-";
}
