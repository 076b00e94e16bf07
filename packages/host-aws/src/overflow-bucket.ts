import type { S3Client } from "@aws-sdk/client-s3";

/** Where goes what an item or a message cannot hold: `tenants/<tenant>/overflow/…`. */
export interface OverflowBucket {
  readonly client: S3Client;
  readonly bucket: string;
}
