import {
  type Authenticator,
  type Clock,
  type Principal,
  SCOPES,
  type Scope,
  TENANT_PATTERN,
} from "@archmax-ai/host";
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { AuthConfig } from "./configuration.ts";
import { AuthenticationUnavailableError } from "./errors.ts";

/** Signatures by a key pair alone: with a shared secret, or with none, whoever can check a token can make one. */
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** How far the issuer's clock may be from this one, in seconds. */
const TOLERANCE_SECONDS = 30;
/** How long the JWKS URL is waited for, in ms. */
const KEYS_WITHIN_MS = 5_000;

const BEARER = /^Bearer +(\S+)$/i;

/**
 * What jose says of a token that is none of this issuer's for this audience now. Whatever else goes wrong, the keys
 * could not be had.
 */
const WRONG_TOKEN: ReadonlySet<string> = new Set([
  errors.JWTExpired.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWTInvalid.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSNoMatchingKey.code,
  errors.JWKSMultipleMatchingKeys.code,
]);

/**
 * Knows callers by `Authorization: Bearer <token>`: a signed JWT of the issuer for the audience, not expired, with a
 * subject, a tenant and scopes. The issuer's keys are fetched when first needed and kept for the instance's life;
 * an unknown key id fetches them again, at most every 30 s.
 *
 * Rejects with `AuthenticationUnavailableError` where the keys cannot be had.
 */
export function createJwtAuthenticator(
  config: Extract<AuthConfig, { kind: "jwt" }>,
  clock: Pick<Clock, "now">,
): Authenticator {
  const keys = createRemoteJWKSet(new URL(config.jwksUrl), { timeoutDuration: KEYS_WITHIN_MS });
  return {
    async authenticate(request) {
      const token = BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
      if (token === undefined) return null;
      const claims = await claimsOf(token, keys, config, new Date(clock.now()));
      return claims === null ? null : principalOf(claims, config);
    },
  };
}

async function claimsOf(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience }: Extract<AuthConfig, { kind: "jwt" }>,
  currentDate: Date,
): Promise<JWTPayload | null> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: TOLERANCE_SECONDS,
      requiredClaims: ["exp", "sub"],
      currentDate,
    });
    return payload;
  } catch (cause) {
    if (cause instanceof errors.JOSEError && WRONG_TOKEN.has(cause.code)) return null;
    throw new AuthenticationUnavailableError(cause);
  }
}

function principalOf(
  claims: JWTPayload,
  { tenantClaim, scopeClaim }: Extract<AuthConfig, { kind: "jwt" }>,
): Principal | null {
  const tenant = ownClaim(claims, tenantClaim);
  if (typeof tenant !== "string" || !TENANT_PATTERN.test(tenant)) return null;
  const { sub: subject } = claims;
  if (subject === undefined || subject === "") return null;
  return { tenant, subject, scopes: scopesOf(ownClaim(claims, scopeClaim)) };
}

function ownClaim(claims: JWTPayload, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

/** RFC 8693's text of scopes with spaces between, or a list. Scopes that are none of the host's count for nothing. */
function scopesOf(claim: unknown): Scope[] {
  const named = typeof claim === "string" ? claim.split(" ") : Array.isArray(claim) ? claim : [];
  return SCOPES.filter((scope) => named.includes(scope));
}
