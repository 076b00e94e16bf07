import { COPY_FILE_TOOL, MOVE_FILE_TOOL, REMOVE_FILE_TOOL, RUN_TOOL } from "./tool-names.ts";

/** What a tool may do with a path it is given. The workflow language, 3.8 tool paths. */
export const PATH_ACCESSES = ["read", "list", "search", "write", "remove", "execute"] as const;

/** One of the accesses a path argument can declare. */
export type PathAccess = (typeof PATH_ACCESSES)[number];

/** The path arguments of a tool, each with its access. */
export type ToolPaths = Readonly<Record<string, PathAccess>>;

/** The path arguments of the tools every session has. */
export const BUILT_IN_TOOL_PATHS: Readonly<Record<string, ToolPaths>> = {
  read_file: { file_path: "read" },
  write_file: { file_path: "write" },
  edit_file: { file_path: "write" },
  ls: { path: "list" },
  glob: { path: "search" },
  grep: { path: "search" },
  [RUN_TOOL]: { file_path: "execute" },
  [COPY_FILE_TOOL]: { source: "read", destination: "write" },
  [MOVE_FILE_TOOL]: { source: "remove", destination: "write" },
  [REMOVE_FILE_TOOL]: { file_path: "remove" },
};
