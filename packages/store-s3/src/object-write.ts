import { PutObjectCommand, type PutObjectCommandInput } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { BucketAccess } from "./options.ts";

/** Objects above this many bytes are sent in parts of this many. */
export const PART_BYTES = 8 * 1024 * 1024;

/** How many parts of one object are under way at a time. */
const PARTS_AT_ONCE = 4;

/** What is stored under a key. */
export interface ObjectContent {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly metadata?: Record<string, string>;
}

/** That an object must not be there yet, or must still be the one that was read. */
export type WriteCondition = { IfNoneMatch: "*" } | { IfMatch: string };

/** Stores an object whatever was there before; a large one in parts, of which none stays behind on failure. */
export async function storeObject(access: BucketAccess, content: ObjectContent): Promise<void> {
  if (content.bytes.byteLength <= PART_BYTES) return putObject(access, content);
  const upload = new Upload({
    client: access.client,
    params: inputOf(access, content),
    partSize: PART_BYTES,
    queueSize: PARTS_AT_ONCE,
  });
  await upload.done();
}

/** Stores an object in one request, under a condition if one is given: all of it or none. */
export async function putObject(
  access: BucketAccess,
  content: ObjectContent,
  condition?: WriteCondition,
): Promise<void> {
  await access.client.send(new PutObjectCommand({ ...inputOf(access, content), ...condition }));
}

function inputOf({ bucket, sse }: BucketAccess, content: ObjectContent) {
  const { key, bytes, contentType, metadata } = content;
  return {
    ...sse,
    Bucket: bucket,
    Key: key,
    Body: bytes,
    ContentType: contentType,
    ...(metadata !== undefined && { Metadata: metadata }),
  } satisfies PutObjectCommandInput;
}
