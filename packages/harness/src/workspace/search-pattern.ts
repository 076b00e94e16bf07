/**
 * Which glob patterns a search is run with. Backends read a pattern by engines of their own, and a common one takes its
 * fixed beginning for the folder to start in: `../x/*` or `//etc/*` would then list what lies outside the folder that
 * is searched, other sessions and the machine's files among it. So a pattern that could begin anywhere else, also by
 * one of its braces, is never handed on.
 */

/** A range of letters or digits, the one harmless use of two dots between braces. */
const RANGE = /\{[A-Za-z0-9]+\.\.[A-Za-z0-9]+(?:\.\.[0-9]+)?\}/g;

/** An alternative that is empty, that is a dot up to its end or a slash, or that starts with a slash. */
const LOOSE_ALTERNATIVE = /[{,](?:[,}/]|\.[,}/{])|[{},/]\.[,}]/;

/** Braces multiply: each group of alternatives is a factor of what an engine expands. */
const MAX_GROUPS = 5;
const MAX_ALTERNATIVES = 40;

/**
 * Why a pattern is not searched with, or `undefined`. Errs on the side of refusing where braces could make a `..`.
 *
 * @param pattern as the caller wrote it; slashes in front are no part of it
 */
export function patternRefusal(pattern: string): string | undefined {
  const plain = pattern.replace(RANGE, "{a,b}");
  if (/\\[./]/.test(plain) || plain.split("/").includes("..")) return leaves(pattern);
  if (!plain.includes("{")) return undefined;
  if (plain.includes("..") || LOOSE_ALTERNATIVE.test(plain)) return leaves(pattern);
  const groups = plain.split("{").length - 1;
  const alternatives = plain.split(",").length - 1;
  return groups > MAX_GROUPS || alternatives > MAX_ALTERNATIVES
    ? `The pattern '${pattern}' has too many alternatives. Search with a simpler one.`
    : undefined;
}

/** A pattern with one slash in front at most: two would make it a path of the machine for some engines. */
export function searchPattern(pattern: string): string {
  return pattern.replace(/^\/{2,}/, "/");
}

/**
 * The folders a pattern spells out before its first wildcard, and the rest: `skills/**` is `**` in `skills`. Its last
 * segment always stays in the rest.
 */
export function spelledFolders(pattern: string): { folders: string[]; rest: string } {
  const segments = pattern.split("/").filter((segment) => segment !== "" && segment !== ".");
  const wild = segments.findIndex((segment) => /[*?[\]{}()!+@|\\]/.test(segment));
  const spelled = Math.min(wild === -1 ? segments.length : wild, segments.length - 1);
  return {
    folders: segments.slice(0, Math.max(spelled, 0)),
    rest: segments.slice(Math.max(spelled, 0)).join("/"),
  };
}

function leaves(pattern: string): string {
  return `The pattern '${pattern}' could leave the folder that is searched. Write it without '..', empty or dot-only alternatives.`;
}
