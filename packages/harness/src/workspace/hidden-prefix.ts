/** Characters that continue a path segment, so that `s1` is not found inside `s10`. */
const SEGMENT = "[\\p{L}\\p{N}_.~-]";

/**
 * An error text as the caller of a mapped path may see it (spec 04 §4): the inner path reads as the caller's,
 * and the prefix goes wherever else it stands in a path, so that neither a tenancy prefix nor a session id
 * leaves a mapping layer.
 *
 * @param prefix canonical path the mapping puts in front
 * @param inner path the backend was given
 * @param outer path the caller gave
 */
export function hidePrefix(message: string, prefix: string, inner: string, outer: string): string {
  const scrub = (text: string): string => scrubPrefix(text, prefix);
  const atPrefix = inner.replace(/^\//, "") === prefix;
  return atPrefix ? scrub(message) : message.split(inner).map(scrub).join(outer);
}

/** An error text in which a route-relative path reads as the workspace path of its mount. */
export function showMountPath(message: string, inner: string, outer: string): string {
  const standing = new RegExp(`(?<!${SEGMENT}|/)${literal(inner)}(?!/|${SEGMENT}*[\\p{L}\\p{N}_~-])`, "gu");
  return inner === "/" ? message : message.replace(standing, () => outer);
}

function scrubPrefix(text: string, prefix: string): string {
  const pattern = new RegExp(`(?:(/)|(?<!${SEGMENT}))${literal(prefix)}(?:(/)|(?!${SEGMENT}))`, "gu");
  return text.replace(pattern, (found: string, before: string | undefined, after: string | undefined) => {
    if (before === undefined && after === undefined) return prefix.includes("/") ? "" : found;
    return before === undefined ? "" : "/";
  });
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
