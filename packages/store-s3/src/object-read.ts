import { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { GetObjectCommand, type GetObjectCommandOutput, HeadObjectCommand } from "@aws-sdk/client-s3";
import { S3StoreError } from "./errors.ts";
import type { BucketAccess } from "./options.ts";
import { isAbsent } from "./s3-failure.ts";

/** An object as it was when its bytes were read. */
export interface StoredObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string | undefined;
  readonly modifiedAt: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What is known of an object without its bytes. */
export interface ObjectFacts {
  readonly size: number;
  readonly modifiedAt: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * How often an object whose body breaks off is asked for anew. The SDK repeats requests, but hands a body over
 * as it arrives and cannot repeat what was already handed over.
 */
const BODY_ATTEMPTS = 4;

/**
 * Reads an object whole, into one allocation of its size.
 *
 * @param maxBytes the largest object to load; a larger one is left where it is
 * @returns `undefined` when there is no object under the key
 * @throws S3StoreError for an object over the bound; otherwise what the SDK throws, checksum failures included
 */
export async function readObject(
  access: BucketAccess,
  key: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<StoredObject | undefined> {
  for (let attempt = 1; ; attempt++) {
    const response = await openObject(access, key);
    if (response === undefined) return undefined;
    const size = response.ContentLength;
    if (size !== undefined && size > maxBytes) {
      discard(response);
      throw new S3StoreError(`it has ${size} bytes, more than the ${maxBytes} this backend reads at once`);
    }
    try {
      return {
        bytes: await collect(bodyOf(response), size),
        etag: response.ETag,
        modifiedAt: (response.LastModified ?? new Date(0)).toISOString(),
        metadata: response.Metadata ?? {},
      };
    } catch (error) {
      if (attempt === BODY_ATTEMPTS) throw error;
    }
  }
}

/** Starts reading an object; `undefined` when there is none. The body must be read or discarded. */
export async function openObject(
  access: BucketAccess,
  key: string,
  signal?: AbortSignal,
): Promise<GetObjectCommandOutput | undefined> {
  const command = new GetObjectCommand({ Bucket: access.bucket, Key: key });
  try {
    return await access.client.send(command, signal === undefined ? {} : { abortSignal: signal });
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** The bytes of an opened object, as they arrive. */
export function bodyOf(response: GetObjectCommandOutput): AsyncIterable<Uint8Array> {
  const body = response.Body;
  if (body === undefined) return Readable.from([]);
  return body instanceof Readable ? body : Readable.fromWeb(body.transformToWebStream());
}

/** Lets go of a body that is not wanted, so that its connection is not held. */
export function discard(response: GetObjectCommandOutput): void {
  const body = response.Body;
  if (body instanceof Readable) body.on("error", () => {}).destroy();
}

/** Size and time of an object without its bytes; `undefined` when there is none. */
export async function headObject(access: BucketAccess, key: string): Promise<ObjectFacts | undefined> {
  try {
    const head = await access.client.send(new HeadObjectCommand({ Bucket: access.bucket, Key: key }));
    return {
      size: head.ContentLength ?? 0,
      modifiedAt: (head.LastModified ?? new Date(0)).toISOString(),
      metadata: head.Metadata ?? {},
    };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function collect(
  body: AsyncIterable<Uint8Array>,
  size: number | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  if (size === undefined) return new Uint8Array(Buffer.concat(await Readable.from(body).toArray()));
  const bytes = new Uint8Array(size);
  const fromNetwork = body instanceof IncomingMessage;
  let filled = 0;
  for await (const chunk of body) {
    if (filled + chunk.byteLength > size)
      throw new S3StoreError(`more than the announced ${size} bytes arrived`);
    bytes.set(chunk, filled);
    filled += chunk.byteLength;
    if (fromNetwork) release(chunk);
  }
  if (filled < size) throw new S3StoreError(`only ${filled} of ${size} bytes arrived`);
  return bytes;
}

/**
 * Gives back the memory of a chunk that was copied. V8 lets some 64 MB of such buffers pile up before it collects
 * any, which would double what a large download takes. Only for chunks of Node's own HTTP parser, which are copies
 * that nobody else holds.
 */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
