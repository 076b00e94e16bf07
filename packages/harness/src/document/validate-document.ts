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

/**
 * How much text the findings of a document may come to, in UTF-16 units: some thousand of them. A small document can
 * be wrong in so many places that the list is a hundred times its size.
 */
const MAX_FINDINGS_TEXT = 200_000;

/**
 * Validates a document that was read from a text. Never throws. The workflow language, 2.
 *
 * Lists every finding of `validateSpec` up to 200,000 characters of them; a last one without field or place then says
 * how many more there are.
 */
export function validateDocument(document: DocumentText): DocumentValidation {
  const validation = validateSpec(document.value);
  let room = MAX_FINDINGS_TEXT;
  const located = (findings: readonly Diagnostic[]): LocatedDiagnostic[] => {
    const listed: LocatedDiagnostic[] = [];
    for (const finding of findings) {
      room -= finding.message.length + (finding.field?.length ?? 0);
      if (room < 0) {
        const message = `${findings.length - listed.length} more findings are not listed; correct those above first`;
        return [...listed, { severity: finding.severity, message }];
      }
      listed.push({ ...finding, ...document.placeOf(finding.field) });
    }
    return listed;
  };
  const schema = located(validation.schema);
  const lint = located(validation.lint);
  return { ...validation, schema, lint, diagnostics: [...schema, ...lint] };
}
