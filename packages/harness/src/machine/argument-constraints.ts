import { resolveText } from "../spec/references.ts";
import type { VariableStore } from "../spec/variables.ts";
import { guardedPathArguments, type PathArguments } from "./path-arguments.ts";
import type { Guard } from "./tool-entry.ts";
import type { ToolSurface } from "./tool-surface.ts";

/**
 * The guards of a state's entries as lines for the prompt, one per guarded entry of a disclosed tool: a
 * `paths` guard under each argument it looks at, references replaced by their values verbatim or marked
 * unresolved with the cause (spec 02 §5).
 */
export function argumentConstraints(
  surface: ToolSurface,
  paths: PathArguments,
  variables: VariableStore,
): string[] {
  return surface.effective.flatMap(({ tool, guards }) => {
    if (guards === undefined || guards.length === 0 || !surface.disclosed.has(tool)) return [];
    const clauses = guards.flatMap((guard) => {
      const globs = renderGlobs(guard, variables);
      const names = guard.argument === undefined ? guardedPathArguments(paths, tool) : [guard.argument];
      return names.map((name) => `\`${name}\` must match ${globs}`);
    });
    return [`- \`${tool}\`: ${clauses.join("; ")}`];
  });
}

function renderGlobs({ globs }: Guard, variables: VariableStore): string {
  if (globs.length === 0) return "nothing: its list of patterns is empty";
  return globs
    .map(({ text }) => {
      const resolved = resolveText(text, variables);
      return resolved.ok
        ? `\`${resolved.pattern}\``
        : `\`${text}\` (unresolved, matches nothing: ${resolved.detail})`;
    })
    .join(" or ");
}
