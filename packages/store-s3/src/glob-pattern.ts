import picomatch from "picomatch";

/** A file as a search sees it: its path relative to the search root, without a leading slash. */
export type FileMatcher = (relativePath: string) => boolean;

/** A glob no search can use. The message is the answer to the caller. */
export class GlobError extends Error {
  override readonly name = "GlobError";
}

const MAX_LENGTH = 1024;

/**
 * How much of what makes a matcher backtrack one glob may hold. Its time grows with the length of a path to the
 * power of these numbers, and both the glob and the paths may be an agent's: three `*` in one segment take up to
 * 0.1 s on the longest path there can be, four take half a minute.
 */
const MAX_STARS_IN_A_SEGMENT = 3;
const MAX_GLOBSTARS = 3;
const MAX_BRACES = 3;
const MAX_ALTERNATIVES = 32;

/**
 * Compiles a glob the way ripgrep reads one: `?`, `*`, `**`, classes and braces; a pattern without a slash
 * matches base names at any depth, one with a slash paths relative to the search root; a leading `!` negates.
 * Hidden files count. Everything else, parentheses too, stands for itself.
 *
 * @throws GlobError for a pattern that is empty, too long or would take too long to match.
 */
export function compileGlob(pattern: string): FileMatcher {
  const negated = pattern.startsWith("!");
  const body = negated ? pattern.slice(1) : pattern;
  if (body === "") throw new GlobError("An empty glob matches nothing");
  if (body.length > MAX_LENGTH) throw new GlobError(`A glob may have at most ${MAX_LENGTH} characters`);
  if (takesTooLong(body))
    throw new GlobError(`The glob '${pattern}' has too many wildcards; search for less at once`);
  const matches = picomatch(body.replace(/^\/+/, "").replace(/[()|+@]/g, "\\$&"), {
    dot: true,
    flags: "s",
    noextglob: true,
    nonegate: true,
    posix: true,
    strictSlashes: true,
    windows: false,
  });
  const onBaseName = !body.includes("/");
  return (relativePath) => {
    const subject = onBaseName ? relativePath.slice(relativePath.lastIndexOf("/") + 1) : relativePath;
    return matches(subject) !== negated;
  };
}

function takesTooLong(glob: string): boolean {
  const most = (part: string, pattern: RegExp, count: number) => (part.match(pattern) ?? []).length > count;
  return (
    most(glob, /\*\*+/g, MAX_GLOBSTARS) ||
    most(glob, /\{/g, MAX_BRACES) ||
    most(glob, /,/g, MAX_ALTERNATIVES) ||
    glob.split("/").some((segment) => most(segment, /\*+/g, MAX_STARS_IN_A_SEGMENT))
  );
}
