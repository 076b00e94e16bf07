import { entriesOf, isMapping, listOf, ownValue, stringsOf } from "./shapes.ts";

/** The globs a tool entry puts on one argument, or on every path argument where none is named. */
export interface ToolGuard {
  /** The argument's dotted name; `undefined` for the globs of `paths`. */
  readonly argument?: string;
  readonly globs: readonly string[];
}

/** A tool entry taken apart. */
export interface ToolEntryParts {
  readonly tool: string;
  /** Whether the entry was written with guards, be they empty. */
  readonly guarded: boolean;
  /** The guards in declaration order. With `args`, `paths` counts for nothing. */
  readonly guards: readonly ToolGuard[];
}

/**
 * Takes a tool entry apart, or answers `undefined` for a value that is none. The workflow language, 1.6 tool
 * entry.
 */
export function toolEntryParts(entry: unknown): ToolEntryParts | undefined {
  if (typeof entry === "string") return { tool: entry, guarded: false, guards: [] };
  const tool = ownValue(entry, "tool");
  if (typeof tool !== "string") return undefined;
  const args = ownValue(entry, "args");
  if (isMapping(args)) {
    const guards = entriesOf(args).map(([argument, globs]) => ({ argument, globs: globsOf(globs) }));
    return { tool, guarded: true, guards };
  }
  const paths = ownValue(entry, "paths");
  if (paths === undefined) return { tool, guarded: false, guards: [] };
  return { tool, guarded: true, guards: [{ globs: globsOf(paths) }] };
}

/** A tool entry of a list, taken apart. */
export interface ListedToolEntry extends ToolEntryParts {
  readonly index: number;
}

/** The tool entries of a list, malformed ones passed over, each with its index. */
export function toolEntriesOf(list: unknown): ListedToolEntry[] {
  const entries: ListedToolEntry[] = [];
  for (const [index, entry] of listOf(list).entries()) {
    const parts = toolEntryParts(entry);
    if (parts !== undefined) entries.push({ ...parts, index });
  }
  return entries;
}

function globsOf(value: unknown): readonly string[] {
  return typeof value === "string" ? [value] : stringsOf(value);
}
