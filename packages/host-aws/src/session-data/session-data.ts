import type { SessionData } from "@archmax-ai/host";
import { type SessionStorageOptions, tenantCheckpointer, tenantSessionStore } from "./tenant-storage.ts";

/**
 * The stored sessions: files on S3 under `tenants/<tenant>/runs`, checkpoints in DynamoDB in partitions that start
 * with the tenant (spec 07 §7, §8). Runs nothing and carries no model runtime.
 */
export function createAwsSessionData(options: SessionStorageOptions): SessionData {
  return {
    forTenant(tenant) {
      return {
        sessionStore: tenantSessionStore(options, tenant),
        checkpointer: tenantCheckpointer(options, tenant),
      };
    },
  };
}
