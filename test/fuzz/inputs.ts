import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { load } from "js-yaml";
import { nearText, textOf } from "../../packages/harness/src/document/testing-fixtures/near-texts.ts";
import { validDocument } from "../../packages/harness/src/spec/testing-fixtures/arbitrary-documents.ts";
import {
  INCIDENT_TRIAGE,
  INVOICE_APPROVAL,
} from "../../packages/harness/src/spec/testing-fixtures/examples.ts";
import { hostDocument, nearDocument } from "../../packages/harness/src/spec/testing-fixtures/mutations.ts";

import { slippedDocument } from "../../packages/harness/src/spec/testing-fixtures/rule-slips.ts";

/** What the validator is given: a text, a value a text can hold, or one that only a host can hand over. */
export type FuzzInput =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "json" | "host"; readonly value: unknown };

/** Real documents: the example workspace's, those of the guides, those of the language's chapter. */
function realTexts(): string[] {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const read = (path: string) => readFileSync(`${root}${path}`, "utf8");
  const workflows = readdirSync(`${root}workflows`).map((slug) => read(`workflows/${slug}/workflow.yaml`));
  const guides = readdirSync(`${root}docs`).flatMap((name) =>
    [...read(`docs/${name}`).matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => text),
  );
  return [...workflows, ...guides, INCIDENT_TRIAGE, INVOICE_APPROVAL];
}

const texts = realTexts();
const real = fc.constantFrom(...texts);
const sound = fc.oneof(
  real.map((text) => load(text)),
  validDocument,
);

const written = fc.oneof(real, textOf(slippedDocument(sound)), textOf(validDocument));
const documents = fc.oneof(sound, slippedDocument(sound));

/** A real document many times over, so that a text is now and then as long as the validator takes. */
const longText = fc.tuple(real, fc.integer({ min: 2, max: 40 })).map(([text, times]) => text.repeat(times));

/** What the fuzzer draws from. */
export const fuzzInput: fc.Arbitrary<FuzzInput> = fc.oneof(
  { weight: 8, arbitrary: nearText(written).map((text): FuzzInput => ({ kind: "text", text })) },
  { weight: 1, arbitrary: nearText(longText).map((text): FuzzInput => ({ kind: "text", text })) },
  {
    weight: 1,
    arbitrary: nearText(fc.string({ unit: "binary" })).map((text): FuzzInput => ({ kind: "text", text })),
  },
  { weight: 6, arbitrary: nearDocument(documents).map((value): FuzzInput => ({ kind: "json", value })) },
  { weight: 3, arbitrary: hostDocument(documents).map((value): FuzzInput => ({ kind: "host", value })) },
);

/** How many inputs are drawn from one seed; drawing one by one would cost more than checking them. */
export const BATCH = 50;

/** The inputs of a batch: the same for the same seed and number, on every machine. */
export function inputsOf(seed: number, batch: number): FuzzInput[] {
  return fc.sample(fuzzInput, { seed: (Math.imul(seed, 0x9e3779b1) + batch) | 0, numRuns: BATCH });
}
