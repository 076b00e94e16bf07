import { SCOPES, TENANT_PATTERN } from "@archmax-ai/host";
import * as z from "zod";

const tenant = z.string().regex(TENANT_PATTERN, "must be a tenant id: a-z, 0-9 and -, at most 63 characters");
const scopes = z.array(z.enum(SCOPES)).default([...SCOPES]);

/**
 * How a stage knows its callers (spec 07 §7), as `ARCHMAX_AUTH` says it in JSON:
 *
 * - `apiKey`: keys in the host's table.
 * - `jwt`: tokens of an issuer, signed by a key of its JWKS URL; tenant and scopes are claims.
 * - `iam`: function URLs with `AWS_IAM`; the tenant is a request header, which the caller's policy must pin. Scopes:
 *   all unless named.
 * - `none`: everybody is the tenant named. Refused in production. Scopes: all unless named.
 */
export const authConfigSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("apiKey") }),
  z.strictObject({
    kind: z.literal("jwt"),
    issuer: z.string().min(1),
    audience: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
    jwksUrl: z.url().refine(isTrustworthy, "must be https, so that nobody on the way can put keys into it"),
    tenantClaim: z.string().min(1),
    scopeClaim: z.string().min(1),
  }),
  z.strictObject({ kind: z.literal("iam"), tenantHeader: z.string().min(1), scopes }),
  z.strictObject({ kind: z.literal("none"), tenant, scopes }),
]);

/** How a stage knows its callers, read. */
export type AuthConfig = z.infer<typeof authConfigSchema>;

/** Whether what the URL answers comes from who it names: over TLS, or from this machine. */
function isTrustworthy(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (
    protocol === "https:" || (protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(hostname))
  );
}
