import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  lintSpec,
  type MachineSpec,
  parseMachineSpec,
  refineSpec,
  schemaIssueDiagnostic,
  validateSpec,
} from "./index.ts";
import { isMapping } from "./shapes.ts";
import { validDocument } from "./testing-fixtures/arbitrary-documents.ts";
import { hostDocument, nearDocument, placesIn, valueAt } from "./testing-fixtures/mutations.ts";
import { slippedDocument } from "./testing-fixtures/rule-slips.ts";

const anything = fc.anything({
  maxDepth: 4,
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

/** Whether a dotted field leads to something written, or to a key that its mapping lacks. */
function leadsSomewhere(at: unknown, field: string): boolean {
  if (Array.isArray(at)) {
    const [, index = "", rest] = /^(\d+)(?:\.(.*))?$/s.exec(field) ?? [];
    if (index === "" || Number(index) >= at.length) return false;
    return rest === undefined || leadsSomewhere(at[Number(index)], rest);
  }
  if (!isMapping(at)) return false;
  if (Object.hasOwn(at, field) || !field.includes(".")) return true;
  return Object.keys(at).some(
    (key) => field.startsWith(`${key}.`) && leadsSomewhere(at[key], field.slice(key.length + 1)),
  );
}

describe("no value makes them throw", () => {
  const calls = (value: unknown) => {
    parseMachineSpec(value);
    validateSpec(value);
    // Both take what a schema has accepted; they are total all the same.
    refineSpec(value as MachineSpec);
    lintSpec(value as MachineSpec);
  };

  test("whatever it is", () => {
    fc.assert(fc.property(anything, calls), { numRuns: 1_000 });
  });

  test("nearly a document", () => {
    fc.assert(fc.property(nearDocument(validDocument), calls), { numRuns: 1_000 });
  });

  test("nearly a document, with values no text can hold", () => {
    fc.assert(fc.property(hostDocument(validDocument), calls), { numRuns: 1_000 });
  });

  test("a document that holds itself somewhere", () => {
    const cyclic = fc.tuple(validDocument, fc.nat(), fc.nat()).map(([document, inner, outer]) => {
      const own = structuredClone(document);
      const paths = placesIn(own).filter((path) => path.length > 0);
      const path = paths[inner % paths.length] ?? [];
      const container = valueAt(own, path.slice(0, -1));
      const around = valueAt(own, path.slice(0, outer % path.length));
      if (container instanceof Object) Reflect.set(container, path.at(-1) ?? "", around);
      return own;
    });
    fc.assert(fc.property(cyclic, calls), { numRuns: 500 });
  });
});

test("a valid document is accepted, and is what comes back, an empty state for a null one", () => {
  fc.assert(
    fc.property(validDocument, (document) => {
      const { ok, spec, schema } = validateSpec(document);
      expect(schema).toEqual([]);
      expect(ok).toBe(true);
      const states = Object.entries(document.states as Record<string, unknown>);
      const read = Object.fromEntries(states.map(([slug, state]) => [slug, state ?? {}]));
      expect(spec).toEqual({ ...document, states: read });
      // What comes back is as good as what was given.
      expect(validateSpec(spec)).toEqual(validateSpec(document));
    }),
  );
});

test("a document that breaks a rule alone is refused with its shape in hand", () => {
  fc.assert(
    fc.property(slippedDocument(validDocument), (document) => {
      const { ok, spec, schema, lint } = validateSpec(document);
      expect(ok).toBe(false);
      expect(schema).not.toEqual([]);
      if (spec === undefined) expect.fail("the shape is sound");
      expect(schema).toEqual(refineSpec(spec).map(schemaIssueDiagnostic));
      expect(lint).toEqual(lintSpec(spec));
      for (const { field } of schema) expect(leadsSomewhere(document, field ?? ""), field).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("the same value gets the same answer and is left as it was", () => {
  fc.assert(
    fc.property(nearDocument(validDocument), (document) => {
      const before = JSON.stringify(document);
      const first = validateSpec(document);
      expect(validateSpec(document)).toEqual(first);
      expect(JSON.stringify(document)).toBe(before);
      expect(parseMachineSpec(document).ok).toBe(first.ok);
    }),
  );
});

test("every finding is about something written, or about a key that is missing where it says", () => {
  fc.assert(
    fc.property(nearDocument(validDocument), (document) => {
      const { ok, schema, lint, diagnostics, spec } = validateSpec(document);
      expect(diagnostics).toEqual([...schema, ...lint]);
      expect(ok).toBe(schema.length === 0);
      if (spec === undefined) expect(lint).toEqual([]);
      for (const { field, message } of diagnostics) {
        expect(message.trim()).not.toBe("");
        // Those are words for values that resist being read, never for one a text can hold.
        expect(message).not.toMatch(/cannot be read|more places than can be listed/);
        if (field !== undefined) expect(leadsSomewhere(document, field), field).toBe(true);
      }
      for (const { severity } of schema) expect(severity).toBe("error");
    }),
    { numRuns: 2_000 },
  );
});

describe("values of a host's that resist being read", () => {
  const throwing = (error: unknown) =>
    Object.defineProperty({}, "states", {
      enumerable: true,
      get: () => {
        throw error;
      },
    });

  test("a getter that throws is told, not thrown on", () => {
    const { ok, spec, diagnostics } = validateSpec(throwing(new Error("the disk is gone")));
    expect(ok).toBe(false);
    expect(spec).toBeUndefined();
    expect(diagnostics).toEqual([
      { severity: "error", message: "the document cannot be read: the disk is gone" },
    ]);
    for (const error of [
      undefined,
      "text",
      Object.create(null),
      {
        toString: () => {
          throw new Error("no");
        },
      },
    ]) {
      expect(validateSpec(throwing(error)).ok).toBe(false);
    }
  });

  test("neither is a proxy that has been revoked", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(validateSpec(proxy).ok).toBe(false);
    expect(validateSpec({ states: { a: proxy } }).ok).toBe(false);
  });
});
