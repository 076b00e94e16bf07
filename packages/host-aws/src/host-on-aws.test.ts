/** The host's verbs, called as a client calls them, over the stores of this package. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createChatModel } from "@archmax-ai/harness";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { describe, expect, test, vi } from "vitest";
import { MOTO_ENDPOINT } from "../../checkpoint-dynamodb/src/testing-fixtures/database.ts";
import { failAfter } from "../../checkpoint-dynamodb/src/testing-fixtures/faults.ts";
import { seeded } from "../../checkpoint-dynamodb/src/testing-fixtures/prose.ts";
import {
  type Answer,
  advance,
  calling,
  ScriptedModel,
  speaking,
} from "../../harness/src/runtime/turn-fixture.ts";
import { createManualClock } from "../../host/src/testing-fixtures/manual-clock.ts";
import { useS3Server } from "../../store-s3/src/testing-fixtures/s3-server.ts";
import { createAuthenticator } from "./auth/authenticator.ts";
import { authConfigSchema } from "./auth/configuration.ts";
import { createDynamoApiKeys } from "./host-table/api-keys.ts";
import { useDatabase } from "./testing-fixtures/database.ts";
import { type AwsPlace, hostOn, newPlace, useWorkspace } from "./testing-fixtures/host-on-aws.ts";
import { useKeySetServer } from "./testing-fixtures/key-set-server.ts";

const database = useDatabase();
const server = useS3Server();
const keySets = useKeySetServer();
const workspace = useWorkspace();

/** What fauxqs takes in one request ends at 11 MB. */
const MEGABYTES = MOTO_ENDPOINT === undefined ? 10 : 50;

const NOTE: [string, Record<string, unknown>] = [
  "write_file",
  { file_path: "scratchpad/note.txt", content: "noted" },
];
const turn = (): Answer[] => [calling(NOTE), calling(advance("review")), speaking("Please decide.")];
const scripted = (answers: Answer[]) => ({ model: new ScriptedModel(answers) });

async function objectsOf({ s3, bucket }: AwsPlace): Promise<string[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
  return Contents.map(({ Key = "" }) => Key);
}

describe("HOST-005 the same Idempotency-Key", () => {
  test("HOST-005 twice: one turn, equal bodies; with a changed body: 422; while in progress: 409", async () => {
    const place = await newPlace(database, server);
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const model = new ScriptedModel([
      async () => {
        asked.resolve();
        await answer.promise;
        return calling(advance("review"));
      },
      speaking("Please decide."),
    ]);
    // Two functions' instances, which share nothing but the tables.
    const [one, other] = [hostOn(place, workspace.dir, { model }), hostOn(place, workspace.dir, { model })];
    const key = { "idempotency-key": "k-1" };
    const first = one.call("POST", "/sessions/s1/send", { message: "hello" }, key);
    await asked.promise;
    expect(await other.call("POST", "/sessions/s1/send", { message: "hello" }, key)).toMatchObject({
      status: 409,
      body: { type: "/problems/idempotent-request-in-progress-error" },
    });
    answer.resolve();
    const given = await first;
    expect(given).toMatchObject({ status: 200, body: { kind: "parked" } });
    const again = await other.call("POST", "/sessions/s1/send", { message: "hello" }, key);
    expect([again.status, again.text]).toEqual([200, given.text]);
    expect(model.requests).toHaveLength(2);
    expect(await other.call("POST", "/sessions/s1/send", { message: "changed" }, key)).toMatchObject({
      status: 422,
      body: { type: "/problems/idempotency-key-reused-error" },
    });
  });

  test("HOST-005 an answer too large for an item is given again from the bucket", async () => {
    const place = await newPlace(database, server);
    const long = "é".repeat(400_000);
    const host = hostOn(place, workspace.dir, scripted([calling(advance("review")), speaking(long)]));
    const key = { "idempotency-key": "k-1" };
    const first = await host.call("POST", "/sessions/s1/send", { message: "hello" }, key);
    const again = await host.call("POST", "/sessions/s1/send", { message: "hello" }, key);
    expect(again.text).toBe(first.text);
    expect(first.text).toContain(long);
    expect((await objectsOf(place)).filter((object) => object.includes("/overflow/idempotency/"))).toEqual([
      expect.stringMatching(/^tenants\/acme\/overflow\/idempotency\/[0-9a-f]{64}\/[0-9a-f-]{36}$/),
    ]);
  });
});

test(`HOST-018 a body of 6 MB: 413; a file of ${MEGABYTES} MB by link: stored exactly; the agent reads what came so`, {
  timeout: 120_000,
}, async () => {
  const place = await newPlace(database, server);
  const answers: Answer[] = [
    calling(["read_file", { file_path: "scratchpad/big.txt", limit: 1 }]),
    calling(advance("review")),
    speaking("Please decide."),
  ];
  const model = new ScriptedModel(answers);
  const host = hostOn(place, workspace.dir, { model });
  expect(await host.call("POST", "/sessions/s1/send", { message: "x".repeat(6_000_000) })).toMatchObject({
    status: 413,
  });
  const small = new TextEncoder().encode("the first line\nthe second line\n");
  const big = new Uint8Array(MEGABYTES * 1024 * 1024).map((_, index) => index % 251);
  for (const [name, bytes] of [
    ["big.txt", small],
    ["big.bin", big],
  ] as const) {
    const link = await host.app.fetch(
      new Request(`https://host.example/workflows/desk/sessions/s1/files/scratchpad/${name}`, {
        method: "PUT",
        headers: { "content-type": "application/octet-stream", "content-length": String(bytes.length) },
      }),
    );
    expect(link.status).toBe(307);
    const stored = await fetch(link.headers.get("location") ?? "", {
      method: "PUT",
      body: bytes,
      headers: { "content-type": "application/octet-stream" },
    });
    expect(stored.status).toBe(200);
  }
  expect(await host.call("POST", "/sessions/s1/send", { message: "read it" })).toMatchObject({ status: 200 });
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("the first line");
  const back = await host.call("GET", "/sessions/s1/files/scratchpad/big.bin");
  expect(back.status).toBe(302);
  const bytes = new Uint8Array(await (await fetch(back.headers.get("location") ?? "")).arrayBuffer());
  expect(Buffer.compare(bytes, big)).toBe(0);
  expect(await host.call("GET", "/sessions/s1/files/scratchpad/none.bin")).toMatchObject({ status: 404 });
});

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

describe("HOST-021 deleting a session", () => {
  /** A session with a large value, a child with checkpoints and one with files, and another session beside it. */
  async function populated() {
    const place = await newPlace(database, server);
    const random = seeded(3);
    const large = Array.from({ length: 900_000 }, () => String.fromCharCode(33 + Math.floor(random() * 90)));
    const host = hostOn(
      place,
      workspace.dir,
      scripted([...turn(), calling(NOTE), calling(advance("review")), speaking("The other's.")]),
    );
    await host.call("POST", "/sessions/inv-7/send", { message: "hello" });
    await host.call("POST", "/sessions/inv-70/send", { message: "hello" });
    const acme = host.ports.data.forTenant("acme");
    for (const [id, value] of [
      ["inv-7~1", large.join("")],
      ["inv-70~1", "small"],
    ] as const) {
      await acme.checkpointer.put(
        { configurable: { thread_id: id, checkpoint_ns: "" } },
        {
          v: 4,
          id: "1ef00000-0000-6000-8000-000000000000",
          ts: "2026-01-01T00:00:00.000Z",
          channel_values: { value },
          channel_versions: { value: 1 },
          versions_seen: {},
        },
        { source: "loop", step: 0, parents: {} },
        { value: 1 },
      );
    }
    await acme.sessionStore.backend.write("/inv-7~2/scratchpad/a.txt", "a");
    return { place, host };
  }

  /** Everything in the tables and the bucket that names one of the session's ids. */
  async function left(place: AwsPlace): Promise<string[]> {
    const items = await Promise.all(
      [place.recordsTable, place.checkpointsTable, place.hostTable].map((table) => database.items(table)),
    );
    const keys = items.flat().map(({ pk, sk }) => `${pk?.S} ${sk?.S ?? ""}`);
    return [...keys, ...(await objectsOf(place))];
  }

  const ofSession = (names: string[]) => names.filter((name) => /inv-7(?![0-9])/.test(name));
  const overflow = (names: string[]) => names.filter((name) => name.includes("/overflow/checkpoints/"));

  test("HOST-021 record, checkpoints, files, events and children are gone; the next session's are not", async () => {
    const { place, host } = await populated();
    const before = await left(place);
    expect(ofSession(before).length).toBeGreaterThan(10);
    expect(overflow(before)).not.toEqual([]);
    expect((await host.call("DELETE", "/sessions/inv-7")).status).toBe(204);
    const after = await left(place);
    expect(ofSession(after)).toEqual([]);
    expect(overflow(after)).toEqual([]);
    expect(after.filter((name) => name.includes("inv-70"))).toEqual(
      before.filter((name) => name.includes("inv-70")),
    );
    expect((await host.call("DELETE", "/sessions/inv-7")).status).toBe(404);
    expect((await host.call("GET", "/sessions/inv-7")).status).toBe(404);
    expect((await host.call("GET", "/sessions/inv-70")).status).toBe(200);
  });

  test.each([0, 1, 2, 3, 4])("HOST-021 cut off after %i batches, the sweep finishes it", async (batches) => {
    const { place, host } = await populated();
    const dynamo = database.client();
    failAfter(dynamo, "BatchWriteItemCommand", batches);
    const dying = hostOn({ ...place, dynamo }, workspace.dir, scripted([]));
    expect((await dying.call("DELETE", "/sessions/inv-7")).status).toBe(503);
    expect((await host.call("GET", "/sessions/inv-7")).status).toBe(404);
    await host.tend();
    const after = await left(place);
    expect(ofSession(after)).toEqual([]);
    expect(overflow(after)).toEqual([]);
    expect(after.filter((name) => name.includes("inv-70")).length).toBeGreaterThan(5);
  });
});

test("HOST-025 a model endpoint that hangs: a clear error before the function's end, and the session goes on", async () => {
  let asked = 0;
  const endpoint = createServer(() => {
    asked += 1;
  });
  await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = endpoint.address() as AddressInfo;
    const place = await newPlace(database, server);
    const hanging = createChatModel({
      apiBaseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: "none",
      model: "m",
    });
    const clock = createManualClock(Date.now());
    const deadline = clock.now() + 300_000;
    const host = hostOn(place, workspace.dir, { model: hanging }, { clock, deadlineOf: () => deadline });
    const asking = host.call("POST", "/sessions/s1/send", { message: "hello" });
    await vi.waitFor(() => expect(asked).toBe(1));
    await clock.advance(295_000);
    const answer = await asking;
    expect(answer).toMatchObject({
      status: 503,
      body: { type: "/problems/turn-deadline-error", title: "Turn out of time" },
    });
    expect(answer.headers.get("retry-after")).toBe("30");
    expect(asked).toBe(1);

    const model = new ScriptedModel(turn());
    const next = hostOn(place, workspace.dir, { model }, { clock });
    await next.tend();
    expect((await next.call("GET", "/sessions/s1")).body).toMatchObject({ status: "awaiting_decision" });
    const { body } = await next.call("GET", "/sessions/s1/messages");
    expect(JSON.stringify(body.messages).match(/hello/g)).toHaveLength(1);
  } finally {
    endpoint.closeAllConnections();
    endpoint.close();
  }
});
