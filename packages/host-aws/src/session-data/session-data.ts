import { sessionFolder } from "@archmax-ai/harness/internal/sessions";
import { isChildSessionOf } from "@archmax-ai/harness/spec";
import type { SessionData } from "@archmax-ai/host";
import { paginateListObjectsV2 } from "@aws-sdk/client-s3";
import {
  runsPrefix,
  type SessionStorageOptions,
  tenantCheckpointer,
  tenantSessionStore,
} from "./tenant-storage.ts";

/**
 * The stored sessions: files on S3 under `tenants/<tenant>/runs`, checkpoints in DynamoDB in partitions that start
 * with the tenant (spec 07 §7, §8). Runs nothing and carries no model runtime.
 */
export function createAwsSessionData(options: SessionStorageOptions): SessionData {
  return {
    forTenant(tenant) {
      const checkpointer = tenantCheckpointer(options, tenant);
      return {
        sessionStore: tenantSessionStore(options, tenant),
        checkpointer,
        async childrenOf(sessionId) {
          const found = new Set(await childFolders(options, tenant, sessionId));
          for await (const thread of checkpointer.threadIds(`${sessionId}~`)) found.add(thread);
          return [...found].filter((id) => isChildSessionOf(id, sessionId));
        },
      };
    },
  };
}

/** The folders whose names begin as a child's does; a child may have checkpoints and no files, or files alone. */
async function childFolders(
  { s3, bucket }: SessionStorageOptions,
  tenant: string,
  sessionId: string,
): Promise<string[]> {
  const root = `${runsPrefix(tenant)}/`;
  const folders: string[] = [];
  const pages = paginateListObjectsV2(
    { client: s3 },
    { Bucket: bucket, Prefix: `${root}${sessionFolder(sessionId)}~`, Delimiter: "/" },
  );
  for await (const { CommonPrefixes = [] } of pages) {
    for (const { Prefix = "" } of CommonPrefixes) folders.push(Prefix.slice(root.length, -1));
  }
  return folders;
}
