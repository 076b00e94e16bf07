import { classifyWorkspacePath } from "@archmax-ai/harness/spec";
import { RequestError } from "../errors.ts";

/**
 * The canonical path of a file a client names within a session.
 *
 * @throws RequestError 400 for a path that leaves the session or names the runtime's own areas.
 */
export function canonicalWorkspacePath(raw: string): string {
  const zone = classifyWorkspacePath(raw);
  if (zone === "escapes" || zone === "root" || raw.includes("\0") || !raw.isWellFormed()) {
    throw new RequestError(
      "WorkspacePathEscapeError",
      400,
      "Path leaves the session",
      "Give a path below the session.",
    );
  }
  if (zone === "run-internal") {
    throw new RequestError(
      "WorkspacePathEscapeError",
      400,
      "Path is the runtime's own",
      "Give a path of the session's own.",
    );
  }
  const segments: string[] = [];
  for (const segment of raw.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") segments.pop();
    else segments.push(segment);
  }
  return segments.join("/");
}
