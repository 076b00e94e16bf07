/** A path in the one spelling every rule compares. */
export interface CanonicalPath {
  /** Segments joined by `/`, without a leading one; `""` is the root. An escaping path keeps its leading `..`. */
  readonly path: string;
  /** Whether a `..` reached above the root. */
  readonly escapes: boolean;
}

/** An empty, `.` or `..` segment: what a canonical path has none of. */
const UNCANONICAL = /(?:^|\/)\.{0,2}(?:\/|$)/;

/**
 * Brings a workspace path into canonical form: leading `/`, empty and `.` segments dropped, `..` applied. A
 * `..` above the root stays and makes the path escape. Case, `~`, `%xx` and backslashes are ordinary text.
 *
 * The workflow language, 3.7 root namespace.
 */
export function canonicalizePath(path: string): CanonicalPath {
  if (!UNCANONICAL.test(path)) return { path, escapes: false }; // as most are, and each is asked about many times
  const kept: string[] = [];
  let escapes = false;
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") {
      kept.push(segment);
    } else if (kept.length > 0 && kept.at(-1) !== "..") {
      kept.pop();
    } else {
      kept.push(segment);
      escapes = true;
    }
  }
  return { path: kept.join("/"), escapes };
}
