import { posix } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  normalizeSignature,
  SIGNATURE_TYPES,
  type SignatureEntry,
  signatureJsonSchema,
  signatureValueIssues,
} from "./index.ts";

/** The formats as a caller's own checker would know them, written without a look at the language's. */
const FORMATS = {
  date: (text: string) => {
    const instant = new Date(`${text}T00:00:00Z`);
    return (
      /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(+instant) && instant.toISOString().startsWith(text)
    );
  },
  "date-time": (text: string) => {
    const [, day = "", hour, minute, second, offsetHour = 0, offsetMinute = 0] =
      /^(.{10})[tT](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|[+-](\d\d):(\d\d))$/.exec(text) ?? [];
    const clock = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 61;
    return FORMATS.date(day) && clock && Number(offsetHour) < 24 && Number(offsetMinute) < 60;
  },
  file: (path: string) => /^here-it-is\/./.test(posix.normalize(`here-it-is/${path}`)),
};

/** Reads own keys alone, as the language does: `constructor` is no value that arrived. */
const ajv = new Ajv2020({ strict: true, formats: FORMATS, ownProperties: true });

const name = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9_]{0,4}$/),
  fc.constantFrom("constructor", "toString", "trigger", "hasOwnProperty"),
);
const entries: fc.Arbitrary<SignatureEntry[]> = fc.uniqueArray(
  fc.record(
    {
      name,
      type: fc.constantFrom(...SIGNATURE_TYPES),
      description: fc.constantFrom("What it is.", "\u2028"),
    },
    { requiredKeys: ["name"] },
  ),
  { maxLength: 4, selector: (entry) => entry.name },
);

const two = fc.integer({ min: 0, max: 99 }).map((n) => String(n).padStart(2, "0"));
const year = fc.constantFrom("2023", "2024", "1900", "2000", "0000", "0004", "9999", "999", "20240");
const day = fc
  .tuple(
    year,
    fc.oneof(two, fc.constantFrom("02", "04", "12")),
    fc.oneof(two, fc.constantFrom("28", "29", "30", "31")),
  )
  .map((parts) => parts.join("-"));
const clock = fc
  .tuple(
    fc.oneof(two, fc.constant("23")),
    fc.oneof(two, fc.constant("59")),
    fc.oneof(two, fc.constantFrom("59", "60", "61")),
  )
  .map((parts) => parts.join(":"));
const offset = fc.oneof(
  fc.constantFrom("Z", "z", "", "+0200", "+02", "+23:59", "-24:00", "+00:60"),
  fc.tuple(two, two).map(([h, m]) => `+${h}:${m}`),
);
const dateTime = fc
  .tuple(
    day,
    fc.constantFrom("T", "t", " ", ""),
    clock,
    fc.constantFrom("", ".1", ".125000", ".", ",5"),
    offset,
  )
  .map((parts) => parts.join(""));
const file = fc
  .array(fc.constantFrom("a", "..", ".", "", "/", "b.pdf", "..."), { maxLength: 6 })
  .map((parts) => parts.join("/"));
const value = fc.oneof(
  day,
  dateTime,
  file,
  fc.constantFrom<unknown>(
    0,
    -0,
    4,
    4.5,
    1e300,
    "4",
    "",
    "true",
    true,
    false,
    null,
    undefined,
    {},
    [],
    [[]],
    { length: 1 },
  ),
  fc.constantFrom<unknown>(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    "2024-02-29",
    "2026-03-01T09:30:00Z",
  ),
  fc.double(),
  fc.jsonValue({ maxDepth: 1 }),
);

describe("a signature as JSON Schema", () => {
  test("asks for what the signature asks for", () => {
    const asked = entries.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc
          .tuple(...list.map(() => fc.option(value, { nil: undefined })))
          .chain((values) =>
            fc.tuple(
              fc.constant(values),
              fc.dictionary(fc.constantFrom("extra", "constructor"), value, { maxKeys: 1 }),
            ),
          )
          .map(([values, extra]) => ({
            ...extra,
            ...Object.fromEntries(list.map((entry, at) => [entry.name, values[at]])),
          })),
      ),
    );
    fc.assert(
      fc.property(asked, ([list, values]) => {
        const accepts = ajv.compile({ ...signatureJsonSchema(list) });
        const issues = signatureValueIssues(list, values);
        expect(accepts(values), JSON.stringify({ list, values, issues, errors: accepts.errors })).toBe(
          issues.length === 0,
        );
        for (const issue of issues) expect(issue.message).toContain(issue.name);
      }),
      { numRuns: 1_000 },
    );
  });

  test("agrees on one value of each type", () => {
    for (const type of SIGNATURE_TYPES) {
      const list = [{ name: "v", type }];
      const accepts = ajv.compile({ ...signatureJsonSchema(list) });
      fc.assert(
        fc.property(value, (v) => {
          expect(accepts({ v }), `${type}: ${String(JSON.stringify(v))}`).toBe(
            signatureValueIssues(list, { v }).length === 0,
          );
        }),
        { numRuns: 1_000 },
      );
    }
  });

  test("is sound for any declared list, names and types wrong or twice included", () => {
    const declared = fc.oneof(
      fc.anything(),
      fc.array(
        fc.oneof(
          name,
          fc.string(),
          fc.record({ name, type: fc.string(), description: fc.anything() }),
          fc.anything(),
        ),
      ),
    );
    fc.assert(
      fc.property(declared, (list) => {
        const schema = signatureJsonSchema(normalizeSignature(list));
        expect(ajv.validateSchema({ ...schema }), JSON.stringify(schema)).toBe(true);
        expect(Object.keys(schema.properties).sort()).toEqual([...schema.required].sort());
      }),
    );
  });
});

test("a normalised signature stays what it is", () => {
  fc.assert(
    fc.property(fc.anything(), (list) => {
      const once = normalizeSignature(list);
      expect(normalizeSignature(once)).toEqual(once);
    }),
  );
});
