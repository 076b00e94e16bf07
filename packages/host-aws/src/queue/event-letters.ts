/** Dead letters that never were commands: events that map to nothing valid (spec 07 §5). */
import { createHash } from "node:crypto";
import { TENANT_PATTERN } from "@archmax-ai/host";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import type { OverflowBucket } from "../overflow-bucket.ts";
import { named } from "./errors.ts";
import { messageText } from "./message-body.ts";

/** What their groups begin with. Each has one of its own: none holds up another, nor a redrive, which takes commands. */
const GROUP_PREFIX = "event-letter-";

/** The group of a letter. */
export const letterGroup = (id: string): string => `${GROUP_PREFIX}${id}`;

/** Whether a group is a letter's. */
export const isLetterGroup = (group: string): boolean => group.startsWith(GROUP_PREFIX);

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

/**
 * The letter in a dead letter's text, wherever it is kept; `undefined` where the text is a command's.
 *
 * @throws TurnQueueStorageError
 */
export async function keptLetter(
  { client, bucket }: OverflowBucket,
  text: string,
): Promise<{ letter: unknown } | undefined> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return undefined;
  if ("letter" in value) return { letter: value.letter };
  if (!("letterObject" in value) || typeof value.letterObject !== "string") return undefined;
  const Key = value.letterObject;
  const kept = await named("GetObject", bucket, async () => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }));
    return await Body?.transformToString();
  });
  return { letter: JSON.parse(kept ?? "null") };
}

/** Whose letter it is; `-`, which is no tenant's id, where it does not say. */
function tenantOf(letter: unknown): string {
  const tenant =
    typeof letter === "object" && letter !== null && "tenant" in letter ? letter.tenant : undefined;
  return typeof tenant === "string" && TENANT_PATTERN.test(tenant) ? tenant : "-";
}
