/** HOST-019 Callers known by tokens of an issuer, through the deployed functions. */
import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { arrival, call, session, WORKFLOW } from "../support/api-client.ts";
import { type DeployedWorkspace, deployWorkspace } from "../support/deployed-workspace.ts";

const ISSUER = "https://issuer.example/";
const AUDIENCE = "archmax";
const KEY_ID = "test-key";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const stranger = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;

let served: DeployedWorkspace;
let keySet: Server;

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function token(
  claims: Record<string, unknown>,
  { key = privateKey, alg = "RS256" }: { key?: KeyObject; alg?: string } = {},
) {
  const now = Math.floor(Date.now() / 1_000);
  const body = `${encoded({ alg, kid: KEY_ID, typ: "JWT" })}.${encoded({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: "someone",
    exp: now + 600,
    tenant: "local",
    scope: "sessions:send sessions:read sessions:decide workflows:read",
    ...claims,
  })}`;
  return `${body}.${alg === "none" ? "" : createSign("RSA-SHA256").update(body).sign(key, "base64url")}`;
}

const as = (apiKey: string) => ({ url: served.host.url, apiKey });

beforeAll(async () => {
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: KEY_ID, alg: "RS256", use: "sig" };
  keySet = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys: [jwk] }));
  }).listen(0, "127.0.0.1");
  await once(keySet, "listening");
  served = await deployWorkspace(0, {
    auth: {
      kind: "jwt",
      issuer: ISSUER,
      audience: AUDIENCE,
      jwksUrl: `http://127.0.0.1:${(keySet.address() as AddressInfo).port}/`,
      tenantClaim: "tenant",
      scopeClaim: "scope",
    },
  });
  const opened = await call(as(token({})), `${session("held")}/send`, { body: arrival("held") });
  expect(opened.json).toMatchObject({ kind: "parked" });
}, 120_000);
afterAll(async () => {
  await served?.stop();
  keySet?.close();
});

test.each([
  ["none at all", undefined],
  ["no token", ""],
  ["one that has expired", () => token({ exp: Math.floor(Date.now() / 1_000) - 60 })],
  ["one that never expires", () => token({ exp: undefined })],
  ["one for another audience", () => token({ aud: "elsewhere" })],
  ["one of another issuer", () => token({ iss: "https://other.example/" })],
  ["one that is not signed", () => token({}, { alg: "none" })],
  ["one signed by somebody else", () => token({}, { key: stranger })],
  ["one without a tenant", () => token({ tenant: undefined })],
  ["an API key", () => served.host.apiKey],
])("HOST-019 %s is 401, on a verb and on a reading route", async (_what, credentials) => {
  const apiKey = typeof credentials === "function" ? credentials() : credentials;
  const caller = { url: served.host.url, apiKey };
  for (const answer of [
    await call(caller, `${session("held")}/decide`, { body: { target: "rejected" } }),
    await call(caller, `${WORKFLOW}/sessions`),
    await call(caller, "/workflows"),
  ]) {
    expect(answer.status).toBe(401);
    expect(answer.json.type).toBe("/problems/unauthenticated-error");
  }
});

test("HOST-019 a token of another tenant is 404, one without the scope 403", async () => {
  const decide = (apiKey: string) =>
    call(as(apiKey), `${session("held")}/decide`, { body: { target: "rejected" } });
  expect((await decide(token({ tenant: "elsewhere" }))).status).toBe(404);
  const forbidden = await decide(token({ scope: "sessions:send sessions:read" }));
  expect(forbidden.status).toBe(403);
  expect(forbidden.json).toMatchObject({ type: "/problems/forbidden-error", scope: "sessions:decide" });
  expect((await call(as(token({})), session("held"))).json).toMatchObject({ status: "awaiting_decision" });
});
