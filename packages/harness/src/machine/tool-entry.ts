import { toolEntriesOf } from "../spec/tool-entries.ts";
import { type GuardGlob, guardGlob } from "./guard-glob.ts";

/** A condition of a tool entry: globs over one argument, or over every path argument of the tool. */
export interface Guard {
  /** The argument's dotted name; `undefined` for a `paths` guard. */
  readonly argument: string | undefined;
  /** The name split at its dots. */
  readonly path: readonly string[];
  readonly globs: readonly GuardGlob[];
}

/** An element of a `tools` list, compiled. */
export interface ToolEntry {
  /** A tool name, or `*` in a denial. */
  readonly tool: string;
  /** Absent for an unguarded entry; `args: {}` gives an empty list, which still counts as guarded. */
  readonly guards?: readonly Guard[];
}

/** Compiles a `tools` list. Total: what is no entry is passed over. */
export function toolEntries(list: unknown): ToolEntry[] {
  return toolEntriesOf(list).map(({ tool, guarded, guards }) => {
    if (!guarded) return { tool };
    const compiled = guards.map(({ argument, globs }) => ({
      argument,
      path: argument?.split(".") ?? [],
      globs: globs.map(guardGlob),
    }));
    return { tool, guards: compiled };
  });
}

/** Writes an entry as `tool` or `tool(name=glob|glob)`. */
export function renderEntry(entry: ToolEntry): string {
  return entry.guards === undefined ? entry.tool : `${entry.tool}(${renderGuards(entry.guards)})`;
}

/** Writes guards as `name=glob|glob`, a `paths` guard as `paths=glob|glob`. */
export function renderGuards(guards: readonly Guard[]): string {
  return guards
    .map(({ argument, globs }) => `${argument ?? "paths"}=${globs.map(({ text }) => text).join("|")}`)
    .join(", ");
}
