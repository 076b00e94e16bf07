/** Commands too large for a message, as objects below their tenant's prefix. */
import type { Command } from "@archmax-ai/host";
import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand } from "@aws-sdk/client-s3";
import type { OverflowBucket } from "../overflow-bucket.ts";
import { named } from "./errors.ts";
import { NoCommandError, parseCommand } from "./message-body.ts";

/** Keeps a command and gives the object's key. Each time it is another object: each message has one of its own. */
export async function keepCommand(
  { client, bucket }: OverflowBucket,
  command: Command,
  newId: () => string,
): Promise<string> {
  const Key = `tenants/${command.tenant}/overflow/commands/${newId()}`;
  await named("PutObject", bucket, () =>
    client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key,
        Body: JSON.stringify(command),
        ContentType: "application/json",
      }),
    ),
  );
  return Key;
}

/**
 * Reads a command that was kept.
 *
 * @throws NoCommandError where there is none under the key, or something else
 * @throws TurnQueueStorageError
 */
export async function keptCommand({ client, bucket }: OverflowBucket, Key: string): Promise<Command> {
  const text = await named("GetObject", bucket, async () => {
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }));
      return await Body?.transformToString();
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  });
  if (text === undefined) throw new NoCommandError("The object that kept the message's command is gone.");
  const command = parseCommand(text);
  if (!Key.startsWith(`tenants/${command.tenant}/overflow/`))
    throw new NoCommandError("The message refers to an object of another tenant.");
  return command;
}

/** @throws TurnQueueStorageError */
export async function removeCommand({ client, bucket }: OverflowBucket, Key: string): Promise<void> {
  await named("DeleteObject", bucket, () => client.send(new DeleteObjectCommand({ Bucket: bucket, Key })));
}
