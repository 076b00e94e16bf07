import type { UnresolvedReference } from "../machine/guard-glob.ts";
import { resolveText } from "../spec/references.ts";
import { isMapping } from "../spec/shapes.ts";
import { GET_VARIABLES_TOOL } from "../spec/tool-names.ts";
import type { VariableStore } from "../spec/variables.ts";

/** Arguments with every reference replaced, or the first reference that cannot be. */
export type ArgumentSubstitution =
  | { readonly ok: true; readonly args: Record<string, unknown> }
  | ({ readonly ok: false } & UnresolvedReference);

/**
 * Replaces `${{name}}` in the string leaves of a call's arguments, through lists and plain objects, by the
 * variable's value verbatim; keys stay as they are, and so does the input (spec 02 §1, step 2). Delegation
 * tools resolve their own arguments.
 */
export function substituteArguments(
  args: Record<string, unknown>,
  variables: VariableStore,
): ArgumentSubstitution {
  let failure: UnresolvedReference | undefined;
  const substitute = (value: unknown): unknown => {
    if (failure !== undefined) return value;
    if (typeof value === "string") {
      const resolved = resolveText(value, variables);
      if (resolved.ok) return resolved.pattern;
      failure = { reference: resolved.reference, reason: resolved.reason, detail: resolved.detail };
      return value;
    }
    if (Array.isArray(value)) return value.map(substitute);
    return isPlainObject(value) ? substituteValues(value, substitute) : value;
  };
  const replaced = substituteValues(args, substitute);
  return failure === undefined ? { ok: true, args: replaced } : { ok: false, ...failure };
}

/** Why a call was refused before any rule: the reference, the cause and the two ways out. */
export function unresolvedArgumentReason(tool: string, problem: UnresolvedReference): string {
  return (
    `[workflow] BLOCKED: '${tool}' was called with the reference ${problem.reference}, which stands for no ` +
    `value: ${problem.detail}. Look up what is set with ${GET_VARIABLES_TOOL}, or write $${problem.reference} ` +
    "to pass the text itself."
  );
}

function substituteValues(
  object: Record<string, unknown>,
  substitute: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, substitute(value)]));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isMapping(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
