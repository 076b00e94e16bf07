import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkpointKey,
  checkpointPrefix,
  headKey,
  indexedThread,
  indexKey,
  indexPartition,
  namespacePrefix,
  parseNamespaceRow,
  partitionKey,
  writesKey,
} from "./keys.ts";

const id = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
const odd = fc.oneof(
  id,
  fc
    .array(fc.constantFrom("#", "%", "~", "!", "A", "/", " ", "23"), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join("")),
);
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe("keys", () => {
  test("a row's key tells its namespace, checkpoint and task", () => {
    fc.assert(
      fc.property(odd, odd, odd, fc.nat({ max: 99 }), (ns, checkpoint, task, group) => {
        expect(parseNamespaceRow(checkpointKey(ns, checkpoint))).toEqual({
          kind: "checkpoint",
          ns,
          id: checkpoint,
        });
        expect(parseNamespaceRow(headKey(ns))).toEqual({ kind: "head", ns });
        expect(parseNamespaceRow(writesKey(ns, checkpoint, task, group))).toEqual({
          kind: "writes",
          ns,
          id: checkpoint,
          taskId: task,
        });
      }),
    );
  });

  test("partitions are distinct, start with their prefix and tell their thread", () => {
    fc.assert(
      fc.property(fc.tuple(odd, odd), fc.tuple(odd, odd), (one, other) => {
        const key = partitionKey(...one);
        expect(key.startsWith(`${one[0]}#`)).toBe(true);
        expect(indexedThread(indexKey(one[1]))).toBe(one[1]);
        expect(key).not.toBe(indexPartition(other[0]));
        expect(key === partitionKey(...other)).toBe(one[0] === other[0] && one[1] === other[1]);
      }),
    );
  });

  test("checkpoints sort as their ids do; the head is above them, their writes below, nothing reaches in", () => {
    fc.assert(
      fc.property(odd, odd, odd, odd, (ns, one, other, task) => {
        const keys = [checkpointKey(ns, one), checkpointKey(ns, other)] as const;
        expect(Math.sign(byBytes(...keys))).toBe(Math.sign(byBytes(one, other)));
        for (const key of keys) expect(byBytes(headKey(ns), key)).toBe(1);
        expect(byBytes(checkpointKey(ns, one), writesKey(ns, one, task, 3))).toBe(1);
        if (one !== other) {
          expect(checkpointKey(ns, other).startsWith(checkpointPrefix(ns, one))).toBe(false);
          expect(Math.sign(byBytes(writesKey(ns, one, task, 0), checkpointKey(ns, other)))).toBe(
            Math.sign(byBytes(one, other)),
          );
          expect(namespacePrefix(one).startsWith(namespacePrefix(other))).toBe(false);
        }
      }),
    );
  });
});
