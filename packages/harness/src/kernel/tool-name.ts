/** What a called name stands for among the registered tools (spec 02 §1, step 1). */
export type ToolNameResolution =
  | { readonly kind: "resolved"; readonly name: string }
  | { readonly kind: "ambiguous"; readonly candidates: readonly string[] }
  | { readonly kind: "unknown" };

/** Names the kernel answers for, registered or not. */
const ANSWERED_BY_THE_KERNEL: ReadonlySet<string> = new Set(["eval", "task"]);

/**
 * Finds the tool a model means: the registered tool of that name, a name the kernel refuses by itself, or the
 * single registered tool ending in `__<called>`.
 */
export function resolveToolName(called: string, registered: Iterable<string>): ToolNameResolution {
  const names = [...registered];
  if (names.includes(called) || ANSWERED_BY_THE_KERNEL.has(called)) return { kind: "resolved", name: called };
  const candidates = called === "" ? [] : names.filter((name) => name.endsWith(`__${called}`));
  const [name] = candidates;
  if (name === undefined) return { kind: "unknown" };
  return candidates.length === 1 ? { kind: "resolved", name } : { kind: "ambiguous", candidates };
}

/** The answer to a call whose name stands for no one tool. */
export function notATool(called: string, resolution: ToolNameResolution): string {
  const candidates = resolution.kind === "ambiguous" ? resolution.candidates : [];
  return candidates.length === 0
    ? `'${called}' is not a tool.`
    : `'${called}' is not a tool: several end that way. Call one of ${candidates.join(", ")}.`;
}
