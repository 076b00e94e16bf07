import { exampleRecord } from "@archmax-ai/host/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  attentionKey,
  attentionShard,
  dueUntil,
  isPosition,
  justAfter,
  recencyKey,
  recordKey,
} from "./keys.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc
    .array(fc.constantFrom("a", "#", "%", "%23", "~", "!", "\u{10ffff}", "\ud800", "\0", "/"), {
      maxLength: 6,
    })
    .map((parts) => parts.join("")),
  fc
    .tuple(fc.constantFrom("x", "é", "#", "🙂"), fc.integer({ min: 200, max: 3_000 }))
    .map(([one, times]) => one.repeat(times)),
);

test("no two sessions share a key, whatever their ids, and every key fits DynamoDB", () => {
  fc.assert(
    fc.property(text, text, text, text, (tenant, sessionId, otherTenant, otherId) => {
      const key = recordKey({ tenant, sessionId });
      expect(Buffer.byteLength(key)).toBeLessThanOrEqual(2_048);
      expect(key).not.toBe("");
      expect(key.isWellFormed()).toBe(true);
      const isSame = tenant === otherTenant && sessionId === otherId;
      expect(recordKey({ tenant: otherTenant, sessionId: otherId }) === key).toBe(isSame);
      for (const position of [
        recencyKey(exampleRecord({ sessionId })),
        attentionKey({ tenant, sessionId }, 5),
      ]) {
        expect(Buffer.byteLength(justAfter(position))).toBeLessThanOrEqual(1_024);
        expect(isPosition(position)).toBe(true);
      }
    }),
  );
});

test("keys sort as what they stand for", () => {
  const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const time = fc.date({ noInvalidDate: true });
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [first, second] = [a, b].map((at) => {
        const iso = at.toISOString();
        return recencyKey(exampleRecord({ updatedAt: iso }));
      });
      expect(order(first ?? "", second ?? "")).toBe(Math.sign(b.getTime() - a.getTime()));
    }),
    { examples: [[new Date(-8_639_999_999_999_960), new Date(-8_639_999_999_999_959)]] },
  );
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), text, (due, until, tenant) => {
      const key = attentionKey({ tenant, sessionId: "s" }, due);
      const bounded = Math.min(Math.max(due, 0), Number.MAX_SAFE_INTEGER);
      const isDue = Math.ceil(bounded) <= Math.min(until, Number.MAX_SAFE_INTEGER);
      expect(order(key, dueUntil(until)) <= 0).toBe(isDue);
    }),
  );
});

test("owed attention is spread over all shards", () => {
  const shards = new Set(
    Array.from({ length: 200 }, (_, at) => attentionShard({ tenant: "t", sessionId: `${at}` })),
  );
  expect([...shards].sort()).toEqual(Array.from({ length: 8 }, (_, at) => `due#${at}`));
});

test("an instant that is none is refused", () => {
  expect(() => recencyKey(exampleRecord({ updatedAt: "yesterday" }))).toThrow(RangeError);
});
