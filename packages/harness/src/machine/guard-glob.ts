import { canonicalizePath } from "../spec/paths.ts";
import {
  parseReferences,
  type ReferenceFailure,
  referenceText,
  type VariableReference,
} from "../spec/references.ts";
import type { VariableStore } from "../spec/variables.ts";
import { compileGlob, type GlobMatcher, type GlobPart, UNJUDGEABLE_GLOB } from "./glob-compiler.ts";

/** A reference that names no usable value, and why. */
export interface UnresolvedReference {
  /** The reference as written, braces included. */
  readonly reference: string;
  readonly reason: ReferenceFailure;
  /** A sentence for a person. */
  readonly detail: string;
}

/** One glob of a guard, which may name session variables. */
export interface GuardGlob {
  /** The glob as written. */
  readonly text: string;
  /** The matcher under these variables, or the first reference that cannot be resolved. */
  readonly resolve: (variables: VariableStore) => GlobMatcher | UnresolvedReference;
}

/** How many resolved spellings of one glob are kept compiled. */
const CACHE_SIZE = 128;

/** A stretch of a glob as written: text, or a reference. */
type Piece = GlobPart | { readonly reference: VariableReference };

/**
 * Reads a glob as written. `${{name}}` stands for the canonical text of the variable's value, taken literally
 * and resolved on every call; `$${{name}}` stands for the text `${{name}}`. A value whose canonical text is
 * empty makes the glob unjudgeable: it would otherwise widen `${{dir}}/**` to everything (spec 02 §4.6).
 */
export function guardGlob(written: string): GuardGlob {
  const pieces = piecesOf(written);
  const references = pieces.flatMap((piece) => ("reference" in piece ? [piece.reference] : []));
  if (references.length === 0) {
    const matcher = compileGlob(pieces.filter((piece) => "text" in piece));
    return { text: written, resolve: () => matcher };
  }
  const compiled = new Map<string, GlobMatcher>();
  const resolve = (variables: VariableStore): GlobMatcher | UnresolvedReference => {
    const values: string[] = [];
    for (const reference of references) {
      const resolved = referenceText(reference, variables, canonicalText);
      if (!resolved.ok) {
        return { reference: resolved.reference, reason: resolved.reason, detail: resolved.detail };
      }
      values.push(resolved.pattern);
    }
    if (values.includes("")) return UNJUDGEABLE_GLOB;
    const [only = "", ...others] = values;
    const key = others.length === 0 ? only : JSON.stringify(values); // a glob always has the same number of them
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const matcher = compileGlob(substitute(pieces, values));
    if (compiled.size >= CACHE_SIZE) compiled.clear();
    compiled.set(key, matcher);
    return matcher;
  };
  return { text: written, resolve };
}

/** Whether a guard's answer is an unresolved reference. */
export function isUnresolved(answer: GlobMatcher | UnresolvedReference): answer is UnresolvedReference {
  return typeof answer === "object";
}

function canonicalText(value: string | number | boolean): string {
  return canonicalizePath(String(value)).path;
}

function piecesOf(written: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const reference of parseReferences(written)) {
    pieces.push(...textPieces(written.slice(end, reference.index)), { reference });
    end = reference.index + reference.raw.length;
  }
  pieces.push(...textPieces(written.slice(end)));
  return pieces;
}

/** Text without references, cut at the escapes, each of which prints the reference behind its first dollar. */
function textPieces(text: string): GlobPart[] {
  return text
    .split(/(\$\$\{\{[^}]*\}\})/)
    .map((part, index) =>
      index % 2 === 1 ? { text: part.slice(1), literal: true } : { text: part, literal: false },
    )
    .filter((part) => part.text !== "");
}

function substitute(pieces: readonly Piece[], values: readonly string[]): GlobPart[] {
  let next = 0;
  return pieces.map((piece) =>
    "reference" in piece ? { text: values[next++] ?? "", literal: true } : piece,
  );
}
