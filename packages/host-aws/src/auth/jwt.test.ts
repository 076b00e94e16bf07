import { createHmac } from "node:crypto";
import { authenticatorContract } from "@archmax-ai/host/contracts";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { createManualClock } from "../../../host/src/testing-fixtures/manual-clock.ts";
import { useKeySetServer } from "../testing-fixtures/key-set-server.ts";
import { createAuthenticator } from "./authenticator.ts";
import { authConfigSchema } from "./configuration.ts";

const issuer = "https://issuer.example/";
const audience = "archmax";
const clock = createManualClock();
const seconds = () => Math.floor(clock.now() / 1_000);
const noKeys = { find: () => Promise.reject(new Error("no API key is asked for")) };

const server = useKeySetServer();
const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
const jwk = await exportJWK(publicKey);
const stranger = await generateKeyPair("RS256");

beforeEach(() => {
  server.answer = { status: 200, body: { keys: [{ ...jwk, kid: "k1", alg: "RS256", use: "sig" }] } };
});

function authenticator() {
  const config = authConfigSchema.parse({
    kind: "jwt",
    issuer,
    audience,
    jwksUrl: server.url,
    tenantClaim: "https://claims.example/tenant",
    scopeClaim: "scope",
  });
  return createAuthenticator(config, { stage: "production", apiKeys: noKeys, clock });
}

const CLAIMS: JWTPayload = {
  iss: issuer,
  aud: audience,
  sub: "user-7",
  "https://claims.example/tenant": "acme",
  scope: "sessions:read sessions:send admin",
};

function token(claims: JWTPayload = {}, key = privateKey, kid = "k1"): Promise<string> {
  const all: JWTPayload = { iat: seconds(), exp: seconds() + 300, ...CLAIMS, ...claims };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new SignJWT(given).setProtectedHeader({ alg: "RS256", kid }).sign(key);
}

/** A token made by hand: what no library signs. */
function handmade(header: object, secret?: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part(header)}.${part({ exp: seconds() + 300, ...CLAIMS })}`;
  const signature =
    secret === undefined ? "" : createHmac("sha256", secret).update(signed).digest("base64url");
  return `${signed}.${signature}`;
}

const asking = (credentials: string) =>
  new Request("https://host.example/workflows", { headers: { authorization: `Bearer ${credentials}` } });

const acme = { tenant: "acme", scopes: ["sessions:read", "sessions:send"] as const };

authenticatorContract({ describe, test }, async () => {
  const good = async (name: string, claims: JWTPayload, scopes: readonly string[] = acme.scopes) => ({
    name,
    request: asking(await token(claims)),
    principal: { tenant: "acme", scopes: scopes as never },
  });
  const bad = async (name: string, credentials: string | Promise<string>) => ({
    name,
    request: asking(await credentials),
  });
  const pem = `${(await exportJWK(publicKey)).n}`;
  return {
    subject: authenticator(),
    good: await Promise.all([
      good("a text of scopes", {}),
      good("a list of scopes", { scope: ["sessions:decide", "nonsense", 7] }, ["sessions:decide"]),
      good("no scopes", { scope: undefined }, []),
      good("a clock 20 s ahead", { nbf: seconds() + 20 }),
      good("several audiences", { aud: ["other", audience] }),
    ]),
    bad: await Promise.all([
      bad("an expired token", token({ exp: seconds() - 31 })),
      bad("one that is not valid yet", token({ nbf: seconds() + 60 })),
      bad("one that never expires", token({ exp: undefined as never })),
      bad("another audience", token({ aud: "other" })),
      bad("no audience", token({ aud: undefined as never })),
      bad("another issuer", token({ iss: "https://issuer.example" })),
      bad("no subject", token({ sub: undefined as never })),
      bad("no tenant", token({ "https://claims.example/tenant": undefined })),
      bad("a tenant that is none", token({ "https://claims.example/tenant": "../acme" })),
      bad("a list of tenants", token({ "https://claims.example/tenant": ["acme"] })),
      bad("another's key under the same id", token({}, stranger.privateKey)),
      bad("an unknown key id", token({}, stranger.privateKey, "k2")),
      bad("alg none", handmade({ alg: "none" })),
      bad("alg none, spelled otherwise", handmade({ alg: "nOnE", kid: "k1" })),
      bad("HS256 with the public key as the secret", handmade({ alg: "HS256", kid: "k1" }, pem)),
      bad("no token at all", "abc"),
      bad("a critical header nobody knows", handmade({ alg: "RS256", kid: "k1", crit: ["x"], x: 1 })),
    ]),
  };
});

test("the keys are fetched once, and once more for a key that is new", async () => {
  const subject = authenticator();
  const before = server.asked;
  for (let call = 0; call < 5; call += 1) {
    expect(await subject.authenticate(asking(await token()))).toMatchObject({ subject: "user-7" });
  }
  expect(server.asked - before).toBe(1);
});

test("keys out of reach are no wrong token", async () => {
  server.answer = { status: 500, body: {} };
  await expect(authenticator().authenticate(asking(await token()))).rejects.toMatchObject({
    name: "AuthenticationUnavailableError",
  });
  server.answer = { status: 200, body: { nonsense: true } };
  await expect(authenticator().authenticate(asking(await token()))).rejects.toMatchObject({
    name: "AuthenticationUnavailableError",
  });
});

test("a claim's name that every object has is no claim", async () => {
  const config = authConfigSchema.parse({
    kind: "jwt",
    issuer,
    audience,
    jwksUrl: server.url,
    tenantClaim: "constructor",
    scopeClaim: "toString",
  });
  const subject = createAuthenticator(config, { stage: "test", apiKeys: noKeys, clock });
  expect(await subject.authenticate(asking(await token()))).toBeNull();
});
