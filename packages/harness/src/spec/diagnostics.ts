/** How much a finding weighs. */
export type DiagnosticSeverity = "error" | "warning";

/** A finding about a workflow, for a person. */
export interface Diagnostic {
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  /** The file it is about; the pure validator, which knows of none, never sets it. */
  readonly file?: string;
  /** The dotted key path it is about, with list indices; absent for the document as a whole. */
  readonly field?: string;
}

/** A violation of the document's shape or of its own rules. */
export interface SpecSchemaIssue {
  /** The dotted key path it is about, with list indices; `""` for the document as a whole. */
  readonly path: string;
  readonly message: string;
}

/** A violation as a diagnostic of severity `error`. */
export function schemaIssueDiagnostic(issue: SpecSchemaIssue): Diagnostic {
  const { path, message } = issue;
  return path === "" ? { severity: "error", message } : { severity: "error", message, field: path };
}
