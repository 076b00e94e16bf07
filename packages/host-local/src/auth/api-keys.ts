import { createHash, timingSafeEqual } from "node:crypto";
import { type Authenticator, SCOPES, TENANT_PATTERN } from "@archmax-ai/host";
import * as z from "zod";

/** One key as it is kept: never the key itself, only its SHA-256 (spec 07 §7). */
export const apiKeySchema = z.strictObject({
  /** Names the caller in logs. */
  label: z.string().min(1),
  /** SHA-256 of the key's UTF-8 bytes, 64 lower-case hex digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  tenant: z.string().regex(TENANT_PATTERN),
  scopes: z.array(z.enum(SCOPES)),
});

export type ApiKey = z.infer<typeof apiKeySchema>;

/** The hash under which a key is kept: 64 lower-case hex digits. */
export function apiKeyHash(key: string): string {
  return createHash("sha256").update(key, "utf8").digest("hex");
}

const BEARER = /^Bearer +(\S+)$/i;

/**
 * Knows callers by `Authorization: Bearer <key>`. The hash of what was presented is compared with every key's
 * in constant time, and with all of them, so that the time taken tells nothing about any.
 */
export function createApiKeyAuthenticator(keys: readonly ApiKey[]): Authenticator {
  const known = keys.map((key) => ({ key, digest: Buffer.from(key.sha256, "hex") }));
  return {
    async authenticate(request) {
      const presented = BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
      if (presented === undefined) return null;
      const digest = createHash("sha256").update(presented, "utf8").digest();
      let match: ApiKey | null = null;
      for (const each of known) {
        if (timingSafeEqual(each.digest, digest)) match = each.key;
      }
      return match === null ? null : { tenant: match.tenant, subject: match.label, scopes: match.scopes };
    },
  };
}
