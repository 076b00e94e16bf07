import fc from "fast-check";
import { expect, test } from "vitest";
import { validDocument } from "../spec/testing-fixtures/arbitrary-documents.ts";
import { INCIDENT_TRIAGE, INVOICE_APPROVAL } from "../spec/testing-fixtures/examples.ts";
import { type DocumentReading, readJsonDocument, readYamlDocument, validateDocument } from "./index.ts";
import { nearText, textOf } from "./testing-fixtures/near-texts.ts";

const written = fc.oneof(textOf(validDocument), fc.constantFrom(INCIDENT_TRIAGE, INVOICE_APPROVAL));
const anyText = fc.oneof(
  { weight: 4, arbitrary: nearText(written) },
  { weight: 1, arbitrary: nearText(fc.string({ unit: "binary" })) },
);

function expectSound(read: (text: string) => DocumentReading, text: string): void {
  const lines = text.split(/\r\n|\r|\n/);
  const expectPlace = ({ line, column }: { line?: number; column?: number }) => {
    expect(line).toBeGreaterThan(0);
    expect(line).toBeLessThanOrEqual(lines.length);
    expect(column).toBeGreaterThan(0);
    expect(column).toBeLessThanOrEqual((lines[(line ?? 0) - 1] ?? "").length + 1);
  };
  const reading = read(text);
  if (!reading.ok) {
    expect(reading.problem.message).not.toBe("");
    expectPlace(reading.problem);
    return;
  }
  const validation = validateDocument(reading);
  expect(JSON.parse(JSON.stringify(validation))).toBeInstanceOf(Object);
  for (const finding of validation.diagnostics) expectPlace(finding);
  const again = read(text);
  expect(again.ok && validateDocument(again)).toEqual(validation);
}

test.each([
  ["YAML", readYamlDocument],
  ["JSON", readJsonDocument],
])(
  "any text as %s is refused with a place, or read and validated with places, the same way twice",
  (_, read) => {
    fc.assert(
      fc.property(anyText, (text) => expectSound(read, text)),
      { numRuns: 1_500 },
    );
  },
);

test("a document written in YAML or JSON is read back as it was", () => {
  fc.assert(
    fc.property(validDocument, (document) => {
      const json = JSON.stringify(document);
      for (const read of [readJsonDocument, readYamlDocument]) {
        const reading = read(json);
        expect(reading.ok && reading.value).toEqual(JSON.parse(json));
        expect(reading.ok && validateDocument(reading).ok).toBe(true);
      }
    }),
  );
});
