import { canonicalizePath } from "../spec/paths.ts";
import { resolvePath } from "../spec/references.ts";
import type { VariableStore } from "../spec/variables.ts";
import type { GlobMatcher, GuardPolarity } from "./glob-compiler.ts";
import { isUnresolved, type UnresolvedReference } from "./guard-glob.ts";
import type { Guard, ToolEntry } from "./tool-entry.ts";

/** What a guard is held against. */
export interface GuardedCall {
  readonly args: unknown;
  /** The values of the call's path arguments, `undefined` for an omitted one. */
  readonly pathValues: () => readonly unknown[];
  readonly variables: VariableStore;
}

/**
 * Whether an entry's guards hold, or the reference that leaves the answer open. Guards run in the order they
 * are written and the first that fails decides. An argument's globs resolve together, before any is matched.
 * A grant needs every path to match, a denial any (spec 02 §4.3, §4.7).
 */
export function matchGuards(
  entry: ToolEntry,
  call: GuardedCall,
  polarity: GuardPolarity,
): boolean | UnresolvedReference {
  for (const guard of entry.guards ?? []) {
    const matchers: GlobMatcher[] = [];
    for (const glob of guard.globs) {
      const answer = glob.resolve(call.variables);
      if (isUnresolved(answer)) return answer;
      matchers.push(answer);
    }
    if (!guardHolds(guard, matchers, call, polarity)) return false;
  }
  return true;
}

function guardHolds(
  guard: Guard,
  matchers: readonly GlobMatcher[],
  call: GuardedCall,
  polarity: GuardPolarity,
): boolean {
  if (guard.argument !== undefined) {
    return matchesAny(matchers, resolvePath(call.args, guard.path), polarity);
  }
  const test = (value: unknown): boolean => matchesAny(matchers, value, polarity);
  return polarity === "grant" ? call.pathValues().every(test) : call.pathValues().some(test);
}

function matchesAny(matchers: readonly GlobMatcher[], value: unknown, polarity: GuardPolarity): boolean {
  if (value === undefined || value === null) return false;
  const canonical = canonicalizePath(textOf(value)).path;
  return matchers.some((matches) => matches(canonical, polarity));
}

/** `String(value)`; a value that refuses the conversion reads as the plain object it is. */
function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return "[object Object]";
  }
}
