import assert from "node:assert/strict";
import type { IdempotencyStore, KeptAnswer } from "../ports/idempotency-store.ts";
import { type ContractApi, type TimedContractSubject, withSubject } from "./contract-api.ts";

const HOUR = 3_600_000;
const KEY = { tenant: "acme", key: "k-1" };
const ANSWER: KeptAnswer = {
  status: 200,
  headers: { "content-type": "application/json", location: "/x" },
  body: '{"a":"ü"}',
};

/** What every `IdempotencyStore` must do. */
export function idempotencyStoreContract(
  api: ContractApi,
  make: () => Promise<TimedContractSubject<IdempotencyStore>>,
): void {
  const test = withSubject(api, make);
  const claimAt = (now: number, fingerprint = "f") => ({
    fingerprint,
    claimUntil: now + HOUR,
    keepUntil: now + 24 * HOUR,
  });
  api.describe("idempotency store", () => {
    test("of several callers at once one starts", async ({ subject, now }) => {
      const states = await Promise.all([1, 2, 3, 4].map(() => subject.begin(KEY, claimAt(now()))));
      assert.deepEqual(states.map((state) => state.kind).sort(), [
        "in-progress",
        "in-progress",
        "in-progress",
        "started",
      ]);
      const waiting = states.find((state) => state.kind === "in-progress");
      assert.equal(waiting?.kind === "in-progress" && waiting.until, now() + HOUR);
    });

    test("the answer is given again, exactly, for 24 hours", async ({ subject, now, advance }) => {
      await subject.begin(KEY, claimAt(now()));
      await subject.answer(KEY, ANSWER);
      assert.deepEqual(await subject.begin(KEY, claimAt(now())), { kind: "answered", answer: ANSWER });
      await advance(23 * HOUR);
      assert.deepEqual(await subject.begin(KEY, claimAt(now())), { kind: "answered", answer: ANSWER });
      await advance(2 * HOUR);
      assert.deepEqual(await subject.begin(KEY, claimAt(now(), "g")), { kind: "started" });
    });

    test("another request under the key is told so, before and after the answer", async ({
      subject,
      now,
    }) => {
      await subject.begin(KEY, claimAt(now()));
      assert.deepEqual(await subject.begin(KEY, claimAt(now(), "g")), { kind: "other-request" });
      await subject.answer(KEY, ANSWER);
      assert.deepEqual(await subject.begin(KEY, claimAt(now(), "g")), { kind: "other-request" });
    });

    test("an abandoned key is free", async ({ subject, now }) => {
      await subject.begin(KEY, claimAt(now()));
      await subject.abandon(KEY);
      assert.deepEqual(await subject.begin(KEY, claimAt(now(), "g")), { kind: "started" });
    });

    test("a claim that ran out may be taken again, by the same request alone", async (made) => {
      await made.subject.begin(KEY, claimAt(made.now()));
      await made.advance(HOUR + 1);
      assert.deepEqual(await made.subject.begin(KEY, claimAt(made.now(), "g")), { kind: "other-request" });
      const states = await Promise.all([1, 2].map(() => made.subject.begin(KEY, claimAt(made.now()))));
      assert.deepEqual(states.map((state) => state.kind).sort(), ["in-progress", "started"]);
    });

    test("keys are a tenant's own, and any text", async ({ subject, now }) => {
      const keys = ["k-1", "K-1", "k/1", "k 1", "../k", "ü", "k#1", "x".repeat(255)];
      for (const tenant of ["acme", "other"]) {
        for (const key of keys) {
          assert.deepEqual(await subject.begin({ tenant, key }, claimAt(now())), { kind: "started" }, key);
        }
      }
    });

    test("a large answer is kept whole", async ({ subject, now }) => {
      await subject.begin(KEY, claimAt(now()));
      const answer = { ...ANSWER, body: "é".repeat(1_000_000) };
      await subject.answer(KEY, answer);
      const state = await subject.begin(KEY, claimAt(now()));
      assert.ok(state.kind === "answered" && state.answer.body === answer.body);
    });
  });
}
