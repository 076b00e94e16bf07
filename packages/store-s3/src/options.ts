import type { PutObjectCommandInput, S3Client } from "@aws-sdk/client-s3";

/** Server-side encryption of every object written, in the SDK's own terms; the bucket's default unless given. */
export type S3Encryption = Pick<
  PutObjectCommandInput,
  "ServerSideEncryption" | "SSEKMSKeyId" | "BucketKeyEnabled" | "SSEKMSEncryptionContext"
>;

/** What an {@link S3Backend} is made of. */
export interface S3BackendOptions {
  /** The client to send with. Its retries, timeouts, credentials and checksum settings are the application's. */
  client: S3Client;
  /** The bucket that holds the files. */
  bucket: string;
  /**
   * What every key starts with, for example `tenants/a`; surrounding slashes do not matter. Nothing outside it
   * can be named: `tenants/a` never reaches `tenants/ab`. The whole bucket unless given.
   */
  prefix?: string | undefined;
  /** How many objects one call reads or writes at a time; 16 unless given. */
  concurrency?: number | undefined;
  /**
   * The largest object, in bytes, that `read`, `edit` and `append` load and `grep` looks into; 10,485,760
   * unless given. `readRaw` and `downloadFiles` know no bound.
   */
  maxReadBytes?: number | undefined;
  /** Server-side encryption of what is written. */
  sse?: S3Encryption | undefined;
}

/** A bucket and how to work with it: what each operation is given. */
export interface BucketAccess {
  readonly client: S3Client;
  readonly bucket: string;
  readonly concurrency: number;
  readonly maxReadBytes: number;
  readonly sse: S3Encryption;
}

const CONCURRENCY = 16;
const MAX_READ_BYTES = 10_485_760;

/** @throws RangeError for a bound that is no positive whole number. */
export function bucketAccess(options: S3BackendOptions): BucketAccess {
  const { client, bucket, concurrency = CONCURRENCY, maxReadBytes = MAX_READ_BYTES, sse = {} } = options;
  for (const [name, value] of Object.entries({ concurrency, maxReadBytes })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`'${name}' must be a positive whole number, not ${value}`);
    }
  }
  return { client, bucket, concurrency, maxReadBytes, sse };
}
