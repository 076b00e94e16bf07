import { SCOPES } from "@archmax-ai/host";
import { authenticatorContract } from "@archmax-ai/host/contracts";
import { describe, expect, test } from "vitest";
import { createDynamoApiKeys } from "../host-table/api-keys.ts";
import { useDatabase } from "../testing-fixtures/database.ts";
import { createAuthenticator } from "./authenticator.ts";
import { authConfigSchema } from "./configuration.ts";

const database = useDatabase();
const noKeys = { find: () => Promise.reject(new Error("no API key is asked for")) };
const asking = (headers: Record<string, string>) =>
  new Request("https://host.example/workflows", { headers });

authenticatorContract({ describe, test }, async () => {
  const apiKeys = createDynamoApiKeys({ client: database.client(), tableName: await database.hostTable() });
  const { key, id } = await apiKeys.create({ tenant: "acme", scopes: ["sessions:send"], label: "ci" });
  const { key: former } = await apiKeys.create({
    tenant: "acme",
    scopes: [...SCOPES],
    label: "former",
    expiresAt: "2020-01-01T00:00:00.000Z",
  });
  return {
    subject: createAuthenticator(authConfigSchema.parse({ kind: "apiKey" }), { stage: "prod", apiKeys }),
    good: [
      {
        request: asking({ authorization: `Bearer ${key}` }),
        principal: { tenant: "acme", scopes: ["sessions:send"] },
      },
    ],
    bad: [
      { name: "an expired key", request: asking({ authorization: `Bearer ${former}` }) },
      { name: "a key's id", request: asking({ authorization: `Bearer ${id}` }) },
      { name: "part of a key", request: asking({ authorization: `Bearer ${key.slice(0, -1)}` }) },
    ],
  };
});

describe("iam", () => {
  const event = (iam: unknown) => ({
    event: {},
    requestContext: { authorizer: { iam }, http: { method: "GET" } },
    lambdaContext: {},
  });
  const caller = event({
    accessKey: "ASIAEXAMPLE",
    accountId: "111122223333",
    userArn: "arn:aws:sts::111122223333:assumed-role/erp/batch",
  });
  const config = (part: object = {}) =>
    authConfigSchema.parse({ kind: "iam", tenantHeader: "X-Tenant", ...part });
  const made = (part: object = {}) => createAuthenticator(config(part), { stage: "prod", apiKeys: noKeys });

  test("the caller is who Lambda says, in the tenant of the header", async () => {
    expect(await made().authenticate(asking({ "x-tenant": "acme" }), caller)).toEqual({
      tenant: "acme",
      subject: "arn:aws:sts::111122223333:assumed-role/erp/batch",
      scopes: SCOPES,
    });
    expect(
      await made({ scopes: ["sessions:send"] }).authenticate(asking({ "x-tenant": "acme" }), caller),
    ).toMatchObject({ scopes: ["sessions:send"] });
  });

  test.each([
    ["no tenant", {}, caller],
    ["a tenant that is none", { "x-tenant": "Acme" }, caller],
    ["two tenants", { "x-tenant": "acme, other" }, caller],
    ["no signature", { "x-tenant": "acme" }, event(undefined)],
    ["no platform", { "x-tenant": "acme" }, undefined],
    ["an empty ARN", { "x-tenant": "acme" }, event({ userArn: "" })],
    ["what a caller writes himself", { "x-tenant": "acme", "x-amzn-iam": "arn:aws:iam::1:root" }, {}],
  ])("%s is nobody", async (_, headers, bindings) => {
    expect(await made().authenticate(asking(headers as Record<string, string>), bindings)).toBeNull();
  });
});

describe("none", () => {
  const config = authConfigSchema.parse({ kind: "none", tenant: "acme" });

  test("everybody is the tenant", async () => {
    const subject = createAuthenticator(config, { stage: "dev", apiKeys: noKeys });
    expect(await subject.authenticate(asking({}))).toEqual({
      tenant: "acme",
      subject: "anybody",
      scopes: SCOPES,
    });
  });

  test.each(["production", "prod", "Production", "PROD", " prod "])("is refused in %j", (stage) => {
    expect(() => createAuthenticator(config, { stage, apiKeys: noKeys })).toThrow(
      /may not go without authentication/,
    );
  });

  test.each(["preproduction", "prod-like", "dev"])("is allowed in %j", (stage) => {
    expect(() => createAuthenticator(config, { stage, apiKeys: noKeys })).not.toThrow();
  });
});

test.each([
  ["nothing", undefined],
  ["an unknown kind", { kind: "basic" }],
  ["none without a tenant", { kind: "none" }],
  ["a tenant that is none", { kind: "none", tenant: "A" }],
  ["a key set over plain HTTP", jwt({ jwksUrl: "http://issuer.example/keys" })],
  ["a key set that is a file", jwt({ jwksUrl: "file:///etc/keys" })],
  ["no audience", jwt({ audience: undefined })],
  ["an unknown scope", { kind: "iam", tenantHeader: "x", scopes: ["all"] }],
  ["a misspelt key", { kind: "iam", tenantHeader: "x", scope: [] }],
])("a configuration with %s is refused", (_, config) => {
  expect(authConfigSchema.safeParse(config).success).toBe(false);
});

function jwt(part: object) {
  return {
    kind: "jwt",
    issuer: "i",
    audience: "a",
    jwksUrl: "https://issuer.example/keys",
    tenantClaim: "tenant",
    scopeClaim: "scope",
    ...part,
  };
}
