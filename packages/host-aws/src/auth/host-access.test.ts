/** Who may not, asked of a host over the stores of this package. */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import {
  type Answer,
  advance,
  calling,
  ScriptedModel,
  speaking,
} from "../../../harness/src/runtime/turn-fixture.ts";
import { useS3Server } from "../../../store-s3/src/testing-fixtures/s3-server.ts";
import { createDynamoApiKeys } from "../host-table/api-keys.ts";
import { useDatabase } from "../testing-fixtures/database.ts";
import { hostOn, newPlace, useWorkspace } from "../testing-fixtures/host-on-aws.ts";
import { useKeySetServer } from "../testing-fixtures/key-set-server.ts";
import { createAuthenticator } from "./authenticator.ts";
import { authConfigSchema } from "./configuration.ts";

const database = useDatabase();
const server = useS3Server();
const keySets = useKeySetServer();
const workspace = useWorkspace();

const turn = (): Answer[] => [calling(advance("review")), speaking("Please decide.")];
const scripted = (answers: Answer[]) => ({ model: new ScriptedModel(answers) });

describe("HOST-019 who may not", () => {
  test("HOST-019 no credentials, an expired JWT, a wrong audience, alg none, another tenant, a missing scope", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    keySets.answer = {
      status: 200,
      body: { keys: [{ ...(await exportJWK(publicKey)), kid: "k", alg: "ES256" }] },
    };
    const token = (claims: JWTPayload = {}) =>
      new SignJWT({ iss: "i", aud: "a", sub: "u", tenant: "acme", scope: "sessions:read", ...claims })
        .setProtectedHeader({ alg: "ES256", kid: "k" })
        .setExpirationTime(claims.exp ?? "5m")
        .sign(privateKey);
    const apiKeys = { find: async () => null };
    const config = authConfigSchema.parse({
      kind: "jwt",
      issuer: "i",
      audience: "a",
      jwksUrl: keySets.url,
      tenantClaim: "tenant",
      scopeClaim: "scope",
    });
    const place = await newPlace(database, server);
    await hostOn(place, workspace.dir, scripted(turn())).call("POST", "/sessions/s1/send", { message: "m" });
    const host = hostOn(place, workspace.dir, scripted([]), {
      authenticator: createAuthenticator(config, { stage: "production", apiKeys }),
    });
    const ask = async (credentials?: string | Promise<string>) => {
      const headers: Record<string, string> =
        credentials === undefined ? {} : { authorization: `Bearer ${await credentials}` };
      return (await host.call("GET", "/sessions/s1", undefined, headers)).status;
    };
    const [header, body] = (await token()).split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    expect(header).not.toBe(none);
    expect([
      await ask(),
      await ask(token({ exp: Math.floor(Date.now() / 1_000) - 60 })),
      await ask(token({ aud: "other" })),
      await ask(`${none}.${body}.`),
      await ask(token({ tenant: "other" })),
      await ask(token({ scope: "sessions:send" })),
    ]).toEqual([401, 401, 401, 401, 404, 403]);
    expect(await ask(token())).toBe(200);
  });

  test("HOST-019 API keys: none, a wrong one, an expired one, another tenant's, one that lacks the scope", async () => {
    const place = await newPlace(database, server);
    await hostOn(place, workspace.dir, scripted(turn())).call("POST", "/sessions/s1/send", { message: "m" });
    const apiKeys = createDynamoApiKeys({ client: place.dynamo, tableName: place.hostTable });
    const host = hostOn(place, workspace.dir, scripted([]), {
      authenticator: createAuthenticator(authConfigSchema.parse({ kind: "apiKey" }), {
        stage: "production",
        apiKeys,
      }),
    });
    const created = async (tenant: string, scope: "sessions:read" | "sessions:send", expiresAt?: string) =>
      (
        await apiKeys.create({
          tenant,
          scopes: [scope],
          label: scope,
          ...(expiresAt === undefined ? {} : { expiresAt }),
        })
      ).key;
    const ask = async (key?: string) => {
      const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
      return (await host.call("GET", "/sessions/s1", undefined, headers)).status;
    };
    expect([
      await ask(),
      await ask("archmax_wrong"),
      await ask(await created("acme", "sessions:read", "2020-01-01T00:00:00Z")),
      await ask(await created("other", "sessions:read")),
      await ask(await created("acme", "sessions:send")),
      await ask(await created("acme", "sessions:read")),
    ]).toEqual([401, 401, 401, 404, 403, 200]);
  });
});
