import { type Diagnostic, type SpecSchemaIssue, schemaIssueDiagnostic } from "./diagnostics.ts";
import { describeIssue } from "./issue-messages.ts";
import { lintOutline } from "./lint.ts";
import { withFewQuestions } from "./nearest-name.ts";
import { outlineOf, type SpecOutline } from "./outline.ts";
import { refineOutline } from "./refine.ts";
import { type MachineSpec, machineSpecSchema } from "./schema.ts";

/** A document the language accepts, or everything that is wrong with it. */
export type MachineSpecParse =
  | { readonly ok: true; readonly spec: MachineSpec }
  | {
      readonly ok: false;
      readonly issues: readonly SpecSchemaIssue[];
      /** Present where the shape is sound and only a document rule is broken. */
      readonly spec?: MachineSpec;
    };

/** Everything a document alone can be told. */
export interface SpecValidation {
  /** Whether shape and document rules hold; lint never clears it. */
  readonly ok: boolean;
  /** Present where the shape is sound. */
  readonly spec?: MachineSpec;
  /** Violations of shape and document rules, all of severity `error`. */
  readonly schema: readonly Diagnostic[];
  readonly lint: readonly Diagnostic[];
  /** `schema`, then `lint`. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What a hostile value is told whose violations or nesting are too many to work through. */
const TOO_MUCH =
  "it breaks the language in more places than can be listed; correct its shape and validate again";

/** The document where its shape is sound, otherwise what is wrong with it. */
type Shape =
  | { readonly success: true; readonly data: MachineSpec }
  | { readonly success: false; readonly issues: readonly ShapeIssue[] };

interface ShapeIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function parseShape(value: unknown): Shape {
  try {
    return withFewQuestions(() => {
      const parsed = machineSpecSchema.safeParse(value, { error: describeIssue });
      // The messages are written when the issues are first read.
      return parsed.success ? parsed : { success: false, issues: parsed.error.issues };
    });
  } catch (error) {
    // zod passes all issues of a list on as the arguments of one call; beyond some 100 000 the stack is too small.
    // Any other error is the value's own: a getter or a proxy of the host's that fails while it is read.
    const message =
      error instanceof RangeError ? TOO_MUCH : `the document cannot be read: ${reasonOf(error)}`;
    return { success: false, issues: [{ path: [], message }] };
  }
}

/** What a foreign value threw, in words; the thrown thing may resist being read as well. */
function reasonOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return "it throws an error that cannot be read either";
  }
}

/** What shape and rules say of a value, with the document taken apart where its shape is sound. */
interface Parsed {
  readonly outline?: SpecOutline;
  readonly issues: readonly SpecSchemaIssue[];
}

function parse(value: unknown): Parsed {
  const parsed = parseShape(value);
  if (!parsed.success) {
    const issues = parsed.issues.map(({ path, message }) => ({
      path: path.map(String).join("."),
      message,
    }));
    return { issues };
  }
  const outline = outlineOf(parsed.data);
  return { outline, issues: refineOutline(outline) };
}

/** Checks a value's shape and the rules that cross the document. Never throws. */
export function parseMachineSpec(value: unknown): MachineSpecParse {
  const { outline, issues } = parse(value);
  if (outline === undefined) return { ok: false, issues };
  const { spec } = outline;
  return issues.length === 0 ? { ok: true, spec } : { ok: false, issues, spec };
}

/** Checks a value's shape, the rules that cross the document, and its lint. Never throws. */
export function validateSpec(value: unknown): SpecValidation {
  const { outline, issues } = parse(value);
  const schema = issues.map(schemaIssueDiagnostic);
  const lint = outline === undefined ? [] : lintOutline(outline);
  return {
    ok: issues.length === 0,
    ...(outline !== undefined && { spec: outline.spec }),
    schema,
    lint,
    diagnostics: [...schema, ...lint],
  };
}

/** Whether a workflow starts no new turns: `disabled` is there and is neither `null` nor `false`. */
export function specDisabled(spec: { readonly disabled?: unknown } | null | undefined): boolean {
  const disabled = spec?.disabled;
  return disabled !== undefined && disabled !== null && disabled !== false;
}
