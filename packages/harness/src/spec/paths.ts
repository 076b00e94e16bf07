import { type CanonicalPath, canonicalizePath } from "./canonical-path.ts";

export { type CanonicalPath, canonicalizePath } from "./canonical-path.ts";

/** Areas of a session folder the runtime alone writes. The workflow language, 3.7 root namespace. */
export const SESSION_INTERNAL_DIRS = ["checkpoints", "artifacts", "_specs"] as const;

/** Areas of a session folder where the agent library puts what does not fit a context. */
export const SESSION_OFFLOAD_DIRS = ["large_tool_results", "conversation_history"] as const;

/** The area of a session folder that is open to the agent in every state. */
export const SESSION_OPEN_DIR = "scratchpad";

/** The area below the session root that belongs to no single session. */
export const SESSION_AGNOSTIC_PREFIX = "_specs";

/** Every area that belongs to no single session. */
export const SESSION_AGNOSTIC_PREFIXES = [SESSION_AGNOSTIC_PREFIX] as const;

/** Directories of the authoring plane, which only the runtime reads. */
export const AUTHORING_PREFIXES = ["workflows"] as const;

/** The directory under a workspace root that holds the session folders unless a host says otherwise. */
export const DEFAULT_SESSIONS_DIR = "sessions";

/** One directory of the authoring plane. */
export type AuthoringPrefix = (typeof AUTHORING_PREFIXES)[number];

/** The class of a workspace path; every rule on paths starts from it. */
export type WorkspaceZone =
  | "escapes"
  | "root"
  | "authored"
  | "run-internal"
  | "run-offload"
  | "run-open"
  | "run";

/** The mount names of a workspace, by what the rules need to know of them. Names are canonical paths. */
export interface MountPrefixes {
  /** Directory mounts: a name covers itself and everything below. */
  readonly dirs: readonly string[];
  /** File mounts: a name covers its exact path. */
  readonly files: readonly string[];
  /** Mounts the agent may write into. */
  readonly writable: readonly string[];
  /** Mounts that are reachable only in states that are granted them. */
  readonly governed: readonly string[];
  /** Mounts whose content a search never enters. */
  readonly unsearchable: readonly string[];
}

/** A workspace without mounts. */
export const NO_MOUNTS: MountPrefixes = Object.freeze({
  dirs: Object.freeze([]),
  files: Object.freeze([]),
  writable: Object.freeze([]),
  governed: Object.freeze([]),
  unsearchable: Object.freeze([]),
});

/** The six reserved areas of a session folder, in order: internal, offload, open. */
export function sessionAreaNames(): string[] {
  return [...SESSION_INTERNAL_DIRS, ...SESSION_OFFLOAD_DIRS, SESSION_OPEN_DIR];
}

/**
 * The name of the mount that holds a canonical path, the longest one where several do, or `null`.
 * `catalogs/eu` covers neither `catalogs` nor `catalogs/uk`; a file mount covers its exact path alone.
 */
export function mountNameOf(canonicalPath: string, mounts: MountPrefixes = NO_MOUNTS): string | null {
  let longest: string | null = null;
  const offer = (name: string): void => {
    if (name !== "" && (longest === null || name.length > longest.length)) longest = name;
  };
  for (const name of mounts.dirs) {
    if (canonicalPath === name || canonicalPath.startsWith(`${name}/`)) offer(name);
  }
  for (const name of mounts.files) if (canonicalPath === name) offer(name);
  return longest;
}

/**
 * The mount a glob points into, read from the directory before its first wildcard, or `null` where that
 * names none. A bare mount name has no such directory, so the answer for it is `null`.
 */
export function mountNameOfPattern(pattern: string, mounts: MountPrefixes = NO_MOUNTS): string | null {
  const directory = directoryOfPattern(pattern);
  return directory === "" ? null : mountNameOf(directory, mounts);
}

/** The canonical directory a glob spells out before its first wildcard; `""` where it spells out none. */
export function directoryOfPattern(pattern: string): string {
  const { path } = canonicalizePath(pattern);
  const wildcard = path.search(/[*?[{]/);
  const literal = wildcard === -1 ? path : path.slice(0, wildcard);
  return literal.slice(0, Math.max(0, literal.lastIndexOf("/")));
}

/**
 * The zone of a workspace path, whatever its spelling. The first match wins: escapes, root, a mount that is
 * not writable, then the session area its first segment names, else `run`.
 *
 * The workflow language, 3.7 root namespace.
 */
export function classifyWorkspacePath(path: string, mounts: MountPrefixes = NO_MOUNTS): WorkspaceZone {
  const canonical = canonicalizePath(path);
  const mount = canonical.escapes ? null : mountNameOf(canonical.path, mounts);
  return zoneOf(canonical, mount, mounts);
}

/** The zone of a path whose canonical form and mount are known. An escaping path is in no mount. */
export function zoneOf(
  { path, escapes }: CanonicalPath,
  mount: string | null,
  mounts: MountPrefixes,
): WorkspaceZone {
  if (escapes) return "escapes";
  if (path === "") return "root";
  if (mount !== null && !mounts.writable.includes(mount)) return "authored";
  const first = firstSegment(path);
  if (isOneOf(SESSION_INTERNAL_DIRS, first)) return "run-internal";
  if (isOneOf(SESSION_OFFLOAD_DIRS, first)) return "run-offload";
  return first === SESSION_OPEN_DIR ? "run-open" : "run";
}

/**
 * Whether a name at the workspace root is taken: by a session area, or by the first segment of a mount name.
 * Without a mount table `workflows` and `skills` are free.
 */
export function isReservedRootName(name: string, mounts: MountPrefixes = NO_MOUNTS): boolean {
  if (sessionAreaNames().includes(name)) return true;
  return name !== "" && [...mounts.dirs, ...mounts.files].some((mount) => firstSegment(mount) === name);
}

/** Whether a path relative to the session root lies in an area that belongs to no single session. */
export function isSessionAgnosticPath(rel: string): boolean {
  return isOneOf(SESSION_AGNOSTIC_PREFIXES, firstSegment(canonicalizePath(rel).path));
}

/** Whether a root name is a directory of the authoring plane. */
export function isAuthoringPrefix(name: string): name is AuthoringPrefix {
  return isOneOf(AUTHORING_PREFIXES, name);
}

/** The authoring directory that holds a canonical path, the directory itself included, or `null`. */
export function authoringPlanePrefix(canonicalPath: string): AuthoringPrefix | null {
  const first = firstSegment(canonicalPath);
  return isAuthoringPrefix(first) ? first : null;
}

/** What an authoring directory holds, as a noun phrase for a message. */
export function describeAuthoringPrefix(prefix: AuthoringPrefix): string {
  return `the workflow definitions under ${prefix}/`;
}

function firstSegment(path: string): string {
  const cut = path.indexOf("/");
  return cut === -1 ? path : path.slice(0, cut);
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
