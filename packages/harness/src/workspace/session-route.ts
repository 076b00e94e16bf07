import type { BackendProtocolV2 } from "deepagents";
import { canonicalizePath } from "../spec/canonical-path.ts";
import { classifyWorkspacePath } from "../spec/paths.ts";
import { isAbsence } from "./file-content.ts";
import type { OwnsPath } from "./mount-route.ts";
import type { SessionZone } from "./session-zone.ts";
import { grepShown } from "./shown-matches.ts";
import { type CompleteBackend, cannotDelete, downloadOrRead, uploadOrRefuse } from "./transfers.ts";

/**
 * The session zone as the workspace's default route: it answers for every optional method, gives no result for
 * a path a mount serves, and a search of the whole session leaves the runtime's own areas out.
 */
export function sessionRoute(backend: BackendProtocolV2, zone: SessionZone, owns: OwnsPath): CompleteBackend {
  const shown = (searched: string | null | undefined, path: string): boolean => {
    const relative = canonicalizePath(path).path;
    if (!owns(relative)) return false;
    const bound = zone.boundSessionId();
    if (bound === undefined || withoutOwnId(bound, searched ?? "/") !== "") return true;
    return classifyWorkspacePath(withoutOwnId(bound, relative)) !== "run-internal";
  };
  const folderError = (path: string): { error: string } | undefined => {
    const relative = canonicalizePath(path).path;
    return relative === "" || relative === zone.boundSessionId()
      ? { error: "the root of the session is a directory" }
      : undefined;
  };
  return {
    async ls(path) {
      const result = await backend.ls(path);
      if (result.error !== undefined) return isAbsence(result.error) ? { files: [] } : result;
      return { files: (result.files ?? []).filter((file) => shown(path, file.path)) };
    },
    read: (path, offset, limit) => backend.read(path, offset, limit),
    readRaw: (path) => backend.readRaw(path),
    grep: (pattern, path, glob, maxCount) =>
      grepShown(backend, [pattern, path, glob, maxCount], (found) => shown(path, found)),
    async glob(pattern, path) {
      const result = await backend.glob(pattern, path);
      const files = result.files?.filter((file) => shown(path, file.path));
      return files ? { ...result, files } : result;
    },
    write: async (path, content) => folderError(path) ?? backend.write(path, content),
    edit: async (path, oldText, newText, all) =>
      folderError(path) ?? backend.edit(path, oldText, newText, all),
    delete: async (path) =>
      folderError(path) ?? (await backend.delete?.(path)) ?? cannotDelete(canonicalizePath(path).path),
    uploadFiles: (files) => uploadOrRefuse(backend, files),
    downloadFiles: (paths) => downloadOrRead(backend, paths),
  };
}

/** A path as it stands in the bound session, whether its id was spelled out or not: `s1/x` in session s1 is `x`. */
function withoutOwnId(bound: string, path: string): string {
  const relative = canonicalizePath(path).path;
  if (relative === bound) return "";
  return relative.startsWith(`${bound}/`) ? relative.slice(bound.length + 1) : relative;
}
