import { createHash, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { type Authenticator, SCOPES, TENANT_PATTERN } from "../ports/authenticator.ts";
import { type Clock, systemClock } from "../ports/clock.ts";

/** One key as it is kept: never the key itself, only its SHA-256 (spec 07 §7). */
export const apiKeySchema = z.strictObject({
  /** Names the caller in logs. */
  label: z.string().min(1),
  /** SHA-256 of the key's UTF-8 bytes, 64 lower-case hex digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  tenant: z.string().regex(TENANT_PATTERN),
  scopes: z.array(z.enum(SCOPES)),
  /** ISO 8601 in UTC: from then on the key is no key. Absent: it stays one until it is revoked. */
  expiresAt: z.iso.datetime().exactOptional(),
});

export type ApiKey = z.infer<typeof apiKeySchema>;

/** Where an authenticator looks keys up. */
export interface ApiKeys {
  /** The key kept under a hash, expired or not; `null` where there is none. Rejects where it cannot find out. */
  find(sha256: string): Promise<ApiKey | null>;
}

/** The hash under which a key is kept: 64 lower-case hex digits. */
export function apiKeyHash(key: string): string {
  return createHash("sha256").update(key, "utf8").digest("hex");
}

/**
 * Keys from a list. A hash is compared with every key's in constant time, and with all of them, so that the time
 * taken tells nothing about any.
 */
export function listedApiKeys(keys: readonly ApiKey[]): ApiKeys {
  return {
    async find(sha256) {
      let match: ApiKey | null = null;
      for (const key of keys) if (isSameHash(key.sha256, sha256)) match = key;
      return match;
    },
  };
}

const BEARER = /^Bearer +(\S+)$/i;

/**
 * Knows callers by `Authorization: Bearer <key>`. What was presented is looked up by its hash, and the hash found is
 * compared with it in constant time.
 *
 * @param clock tells whether a key has expired
 */
export function createApiKeyAuthenticator(
  keys: ApiKeys,
  clock: Pick<Clock, "now"> = systemClock,
): Authenticator {
  return {
    async authenticate(request) {
      const presented = BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
      if (presented === undefined) return null;
      const sha256 = apiKeyHash(presented);
      const key = await keys.find(sha256);
      if (key === null || !isSameHash(key.sha256, sha256)) return null;
      if (key.expiresAt !== undefined && Date.parse(key.expiresAt) <= clock.now()) return null;
      return { tenant: key.tenant, subject: key.label, scopes: key.scopes };
    },
  };
}

function isSameHash(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left, "hex"), Buffer.from(right, "hex"));
}
