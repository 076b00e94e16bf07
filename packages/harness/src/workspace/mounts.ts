import { type BackendProtocolV2, FilesystemBackend } from "deepagents";
import { AuthoringBackendExposedError, MountCollisionError } from "../errors.ts";
import { canonicalizePath } from "../spec/canonical-path.ts";
import {
  authoringPlanePrefix,
  describeAuthoringPrefix,
  type MountPrefixes,
  sessionAreaNames,
} from "../spec/paths.ts";
import { subtreeOrigin } from "./mount-subtree.ts";

/**
 * One mount of authored content: a backend alone (read-only, in every state, searchable), or a backend with
 * its terms (spec 04 §4). No flag follows from another.
 */
export type MountSpec =
  | BackendProtocolV2
  | {
      backend: BackendProtocolV2;
      /** Whether the mount refuses writes, whatever the spec grants. Default true. */
      readOnly?: boolean | undefined;
      /** Whether the spec decides which states reach it. Default false. */
      governed?: boolean | undefined;
      /** Whether a search started elsewhere enters it. Default true; ignored on a file mount. */
      searchable?: boolean | undefined;
    };

/** A mount as the router serves it. */
export interface ResolvedMount {
  /** Canonical path without outer slashes. */
  readonly name: string;
  readonly kind: "dir" | "file";
  readonly backend: BackendProtocolV2;
  readonly readOnly: boolean;
  readonly governed: boolean;
  readonly searchable: boolean;
}

/**
 * The conventional mounts of a root: `/skills/`, `/.platform/` and `/AGENTS.md`. A table to start from: spread
 * it, replace it, leave it. What does not exist reads as absent.
 */
export function defaultMounts(rootDir: string): Record<string, BackendProtocolV2> {
  const root = new FilesystemBackend({ rootDir, virtualMode: true });
  const directory = (name: string): BackendProtocolV2 => {
    const backend = new FilesystemBackend({ rootDir: `${rootDir}/${name}`, virtualMode: true });
    presence.set(backend, async () => holdsDirectory(root, name));
    return backend;
  };
  return { "/skills/": directory("skills"), "/.platform/": directory(".platform"), "/AGENTS.md": root };
}

/** Tells whether the directory of a conventional mount is there. */
const presence = new WeakMap<BackendProtocolV2, () => Promise<boolean>>();

/** Whether the directory behind a mount is there. Told for the conventional mounts; any other is. */
export async function servesDirectory(mount: ResolvedMount): Promise<boolean> {
  return (await presence.get(mount.backend)?.()) ?? true;
}

/**
 * A mount table in canonical form, in table order; of two spellings of one name the last wins.
 *
 * @throws MountCollisionError when a key escapes the root or takes a session area or the authoring directory.
 */
export function resolveMounts(table: Readonly<Record<string, MountSpec>>): ResolvedMount[] {
  const mounts = new Map<string, ResolvedMount>();
  for (const [key, spec] of Object.entries(table)) {
    const mount = resolveMount(key, spec);
    if (mount !== null) mounts.set(`${mount.kind}:${mount.name}`, mount);
  }
  return [...mounts.values()];
}

/** The names of a mount table, by what the rules need to know of them. */
export function mountPrefixesOf(mounts: readonly ResolvedMount[]): MountPrefixes {
  const namesOf = (chosen: (mount: ResolvedMount) => boolean): string[] =>
    mounts.filter(chosen).map((mount) => mount.name);
  return {
    dirs: namesOf((mount) => mount.kind === "dir"),
    files: namesOf((mount) => mount.kind === "file"),
    writable: namesOf((mount) => !mount.readOnly),
    governed: namesOf((mount) => mount.governed),
    unsearchable: namesOf((mount) => !mount.searchable),
  };
}

/**
 * @throws AuthoringBackendExposedError when a writable mount reaches the workflows of the authoring backend:
 * it serves that backend itself, or a subtree of it that holds or lies in the authoring directory.
 */
export function assertAuthoringUnexposed(
  mounts: readonly ResolvedMount[],
  authoring: BackendProtocolV2,
): void {
  for (const mount of mounts) {
    if (!mount.readOnly && reachesAuthoring(mount.backend, authoring)) {
      throw new AuthoringBackendExposedError(mountKey(mount));
    }
  }
}

/** Whether a backend serves the workflows of the authoring backend, or part of them, or a folder that holds them. */
export function reachesAuthoring(backend: BackendProtocolV2, authoring: BackendProtocolV2): boolean {
  if (backend === authoring) return true;
  const [served, plane] = [subtreeOrigin(backend), subtreeOrigin(authoring)];
  if (served.backend !== plane.backend) return false;
  const [folder, workflows] = [
    `${served.prefix}/`,
    plane.prefix === "" ? "workflows/" : `${plane.prefix}/workflows/`,
  ];
  return served.prefix === "" || workflows.startsWith(folder) || folder.startsWith(workflows);
}

async function holdsDirectory(root: FilesystemBackend, name: string): Promise<boolean> {
  const listed = await root.ls("/");
  return listed.files?.some((file) => file.path === `/${name}/`) ?? false;
}

function resolveMount(key: string, spec: MountSpec): ResolvedMount | null {
  const canonical = canonicalizePath(key);
  if (canonical.escapes) throw new MountCollisionError(key, "its key leaves the workspace root");
  const name = canonical.path;
  if (name === "") return null;
  assertFreeName(key, name);
  const kind = key.endsWith("/") ? "dir" : "file";
  const terms = "readRaw" in spec ? { backend: spec } : spec;
  const { backend, readOnly = true, governed = false, searchable = true } = terms;
  return { name, kind, backend, readOnly, governed, searchable: searchable || kind === "file" };
}

function assertFreeName(key: string, name: string): void {
  const first = name.split("/", 1)[0] ?? "";
  const area = sessionAreaNames().find((candidate) => candidate === first);
  if (area !== undefined) throw new MountCollisionError(key, `the session area ${area}/ has that name`);
  const plane = authoringPlanePrefix(name);
  if (plane !== null) {
    throw new MountCollisionError(
      key,
      `${plane}/ holds ${describeAuthoringPrefix(plane)}, which the runtime alone reads; serve them with the option authoring`,
    );
  }
}

function mountKey(mount: ResolvedMount): string {
  return mount.kind === "dir" ? `/${mount.name}/` : `/${mount.name}`;
}
