import type { Diagnostic } from "../spec/diagnostics.ts";
import { type SpecValidation, validateSpec } from "../spec/validate.ts";
import type { Place } from "./places.ts";
import type { DocumentText } from "./reading.ts";

/** A finding about a workflow document with the place of its field in the text. */
export interface LocatedDiagnostic extends Diagnostic, Partial<Place> {}

/** What `validateSpec` says of a document, each finding with its place. */
export interface DocumentValidation extends SpecValidation {
  readonly schema: readonly LocatedDiagnostic[];
  readonly lint: readonly LocatedDiagnostic[];
  /** `schema`, then `lint`. */
  readonly diagnostics: readonly LocatedDiagnostic[];
}

/** Validates a document that was read from a text. Never throws. The workflow language, 2. */
export function validateDocument(document: DocumentText): DocumentValidation {
  const validation = validateSpec(document.value);
  const located = (finding: Diagnostic): LocatedDiagnostic => ({
    ...finding,
    ...document.placeOf(finding.field),
  });
  const schema = validation.schema.map(located);
  const lint = validation.lint.map(located);
  return { ...validation, schema, lint, diagnostics: [...schema, ...lint] };
}
