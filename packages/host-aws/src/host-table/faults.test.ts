import { randomUUID } from "node:crypto";
import type { IdempotencyState, KeptAnswer, LoggedEvent } from "@archmax-ai/host";
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { describe, expect, test } from "vitest";
import {
  failAfter,
  injectFaults,
  refuseBatches,
} from "../../../checkpoint-dynamodb/src/testing-fixtures/faults.ts";
import { seeded } from "../../../checkpoint-dynamodb/src/testing-fixtures/prose.ts";
import { countTraffic } from "../../../checkpoint-dynamodb/src/testing-fixtures/traffic.ts";
import { createManualClock } from "../../../host/src/testing-fixtures/manual-clock.ts";
import { injectFaults as injectS3Faults } from "../../../store-s3/src/testing-fixtures/faults.ts";
import { useS3Server } from "../../../store-s3/src/testing-fixtures/s3-server.ts";
import { useDatabase } from "../testing-fixtures/database.ts";
import { loseFirstAnswer } from "../testing-fixtures/lost-answer.ts";
import { createDynamoIdempotencyStore } from "./idempotency-store.ts";
import { createDynamoSessionEventLog } from "./session-event-log.ts";

const database = useDatabase();
const server = useS3Server();

/** A client has a budget of retries of its own. */
const patient = () => ({ retryStrategy: new ConfiguredRetryStrategy(12, () => 2) });
const HOUR = 3_600_000;
const answerOf = (body: string): KeptAnswer => ({
  status: 200,
  headers: { "content-type": "text/plain" },
  body,
});

describe("idempotency", () => {
  /** Stores on one table and one bucket, as many instances of functions are. */
  async function place() {
    const tableName = await database.hostTable();
    const bucket = await server.bucket();
    const clock = createManualClock();
    const claim = (fingerprint = "f") => ({
      fingerprint,
      claimUntil: clock.now() + HOUR,
      keepUntil: clock.now() + 24 * HOUR,
    });
    const store = (client = database.client(patient()), overflow = bucket) =>
      createDynamoIdempotencyStore({ client, tableName, overflow, clock });
    return { tableName, bucket, clock, claim, store };
  }

  test("HOST-023 a fifth of all requests disturbed, four instances at once: one start a key, one answer for all", {
    timeout: 120_000,
  }, async () => {
    const { bucket, claim, store } = await place();
    const random = seeded(5);
    const instances = [0, 1, 2, 3].map((at) => {
      const client = database.client(patient());
      injectFaults(client, random, 0.2);
      const s3 = server.client(patient());
      injectS3Faults(s3, 0.2, at);
      return store(client, { client: s3, bucket: bucket.bucket });
    });
    for (let at = 0; at < 40; at += 1) {
      const key = { tenant: "acme", key: `k-${at}` };
      const states = await Promise.all(instances.map((instance) => instance.begin(key, claim())));
      expect(
        states.filter(({ kind }) => kind === "started"),
        key.key,
      ).toHaveLength(1);
      const winner = instances[states.findIndex(({ kind }) => kind === "started")];
      const answer = answerOf(at % 8 === 0 ? "é".repeat(200_000) : `answer ${at}`);
      await winner?.answer(key, answer);
      for (const instance of instances) {
        expect(await instance.begin(key, claim())).toEqual({ kind: "answered", answer });
      }
    }
  });

  const lossy = async (
    command: string,
    meanwhile: () => Promise<void> = async () => {},
    made?: Awaited<ReturnType<typeof place>>,
  ) => {
    const at = made ?? (await place());
    const client = database.client(patient());
    loseFirstAnswer(client, command, meanwhile);
    return { ...at, disturbed: at.store(client) };
  };
  const KEY = { tenant: "acme", key: "k" };

  test("a claim whose answer was lost is known as its own, and is another's to nobody else", async () => {
    const { disturbed, store, claim, clock } = await lossy("PutItemCommand");
    const until = clock.now() + HOUR;
    expect(await disturbed.begin(KEY, claim())).toEqual({ kind: "started" });
    expect(await store().begin(KEY, claim())).toEqual({ kind: "in-progress", until });
  });

  test("an answer that was stored and whose confirmation was lost keeps its object", async () => {
    for (const body of ["small", "é".repeat(200_000)]) {
      const { disturbed, store, claim } = await lossy("UpdateItemCommand");
      await disturbed.begin(KEY, claim());
      await disturbed.answer(KEY, answerOf(body));
      expect(await store().begin(KEY, claim())).toEqual({ kind: "answered", answer: answerOf(body) });
    }
  });

  test("a key given free, its confirmation lost, stays another's who claimed it meanwhile", async () => {
    const at = await place();
    const next = at.store();
    let state: IdempotencyState | undefined;
    const { disturbed } = await lossy(
      "DeleteItemCommand",
      async () => {
        state = await next.begin(KEY, at.claim("g"));
      },
      at,
    );
    await disturbed.begin(KEY, at.claim());
    await disturbed.abandon(KEY);
    expect(state).toEqual({ kind: "started" });
    expect(await at.store().begin(KEY, at.claim("g"))).toMatchObject({ kind: "in-progress" });
    await next.answer(KEY, answerOf("the next one's"));
    expect(await at.store().begin(KEY, at.claim("g"))).toMatchObject({ kind: "answered" });
  });

  test("a request that outlived its claim neither ends another's nor answers for it", async () => {
    const { store, claim, clock, bucket } = await place();
    const [late, next] = [store(), store()];
    await late.begin(KEY, claim());
    await clock.advance(HOUR + 1);
    expect(await next.begin(KEY, claim())).toEqual({ kind: "started" });
    await late.answer(KEY, answerOf("é".repeat(200_000)));
    await late.abandon(KEY);
    expect(await store().begin(KEY, claim())).toMatchObject({ kind: "in-progress" });
    await next.answer(KEY, answerOf("the next one's"));
    expect(await store().begin(KEY, claim())).toEqual({
      kind: "answered",
      answer: answerOf("the next one's"),
    });
    const { ListObjectsV2Command } = await import("@aws-sdk/client-s3");
    const { Contents = [] } = await bucket.client.send(new ListObjectsV2Command({ Bucket: bucket.bucket }));
    expect(Contents).toEqual([]);
  });

  test("an answer of a claim made elsewhere is kept, and the first one stays", async () => {
    const { store, claim } = await place();
    await store().begin(KEY, claim());
    await store().answer(KEY, answerOf("first"));
    await store().answer(KEY, answerOf("second"));
    await store().abandon(KEY);
    expect(await store().begin(KEY, claim())).toEqual({ kind: "answered", answer: answerOf("first") });
    await store().answer({ tenant: "acme", key: "nobody's" }, answerOf("x"));
    expect(await store().begin({ tenant: "acme", key: "nobody's" }, claim())).toEqual({ kind: "started" });
  });

  test("what has had its time counts for nothing, though DynamoDB has not removed it", async () => {
    const { store, claim, clock, tableName } = await place();
    await store().begin(KEY, claim());
    await store().answer(KEY, answerOf("old"));
    await clock.advance(24 * HOUR + 1);
    const states = await Promise.all([1, 2, 3, 4].map(() => store().begin(KEY, claim("g"))));
    expect(states.map(({ kind }) => kind).sort()).toEqual([
      "in-progress",
      "in-progress",
      "in-progress",
      "started",
    ]);
    const [item] = await database.items(tableName);
    expect(item?.ttl?.N).toBe(String(Math.ceil((clock.now() + 24 * HOUR) / 1_000)));
    expect(item).not.toHaveProperty("answer");
  });

  test("a request that fails for good is an error naming the operation and the table, and no key", async () => {
    const { store, claim, tableName } = await place();
    const client = database.client();
    failAfter(client, "PutItemCommand", 0);
    const failed = store(client).begin({ tenant: "acme", key: "the secret key" }, claim());
    await expect(failed).rejects.toMatchObject({
      name: "HostTableStorageError",
      operation: "PutItem",
      tableName,
      cause: expect.objectContaining({ name: "AccessDeniedException" }),
    });
    await expect(failed).rejects.not.toThrow(/the secret key/);
  });
});

describe("events", () => {
  const KEY = { tenant: "acme", sessionId: "s-1" };
  const event = (id: number, text = `event ${id}`): LoggedEvent => ({
    id,
    type: "agent-text",
    data: { text },
  });
  const log = (tableName: string, client = database.client(patient()), clock = createManualClock()) =>
    createDynamoSessionEventLog({ client, tableName, clock });

  test("HOST-023 a fifth of all requests disturbed: every event once and in order, read in pages", {
    timeout: 120_000,
  }, async () => {
    const tableName = await database.hostTable();
    const client = database.client(patient());
    const random = seeded(9);
    injectFaults(client, random, 0.2);
    const writer = log(tableName, client);
    const expected: LoggedEvent[] = [];
    for (let batch = 0; batch < 60; batch += 1) {
      const events = Array.from({ length: 1 + Math.floor(random() * 30) }, () =>
        event(expected.length + 1 + batch, batch % 20 === 0 ? randomUUID().repeat(12_000) : "x"),
      ).map((each, at) => ({ ...each, id: expected.length + 1 + at }));
      await writer.append(KEY, events);
      // A caller that was not told tries the same again.
      if (batch % 3 === 0) await log(tableName, client).append(KEY, events);
      expected.push(...events);
    }
    const found: LoggedEvent[] = [];
    for (;;) {
      const page = await log(tableName, client).read(KEY, found.at(-1)?.id ?? 0, 37);
      if (page.length === 0) break;
      found.push(...page);
    }
    expect(found).toEqual(expected);
    await writer.remove(KEY);
    expect(await database.items(tableName)).toEqual([]);
  });

  test("what a turn says in a thousand pieces costs a few writes, and one request to go on reading", async () => {
    const tableName = await database.hostTable();
    const client = database.client();
    const traffic = countTraffic(client);
    const writer = log(tableName, client);
    for (let batch = 0; batch < 10; batch += 1) {
      const events = Array.from({ length: 100 }, (_, at) => event(1 + batch * 100 + at));
      await writer.append(KEY, events);
    }
    // One look for what is stored already, then one write for each appending.
    expect(traffic.requests).toHaveLength(11);
    expect(await writer.read(KEY, 950, 500)).toHaveLength(50);
    expect(await writer.read(KEY, 1_000, 500)).toEqual([]);
    expect(traffic.requests).toHaveLength(13);
  });

  test("an event above what an item holds is cut up, and is not there before all of it is", async () => {
    const tableName = await database.hostTable();
    const noise = Array.from({ length: 60_000 }, () => randomUUID()).join("");
    const client = database.client();
    failAfter(client, "PutItemCommand", 2);
    await expect(log(tableName, client).append(KEY, [event(1, noise)])).rejects.toMatchObject({
      name: "HostTableStorageError",
    });
    expect((await database.items(tableName)).length).toBe(2);
    expect(await log(tableName).read(KEY, 0, 10)).toEqual([]);
    await log(tableName).append(KEY, [event(1, noise), event(2)]);
    expect(await log(tableName).read(KEY, 0, 10)).toEqual([event(1, noise), event(2)]);
    expect(await log(tableName).read(KEY, 1, 10)).toEqual([event(2)]);
  });

  test("events of a session that had the id before are gone after a day, and in nobody's way", async () => {
    const tableName = await database.hostTable();
    const clock = createManualClock();
    const writer = log(tableName, database.client(), clock);
    await writer.append(KEY, [event(1, "old"), event(2, "old")]);
    await clock.advance(24 * HOUR - 1_000);
    expect(await writer.read(KEY, 0, 10)).toHaveLength(2);
    await clock.advance(3_000);
    expect(await writer.read(KEY, 0, 10)).toEqual([]);
    await log(tableName, database.client(), clock).append(KEY, [event(1, "new"), event(2, "new")]);
    expect(await writer.read(KEY, 0, 10)).toEqual([event(1, "new"), event(2, "new")]);
  });

  test("a run of events that overlaps what is stored adds what is new", async () => {
    const tableName = await database.hostTable();
    await log(tableName).append(KEY, [event(1), event(2), event(3)]);
    await log(tableName).append(KEY, [event(2, "again"), event(3, "again"), event(4), event(5)]);
    await log(tableName).append(KEY, [event(5, "again")]);
    expect(await log(tableName).read(KEY, 0, 10)).toEqual([1, 2, 3, 4, 5].map((id) => event(id)));
  });

  test("batches that are left undone five times are removed all the same", async () => {
    const tableName = await database.hostTable();
    const client = database.client();
    refuseBatches(client, 5);
    const writer = log(tableName, client);
    for (let id = 1; id <= 60; id += 1) await writer.append(KEY, [event(id)]);
    await writer.remove(KEY);
    expect(await database.items(tableName)).toEqual([]);
  });
});
