import {
  applyGrepMaxCount,
  type BackendProtocolV2,
  type FileInfo,
  type GrepResult,
  type LsResult,
} from "deepagents";
import { AUTHORING_PREFIXES, type MountPrefixes, SESSION_INTERNAL_DIRS } from "../spec/paths.ts";
import { servedAsText } from "./binary-notice.ts";
import { type ResolvedMount, servesDirectory } from "./mounts.ts";
import { createRoutes, directoryMountOf, type RouterParts, type Routes } from "./routes.ts";
import { patternRefusal, searchPattern, spelledFolders } from "./search-pattern.ts";
import type { CompleteBackend } from "./transfers.ts";
import { workspacePath } from "./workspace-path.ts";

/** The workspace router: a backend that always downloads and always answers a deletion. */
export type WorkspaceBackend = BackendProtocolV2 &
  Required<Pick<BackendProtocolV2, "downloadFiles" | "delete">>;

/**
 * The workspace (spec 04 §5): every path is canonicalized before any backend sees it, then goes to the file
 * mount of exactly that name, to the directory mount of the longest name over it, or to the bound session.
 * Result paths carry one leading slash. A path that climbs above the root rejects with
 * WorkspacePathEscapeError.
 */
export function createRouter(parts: RouterParts): WorkspaceBackend {
  const routes = createRoutes(parts);
  const router: WorkspaceBackend = {
    async ls(path) {
      const relative = workspacePath(path);
      return relative === "" ? listRoot(parts, routes) : listFolder(parts, routes, relative);
    },
    async read(path, offset, limit) {
      const relative = workspacePath(path);
      return servedAsText(relative, await routes.at(relative).read(`/${relative}`, offset, limit));
    },
    async readRaw(path) {
      const relative = workspacePath(path);
      return routes.at(relative).readRaw(`/${relative}`);
    },
    async write(path, content) {
      const relative = workspacePath(path);
      return placed(relative, await routes.at(relative).write(`/${relative}`, content));
    },
    async edit(path, oldText, newText, replaceAll) {
      const relative = workspacePath(path);
      return placed(relative, await routes.at(relative).edit(`/${relative}`, oldText, newText, replaceAll));
    },
    async grep(pattern, path, glob, maxCount) {
      const relative = workspacePath(path ?? "");
      const direct = unsearchableOver(parts, relative);
      if (direct === undefined) return routes.search.grep(pattern, `/${relative}`, glob, maxCount);
      const result = await routes.mount(direct).grep(pattern, withinMount(direct, relative), glob, maxCount);
      return result.error === undefined ? cappedBelow(direct, result, maxCount) : result;
    },
    async glob(written, path) {
      const refusal = patternRefusal(written);
      if (refusal !== undefined) return { error: refusal };
      const { pattern, relative } = addressed(parts, searchPattern(written), workspacePath(path ?? ""));
      const direct = unsearchableOver(parts, relative);
      if (direct === undefined) return routes.search.glob(pattern, `/${relative}`);
      const result = await routes.mount(direct).glob(pattern, withinMount(direct, relative));
      return result.files ? { ...result, files: result.files.map((file) => below(direct, file)) } : result;
    },
    async delete(path) {
      const relative = workspacePath(path);
      const refusal = deletionRefusal(parts.mountPrefixes, relative);
      return refusal ?? placed(relative, await routes.at(relative).delete(`/${relative}`));
    },
    async downloadFiles(paths) {
      return transferred(
        routes,
        paths,
        (path) => path,
        (route, batch) => route.downloadFiles(batch),
      );
    },
  };
  if (parts.store.uploadFiles) {
    router.uploadFiles = async (files) =>
      transferred(
        routes,
        files,
        ([path]) => path,
        (route, paths, batch) =>
          route.uploadFiles(batch.map(([, content], index) => [paths[index] ?? "/", content])),
      );
  }
  return router;
}

/** The root: the session's entries without the runtime's own, and the mounts that serve something. */
async function listRoot(parts: RouterParts, routes: Routes): Promise<LsResult> {
  const session = await routes.session.ls("/");
  if (session.error !== undefined) return session;
  const bound = parts.zone.boundSessionId() !== undefined;
  const hidden = new Set<string>(bound ? [...SESSION_INTERNAL_DIRS, ...AUTHORING_PREFIXES] : []);
  for (const mount of parts.mounts) hidden.add(mount.name);
  const entries = (session.files ?? []).filter((file) => !hidden.has(workspacePath(file.path)));
  const mounted = await Promise.all(parts.mounts.map((mount) => mountEntry(mount, routes)));
  return { files: sorted([...entries, ...mounted.filter((entry) => entry !== null)]) };
}

/** A folder: what its route lists, and the mounts that stand directly in it. */
async function listFolder(parts: RouterParts, routes: Routes, relative: string): Promise<LsResult> {
  const listed = await routes.at(relative).ls(`/${relative}`);
  if (listed.error !== undefined) return listed;
  const nested = parts.mounts.filter((mount) => mount.kind === "dir" && parentOf(mount.name) === relative);
  return { files: sorted([...(listed.files ?? []), ...nested.map(directoryEntry)]) };
}

async function mountEntry(mount: ResolvedMount, routes: Routes): Promise<FileInfo | null> {
  if (mount.kind === "dir") return (await servesDirectory(mount)) ? directoryEntry(mount) : null;
  if (mount.name.includes("/")) return null;
  const read = await routes.at(mount.name).readRaw(`/${mount.name}`);
  return read.error === undefined && read.data !== undefined
    ? { path: `/${mount.name}`, is_dir: false }
    : null;
}

function directoryEntry(mount: ResolvedMount): FileInfo {
  return { path: `/${mount.name}/`, is_dir: true };
}

/** Why a path cannot be deleted as a whole: it is the root, or a mount stands at or below it. */
function deletionRefusal(mountPrefixes: MountPrefixes, relative: string): { error: string } | undefined {
  if (relative === "") return { error: "the workspace root cannot be deleted" };
  const mount = [...mountPrefixes.dirs, ...mountPrefixes.files].find((name) =>
    name.startsWith(`${relative}/`),
  );
  return mount === undefined
    ? undefined
    : { error: `'${relative}' is a directory that holds the mount '${mount}' and cannot be deleted` };
}

/** The unsearchable mount a search is addressed at, or `undefined`. */
function unsearchableOver(parts: RouterParts, relative: string): string | undefined {
  const mount = directoryMountOf(relative, parts.mountPrefixes);
  return mount !== null && parts.mountPrefixes.unsearchable.includes(mount) ? mount : undefined;
}

/**
 * A search in the folder its pattern spells out, where a searchable mount stands in that folder, at it or over it:
 * a mount reads a pattern from its own root, and would look in vain for its own name.
 */
function addressed(
  { mountPrefixes }: RouterParts,
  pattern: string,
  relative: string,
): { pattern: string; relative: string } {
  const asWritten = { pattern, relative };
  const { folders, rest } = spelledFolders(pattern);
  if (folders.length === 0) return asWritten;
  const folder = [...(relative === "" ? [] : [relative]), ...folders].join("/");
  const over = directoryMountOf(folder, mountPrefixes);
  if (over !== null && mountPrefixes.unsearchable.includes(over)) return asWritten;
  const leadsToMount = mountPrefixes.dirs.some((name) => name.startsWith(`${folder}/`));
  const entersMount = over !== null && over !== directoryMountOf(relative, mountPrefixes);
  return entersMount || leadsToMount ? { pattern: rest, relative: folder } : asWritten;
}

function withinMount(mount: string, relative: string): string {
  return relative === mount ? "/" : relative.slice(mount.length);
}

function below<T extends { path: string }>(mount: string, item: T): T {
  return { ...item, path: `/${mount}${item.path}` };
}

function cappedBelow(mount: string, result: GrepResult, maxCount: number | null | undefined): GrepResult {
  const matches = (result.matches ?? []).map((match) => below(mount, match));
  return applyGrepMaxCount({ result: { ...result, matches }, maxCount });
}

/** A result of the route, its path in the workspace's spelling. */
function placed<T extends { path?: string }>(relative: string, result: T): T {
  return result.path === undefined ? result : { ...result, path: `/${relative}` };
}

/** Runs a transfer once per route, in one batch each, and answers in the order asked. */
async function transferred<T, R extends { path: string }>(
  routes: Routes,
  items: readonly T[],
  pathOf: (item: T) => string,
  run: (route: CompleteBackend, paths: string[], batch: T[]) => R[] | Promise<R[]>,
): Promise<R[]> {
  const paths = items.map((item) => `/${workspacePath(pathOf(item))}`);
  const batches = Map.groupBy(items.keys(), (index) => routes.at((paths[index] ?? "/").slice(1)));
  const results = new Map<number, R>();
  for (const [route, indices] of batches) {
    const answers = await run(route, pick(paths, indices), pick(items, indices));
    indices.forEach((index, position) => {
      const answer = answers[position];
      if (answer !== undefined) results.set(index, { ...answer, path: paths[index] ?? answer.path });
    });
  }
  return [...items.keys()].flatMap((index) => results.get(index) ?? []);
}

function pick<T>(items: readonly T[], indices: readonly number[]): T[] {
  return indices.flatMap((index) => items.slice(index, index + 1));
}

function parentOf(name: string): string {
  const cut = name.lastIndexOf("/");
  return cut === -1 ? "" : name.slice(0, cut);
}

function sorted(files: readonly FileInfo[]): FileInfo[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
