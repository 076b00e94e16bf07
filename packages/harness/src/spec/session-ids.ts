import { isReservedRootName, type MountPrefixes, NO_MOUNTS } from "./paths.ts";

const CHILD_SEGMENT = /^(?:[1-9][0-9]*|[^~:]+:[^~:]+:[0-9]+)$/;
const PROTOTYPE_NAMES: readonly string[] = ["__proto__", "constructor", "prototype"];

/**
 * Why an id cannot name a session, or `null` when it can. Leading slashes are dropped first; then the first
 * of these is reported: empty, a `..` segment, a `.` or empty segment or a NUL or a prototype name, a `~` in
 * any shape but a child's, whatever keeps a child's root from being a session, a first segment the session areas
 * or the mounts reserve.
 *
 * The workflow language, 3.5 session ids.
 */
export function sessionIdRejection(id: string, mounts: MountPrefixes = NO_MOUNTS): string | null {
  if (typeof id !== "string") return "a session id must be a string";
  const bare = id.replace(/^\/+/, "");
  if (bare === "") return "a session id must not be empty";
  const segments = bare.split(/[/\\]/);
  if (segments.includes("..")) return "a session id must not contain a '..' segment";
  const piece = unusablePiece(bare, segments);
  if (piece !== null) return `a session id must not contain ${piece}`;
  const mark = bare.indexOf("~");
  if (mark !== -1) {
    if (!hasChildShape(bare)) {
      return "a session id may contain '~' only as a child's: <parent>~<n>, n counted from 1";
    }
    // Whoever looks a child up asks for its root, so `..~1` must not name a session where `..` cannot.
    const rejection = sessionIdRejection(bare.slice(0, mark), mounts);
    if (rejection !== null) return rejection;
  }
  const first = segments[0] ?? "";
  return isReservedRootName(first, mounts)
    ? `the name ${JSON.stringify(first)} is reserved at the workspace root`
    : null;
}

/** Whether an id names a session below another one, at any depth. */
export function isChildSessionOf(id: string, parent: string): boolean {
  if (parent === "" || !id.startsWith(`${parent}~`)) return false;
  return id
    .slice(parent.length + 1)
    .split("~")
    .every(isChildSegment);
}

/** The session that dispatched this one, or `undefined` for a top-level session. */
export function parentSessionIdOf(id: string): string | undefined {
  const cut = id.lastIndexOf("~");
  return cut > 0 && isChildSegment(id.slice(cut + 1)) ? id.slice(0, cut) : undefined;
}

/** The top-level session an id belongs to; a top-level id is its own root. */
export function rootSessionIdOf(id: string): string {
  let root = id;
  for (let parent = parentSessionIdOf(root); parent !== undefined; parent = parentSessionIdOf(root)) {
    root = parent;
  }
  return root;
}

/** A child's id below its root session (`1`, `1~2`); `undefined` for a top-level session. */
export function dispatchIdOf(id: string): string | undefined {
  const root = rootSessionIdOf(id);
  return root === id ? undefined : id.slice(root.length + 1);
}

/** The id of a session's nth dispatch, counted from 1 across the session's turns. */
export function childSessionId(parent: string, n: number): string {
  return `${parent}~${n}`;
}

function unusablePiece(id: string, segments: readonly string[]): string | null {
  if (segments.includes(".")) return "a '.' segment";
  if (segments.includes("")) return "an empty segment";
  if (id.includes("\u0000")) return "a NUL character";
  const name = segments.find((segment) => PROTOTYPE_NAMES.includes(segment));
  return name === undefined ? null : `the segment '${name}'`;
}

function hasChildShape(id: string): boolean {
  const [root, ...parts] = id.split("~");
  return root !== "" && parts.every(isChildSegment);
}

function isChildSegment(part: string): boolean {
  return CHILD_SEGMENT.test(part);
}
