/** The host's verbs, called as a client calls them, over the stores of this package. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createChatModel } from "@archmax-ai/harness";
import { type LogFields, type Logger, silentLogger } from "@archmax-ai/host";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { describe, expect, test, vi } from "vitest";
import { MOTO_ENDPOINT } from "../../checkpoint-dynamodb/src/testing-fixtures/database.ts";
import {
  type Answer,
  advance,
  calling,
  ScriptedModel,
  speaking,
} from "../../harness/src/runtime/turn-fixture.ts";
import { createManualClock } from "../../host/src/testing-fixtures/manual-clock.ts";
import { useS3Server } from "../../store-s3/src/testing-fixtures/s3-server.ts";
import { useDatabase } from "./testing-fixtures/database.ts";
import { type AwsPlace, hostOn, newPlace, useWorkspace } from "./testing-fixtures/host-on-aws.ts";

const database = useDatabase();
const server = useS3Server();
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

  test("HOST-005 as an event stream: given again, its end told once it is kept", async () => {
    const place = await newPlace(database, server);
    const host = hostOn(place, workspace.dir, scripted(turn()));
    const { answer: keep } = host.ports.idempotency;
    let isKept = false;
    host.ports.idempotency.answer = async (key, answer) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await keep(key, answer);
      isKept = true;
    };
    const headers = { "idempotency-key": "k-1", accept: "text/event-stream" };
    const first = await host.call("POST", "/sessions/s1/send", { message: "hello" }, headers);
    expect(isKept).toBe(true);
    expect(first.text).toMatch(/event: outcome\n[^\n]*\n\n$/);
    const again = await host.call("POST", "/sessions/s1/send", { message: "hello" }, headers);
    expect(again.text).toBe(first.text);
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

test("a request's line names its tenant, workflow, session and turn, and nothing of what was said", async () => {
  const place = await newPlace(database, server);
  const lines: [string, LogFields | undefined][] = [];
  const logger: Logger = {
    ...silentLogger,
    info: (message, fields) => lines.push([message, fields]),
  };
  const host = hostOn(place, workspace.dir, scripted(turn()), { logger });
  const sent = await host.call("POST", "/sessions/s%201/send", { message: "the secret" });
  await host.call("GET", "/sessions/s%201");
  await host.call("GET", "/sessions?status=parked");
  const about = { tenant: "acme", workflow: "desk" };
  expect(lines.filter(([message]) => message === "request").map(([, fields]) => fields)).toMatchObject([
    {
      ...about,
      sessionId: "s 1",
      turnId: expect.any(String),
      requestId: sent.headers.get("x-request-id"),
      status: 200,
    },
    { ...about, sessionId: "s 1" },
    about,
  ]);
  expect(JSON.stringify(lines)).not.toContain("the secret");
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
  // Without its length there is nothing to sign.
  expect(await host.call("PUT", "/sessions/s1/files/scratchpad/x.txt")).toMatchObject({ status: 411 });
  expect(await host.call("POST", "/sessions/s1/send", { message: "read it" })).toMatchObject({ status: 200 });
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("the first line");
  const back = await host.call("GET", "/sessions/s1/files/scratchpad/big.bin");
  expect(back.status).toBe(302);
  const bytes = new Uint8Array(await (await fetch(back.headers.get("location") ?? "")).arrayBuffer());
  expect(Buffer.compare(bytes, big)).toBe(0);
  expect(await host.call("GET", "/sessions/s1/files/scratchpad/none.bin")).toMatchObject({ status: 404 });
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
    await vi.waitFor(() => expect(asked).toBe(1), { timeout: 15_000 });
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
