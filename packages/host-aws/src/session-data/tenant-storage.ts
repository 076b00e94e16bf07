/** Where a tenant's sessions are: the one place that says so, for those that read them and those that run them. */

import { DynamoDBSaver } from "@archmax-ai/checkpoint-dynamodb";
import { TENANT_PATTERN } from "@archmax-ai/host";
import { createS3SessionStore, type S3SessionStore } from "@archmax-ai/store-s3";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { S3Client } from "@aws-sdk/client-s3";

/** What the sessions are kept in. */
export interface SessionStorageOptions {
  readonly dynamo: DynamoDBClient;
  /** A table as `DynamoDBSaver.createTable` makes it. */
  readonly checkpointsTable: string;
  readonly s3: S3Client;
  readonly bucket: string;
  /** Retention of checkpoints in seconds, counted from the last one. Default: for ever. */
  readonly ttlSeconds?: number;
}

/** @throws RangeError for a tenant id that is none; no key is ever made from one */
export function assertTenant(tenant: string): void {
  if (!TENANT_PATTERN.test(tenant)) throw new RangeError(`${JSON.stringify(tenant)} is no tenant id.`);
}

/** What the keys of a tenant's session files start with, without a final slash. @throws RangeError */
export function runsPrefix(tenant: string): string {
  assertTenant(tenant);
  return `tenants/${tenant}/runs`;
}

/** A tenant's session folders. @throws RangeError */
export function tenantSessionStore({ s3, bucket }: SessionStorageOptions, tenant: string): S3SessionStore {
  return createS3SessionStore({ client: s3, bucket, prefix: runsPrefix(tenant) });
}

/**
 * A tenant's checkpoints; values above about 350 KB are objects beside the session files.
 *
 * @param fence the token a thread is written with; without it nothing of a fenced thread can be written
 * @throws RangeError
 */
export function tenantCheckpointer(
  options: SessionStorageOptions,
  tenant: string,
  fence?: (threadId: string) => number | undefined,
): DynamoDBSaver {
  assertTenant(tenant);
  const { dynamo, checkpointsTable, s3, bucket, ttlSeconds } = options;
  return new DynamoDBSaver({
    client: dynamo,
    tableName: checkpointsTable,
    keyPrefix: tenant,
    overflow: { client: s3, bucket, prefix: `tenants/${tenant}/overflow/checkpoints/` },
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    ...(fence === undefined ? {} : { fence }),
  });
}
