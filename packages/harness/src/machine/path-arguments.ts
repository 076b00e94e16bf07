import { ownValue } from "../spec/shapes.ts";
import { BUILT_IN_TOOL_PATHS, type PathAccess, type ToolPaths } from "../spec/tool-paths.ts";

/** One path a call names. */
export interface NamedPath {
  /** The argument that holds it, by its declared name. */
  readonly argument: string;
  readonly access: PathAccess;
  /** The path as the caller wrote it. */
  readonly given: string;
}

/** The paths a call names, or the first argument that holds something else than a path or a list of paths. */
export type PathReading = { readonly paths: readonly NamedPath[] } | { readonly malformed: string };

/** A path argument of a tool, with the other name it is read by when its own is absent or null. */
interface PathArgument {
  readonly name: string;
  readonly access: PathAccess;
  readonly alias?: string;
}

/** Path arguments by tool: the built-in tools and those a host declared. */
export type PathArguments = ReadonlyMap<string, readonly PathArgument[]>;

/** The built-in tools that take `file_path` and `path` for one another; the copying tools have names of their own. */
const ALIASED: Readonly<Record<string, string>> = { file_path: "path", path: "file_path" };
const ALIASED_TOOLS = new Set(["read_file", "write_file", "edit_file", "ls", "glob", "grep", "archmax_run"]);

const UNDECLARED: readonly PathArgument[] = [{ name: "file_path", access: "read" }];

/** The path arguments of every tool (spec 02 §2.4). A built-in tool keeps its own whatever the host declares. */
export function pathArgumentsOf(declared: Readonly<Record<string, ToolPaths>>): PathArguments {
  const table = new Map<string, PathArgument[]>();
  for (const [tool, paths] of Object.entries({ ...declared, ...BUILT_IN_TOOL_PATHS })) {
    const list = Object.entries(paths).map(([name, access]) => {
      const alias = ALIASED_TOOLS.has(tool) ? ALIASED[name] : undefined;
      return alias === undefined ? { name, access } : { name, access, alias };
    });
    table.set(tool, list);
  }
  return table;
}

/** The paths a call names, in the order the tool declares its arguments. An undeclared tool names none. */
export function readPaths(table: PathArguments, tool: string, args: unknown): PathReading {
  const paths: NamedPath[] = [];
  for (const argument of table.get(tool) ?? []) {
    const value = argumentValue(argument, args);
    if (value === undefined || value === null) continue;
    const { name, access } = argument;
    for (const given of Array.isArray(value) ? Array.from<unknown>(value) : [value]) {
      if (typeof given !== "string") return { malformed: name };
      paths.push({ argument: name, access, given });
    }
  }
  return { paths };
}

/**
 * The values a `paths` guard tests: every path of every declared path argument, or of `file_path` when the
 * tool declares none. An omitted argument and an empty list give `undefined`, which no glob matches.
 */
export function guardedPathValues(table: PathArguments, tool: string, args: unknown): unknown[] {
  return (table.get(tool) ?? UNDECLARED).flatMap((argument) => {
    const value = argumentValue(argument, args);
    if (!Array.isArray(value)) return [value];
    return value.length === 0 ? [undefined] : Array.from<unknown>(value);
  });
}

/** The arguments a tool's paths are read from, aliases included. */
export function pathArgumentNames(table: PathArguments, tool: string): string[] {
  return (table.get(tool) ?? []).flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]));
}

/** The arguments a `paths` guard looks at. */
export function guardedPathArguments(table: PathArguments, tool: string): string[] {
  return (table.get(tool) ?? UNDECLARED).map(({ name }) => name);
}

function argumentValue({ name, alias }: PathArgument, args: unknown): unknown {
  const value = ownValue(args, name);
  return alias !== undefined && (value === undefined || value === null) ? ownValue(args, alias) : value;
}
