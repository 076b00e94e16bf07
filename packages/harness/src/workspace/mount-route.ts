import type { FileInfo } from "deepagents";
import { isAbsence, messageOf } from "./file-content.ts";
import { showMountPath } from "./hidden-prefix.ts";
import type { ResolvedMount } from "./mounts.ts";
import { grepShown } from "./shown-matches.ts";
import {
  type CompleteBackend,
  cannotDelete,
  downloadOrRead,
  refuseUploads,
  uploadOrRefuse,
} from "./transfers.ts";

/** Whether a canonical workspace path is served by the mount, and by no mount nested in it. */
export type OwnsPath = (path: string) => boolean;

/**
 * A mount's backend as a route of the workspace: it keeps the mount's read-only posture itself, answers for
 * every optional method, names workspace paths in its errors and gives no result for a path another mount
 * serves. A directory mount is called with route-relative paths, a file mount with its own key.
 */
export function mountRoute(mount: ResolvedMount, owns: OwnsPath): CompleteBackend {
  const { backend } = mount;
  const outer = (path: string): string => workspaceName(mount, path);
  const refusal = (path: string): { error: string } | undefined => {
    if (mount.readOnly) {
      return {
        error: `'${outer(path)}' lies in the read-only mount '${mount.name}' and was not changed. Write under scratchpad/ instead.`,
      };
    }
    return outer(path) === mount.name && mount.kind === "dir"
      ? { error: `'${mount.name}' is a directory, the root of a mount` }
      : undefined;
  };
  const told = async <T extends { error?: string }>(path: string, call: () => T | Promise<T>) =>
    reported(path, outer(path), call);
  const owned = (file: FileInfo): boolean => owns(outer(file.path));
  return {
    async ls(path) {
      const result = await told(path, () => backend.ls(path));
      return result.files ? { ...result, files: result.files.map(rooted).filter(owned) } : result;
    },
    read: (path, offset, limit) => told(path, () => backend.read(path, offset, limit)),
    readRaw: (path) => told(path, () => backend.readRaw(path)),
    async grep(pattern, path, glob, maxCount) {
      const result = await grepShown(backend, [pattern, path, glob, maxCount], (found) => owns(outer(found)));
      return result.matches ? { ...result, matches: result.matches.map(rooted) } : result;
    },
    async glob(pattern, path) {
      const result = await backend.glob(pattern, path);
      return result.files ? { ...result, files: result.files.map(rooted).filter(owned) } : result;
    },
    write: async (path, content) => refusal(path) ?? told(path, () => backend.write(path, content)),
    edit: async (path, oldText, newText, all) =>
      refusal(path) ?? told(path, () => backend.edit(path, oldText, newText, all)),
    delete: async (path) =>
      refusal(path) ?? told(path, async () => (await backend.delete?.(path)) ?? cannotDelete(outer(path))),
    uploadFiles: async (files) => (mount.readOnly ? refuseUploads(files) : uploadOrRefuse(backend, files)),
    downloadFiles: (paths) => downloadOrRead(backend, paths),
  };
}

/** The workspace path behind a path the mount's backend knows. */
function workspaceName(mount: ResolvedMount, path: string): string {
  if (mount.kind === "file") return mount.name;
  const relative = path.replace(/^\/+|\/+$/g, "");
  return relative === "" ? mount.name : `${mount.name}/${relative}`;
}

/** A result whose path has its leading slash, which the composite relies on. */
function rooted<T extends { path: string }>(item: T): T {
  return item.path.startsWith("/") ? item : { ...item, path: `/${item.path}` };
}

async function reported<T extends { error?: string }>(
  inner: string,
  outer: string,
  call: () => T | Promise<T>,
): Promise<T | { error: string; files?: never }> {
  try {
    const result = await call();
    if (typeof result !== "object" || result?.error === undefined) return result;
    return { ...result, error: showMountPath(result.error, inner, `/${outer}`) };
  } catch (error) {
    const message = messageOf(error);
    return {
      error: isAbsence(message) ? `File '/${outer}' not found` : showMountPath(message, inner, `/${outer}`),
    };
  }
}
