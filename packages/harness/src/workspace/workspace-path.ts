import { WorkspacePathEscapeError } from "../errors.ts";
import { canonicalizePath } from "../spec/canonical-path.ts";

/**
 * The canonical spelling of a workspace path without a leading slash; `""` is the root.
 *
 * @throws WorkspacePathEscapeError when a `..` climbs above the root.
 */
export function workspacePath(path: string): string {
  const canonical = canonicalizePath(path);
  if (canonical.escapes) throw new WorkspacePathEscapeError(path);
  return canonical.path;
}
