import type { Diagnostic, DiagnosticSeverity } from "./diagnostics.ts";
import { type NormalizedMountGrant, normalizeMountGrants } from "./mount-grants.ts";
import type { MountGrantEntry } from "./schema-grants.ts";
import { listOf } from "./shapes.ts";

/** A finding about one field of a document. */
export function finding(severity: DiagnosticSeverity, field: string, message: string): Diagnostic {
  return { severity, message, field };
}

/** The mount grants of a list no schema has vouched for. */
export function mountGrantsOf(list: unknown): NormalizedMountGrant[] {
  return normalizeMountGrants(listOf(list) as MountGrantEntry[]);
}

/** The mount names a grant list names, in order; a malformed element names none. */
export function mountsOf(list: unknown): string[] {
  return mountGrantsOf(list).map(({ mount }) => mount);
}
