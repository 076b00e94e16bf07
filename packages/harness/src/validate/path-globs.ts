import type { ToolEntryParts } from "../spec/tool-entries.ts";
import { BUILT_IN_TOOL_PATHS, type PathAccess } from "../spec/tool-paths.ts";

/** A glob an entry puts on one path argument of its tool. */
export interface PathGlob {
  readonly glob: string;
  readonly argument: string;
  /** What the tool does with the argument; `undefined` for a tool that declares no paths here. */
  readonly access: PathAccess | undefined;
}

/**
 * The globs of an entry that are held against paths, once for each path argument they bear on: `paths` bears on
 * all of them, and on `file_path` of a tool whose declaration is the host's to make.
 */
export function pathGlobsOf({ tool, guards }: ToolEntryParts): PathGlob[] {
  const declared = BUILT_IN_TOOL_PATHS[tool] ?? {};
  const names = Object.keys(declared);
  const known = names.length === 0 ? ["file_path"] : names;
  return guards.flatMap(({ argument, globs }) =>
    globs.flatMap((glob) =>
      known
        .filter((name) => argument === undefined || argument === name)
        .map((name) => ({ glob, argument: name, access: declared[name] })),
    ),
  );
}
