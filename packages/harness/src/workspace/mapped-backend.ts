import type { BackendProtocolV2, FileInfo } from "deepagents";
import { isAbsence, messageOf } from "./file-content.ts";
import { hidePrefix } from "./hidden-prefix.ts";
import { workspacePath } from "./workspace-path.ts";

/** How one call's path looks from both sides of a mapping layer. */
export interface PathView {
  /** The path the backend is given. */
  readonly inner: string;
  /** The path the caller gave. */
  readonly outer: string;
  /** A result path of the backend, as the caller sees it. */
  outward(path: string): string;
  /** An error text of the backend, as the caller may see it. */
  error(message: string): string;
  /** Whether a result path of the backend is one the caller may be given at all; every one is when absent. */
  covers?(path: string): boolean;
}

/** The view of a path that is handed on as it is. */
export function plainView(path: string): PathView {
  return { inner: path, outer: path, outward: (result) => result, error: (message) => message };
}

/**
 * The view of a path below a prefix: `/x` is `/<prefix>/x` inside. A leading slash is kept where it was given;
 * result paths outside the prefix pass untouched; errors are cleared of it.
 *
 * @param prefix a canonical, non-empty path
 * @throws WorkspacePathEscapeError when the path climbs above the prefix.
 */
export function prefixedView(prefix: string, path: string): PathView {
  const relative = workspacePath(path);
  const lead = path.startsWith("/") ? "/" : "";
  const inner = `${lead}${prefix}${relative === "" ? "" : `/${relative}`}`;
  return {
    inner,
    outer: path,
    outward: (result) => withoutPrefix(prefix, result),
    error: (message) => hidePrefix(message, prefix, inner, `${lead}${relative}`),
  };
}

/**
 * A backend whose every path, result path and error text passes through a view chosen per call. The optional
 * methods are there where the backend has them. A thrown error becomes a reported one, rewritten; a transfer,
 * which has no room for text, throws it rewritten.
 */
export function mappedBackend(
  backend: BackendProtocolV2,
  viewOf: (path: string) => PathView,
): BackendProtocolV2 {
  const mapped: BackendProtocolV2 = {
    async ls(path) {
      const view = viewOf(path);
      const result = await reported(view, () => backend.ls(view.inner));
      return result.files ? { ...result, files: seenFiles(view, result.files) } : result;
    },
    async read(path, offset, limit) {
      const view = viewOf(path);
      return reported(view, () => backend.read(view.inner, offset, limit));
    },
    async readRaw(path) {
      const view = viewOf(path);
      return reported(view, () => backend.readRaw(view.inner));
    },
    async write(path, content) {
      const view = viewOf(path);
      return seenPath(view, await reported(view, () => backend.write(view.inner, content)));
    },
    async edit(path, oldText, newText, replaceAll) {
      const view = viewOf(path);
      return seenPath(
        view,
        await reported(view, () => backend.edit(view.inner, oldText, newText, replaceAll)),
      );
    },
    async grep(pattern, path, glob, maxCount) {
      const view = viewOf(path ?? "/");
      const result = await reported(view, () => backend.grep(pattern, view.inner, glob, maxCount));
      const seen = result.matches
        ?.filter(({ path: found }) => view.covers?.(found) ?? true)
        .map((match) => ({ ...match, path: view.outward(match.path) }));
      return seen ? { ...result, matches: seen } : result;
    },
    async glob(pattern, path) {
      const view = viewOf(path ?? "/");
      const result = await reported(view, () => backend.glob(pattern, view.inner));
      return result.files ? { ...result, files: seenFiles(view, result.files) } : result;
    },
  };
  addOptionalMethods(mapped, backend, viewOf);
  return mapped;
}

function addOptionalMethods(
  mapped: BackendProtocolV2,
  backend: BackendProtocolV2,
  viewOf: (path: string) => PathView,
): void {
  if (backend.delete) {
    mapped.delete = async (path) => {
      const view = viewOf(path);
      return seenPath(view, await reported(view, async () => (await backend.delete?.(view.inner)) ?? {}));
    };
  }
  if (backend.uploadFiles) {
    mapped.uploadFiles = async (files) => {
      const views = files.map(([path]) => viewOf(path));
      const inner = files.map(([, content], index): [string, Uint8Array] => [innerOf(views, index), content]);
      const results = await transferred(views, async () => (await backend.uploadFiles?.(inner)) ?? []);
      return files.map(([path], index) => ({ path, error: results[index]?.error ?? null }));
    };
  }
  if (backend.downloadFiles) {
    mapped.downloadFiles = async (paths) => {
      const views = paths.map(viewOf);
      const inner = views.map((view) => view.inner);
      const results = await transferred(views, async () => (await backend.downloadFiles?.(inner)) ?? []);
      return paths.map((path, index) => {
        const result = results[index];
        return { path, content: result?.content ?? null, error: result ? result.error : "file_not_found" };
      });
    };
  }
}

/** Runs a call and gives its error, reported or thrown, the caller's paths. */
async function reported<T extends { error?: string }>(
  view: PathView,
  call: () => T | Promise<T>,
): Promise<T | { error: string; files?: never; matches?: never; path?: never }> {
  try {
    const result = await call();
    if (typeof result !== "object" || result?.error === undefined) return result;
    return { ...result, error: view.error(result.error) };
  } catch (error) {
    const message = messageOf(error);
    return { error: isAbsence(message) ? `File '${view.outer}' not found` : view.error(message) };
  }
}

async function transferred<T>(views: readonly PathView[], call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    const message = views.reduce((text, view) => view.error(text), messageOf(cause));
    throw new Error(message, { cause });
  }
}

function seenFiles(view: PathView, files: readonly FileInfo[]): FileInfo[] {
  return files
    .filter(({ path }) => view.covers?.(path) ?? true)
    .map((file) => ({ ...file, path: view.outward(file.path) }));
}

function seenPath<T extends { path?: string }>(view: PathView, result: T): T {
  return result.path === undefined ? result : { ...result, path: view.outward(result.path) };
}

function innerOf(views: readonly PathView[], index: number): string {
  return views[index]?.inner ?? "";
}

function withoutPrefix(prefix: string, path: string): string {
  const lead = path.startsWith("/") ? "/" : "";
  const body = path.slice(lead.length);
  if (body === prefix || body === `${prefix}/`) return lead;
  return body.startsWith(`${prefix}/`) ? lead + body.slice(prefix.length + 1) : path;
}
