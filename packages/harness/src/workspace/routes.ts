import { type BackendProtocolV2, CompositeBackend } from "deepagents";
import { type MountPrefixes, mountNameOf } from "../spec/paths.ts";
import { mountRoute } from "./mount-route.ts";
import type { ResolvedMount } from "./mounts.ts";
import { sessionRoute } from "./session-route.ts";
import { createSessionZoneBackend, type SessionZone } from "./session-zone.ts";
import type { CompleteBackend } from "./transfers.ts";

/** What a workspace is routed over. */
export interface RouterParts {
  /** The session store's backend. */
  readonly store: BackendProtocolV2;
  readonly zone: SessionZone;
  readonly mounts: readonly ResolvedMount[];
  readonly mountPrefixes: MountPrefixes;
}

/** The backends behind a router, chosen by canonical path. Directory routes are reached through a composite. */
export interface Routes {
  /** The bound session's folder. */
  readonly session: CompleteBackend;
  /** What serves a path: the file mount of that name, else the composite of session and directory mounts. */
  at(relative: string): CompleteBackend;
  /** What a search uses that is addressed at no unsearchable mount. */
  readonly search: CompleteBackend;
  /** A directory mount's own backend, called with route-relative paths. */
  mount(name: string): CompleteBackend;
}

/** Builds the routes of a workspace once per assembly. */
export function createRoutes(parts: RouterParts): Routes {
  const { zone, mounts, mountPrefixes } = parts;
  const served = new Map(
    mounts.map((mount) => [keyOf(mount), mountRoute(mount, ownedBy(mount, mountPrefixes))]),
  );
  const session = sessionRoute(
    createSessionZoneBackend(parts.store, zone),
    zone,
    (path) => directoryMountOf(path, mountPrefixes) === null,
  );
  const composite = (chosen: readonly ResolvedMount[]): CompleteBackend =>
    new CompositeBackend(
      session,
      Object.fromEntries(chosen.map((mount) => [`/${mount.name}/`, requireRoute(served, keyOf(mount))])),
    );
  const directories = mounts.filter((mount) => mount.kind === "dir");
  const searchable = directories.filter((mount) => mount.searchable);
  const all = composite(directories);
  return {
    session,
    at: (relative) => served.get(`file:${relative}`) ?? all,
    search: searchable.length === directories.length ? all : composite(searchable),
    mount: (name) => requireRoute(served, `dir:${name}`),
  };
}

/** The name of the directory mount over a canonical path, the longest one, or `null`. */
export function directoryMountOf(relative: string, mountPrefixes: MountPrefixes): string | null {
  return mountNameOf(relative, { ...mountPrefixes, files: [] });
}

function ownedBy(mount: ResolvedMount, mountPrefixes: MountPrefixes): (path: string) => boolean {
  return (path) => directoryMountOf(path, mountPrefixes) === mount.name;
}

function keyOf(mount: ResolvedMount): string {
  return `${mount.kind}:${mount.name}`;
}

function requireRoute(routes: ReadonlyMap<string, CompleteBackend>, key: string): CompleteBackend {
  const route = routes.get(key);
  if (route === undefined) throw new Error(`The workspace has no route ${key}`);
  return route;
}
