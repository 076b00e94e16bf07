/** Which function answers a request. */

/** The functions that answer HTTP. */
export const HTTP_FUNCTIONS = [
  "send",
  "decide",
  "reply",
  "deliver",
  "resolve",
  "sessions",
  "catalog",
] as const;

export type HttpFunction = (typeof HTTP_FUNCTIONS)[number];

const VERB = /^\/workflows\/[^/]+\/sessions\/[^/]+\/(send|decide|reply|deliver)$/;
const START = /^\/workflows\/[^/]+\/(send|resolve)$/;
const HANDLES = /^\/workflows\/[^/]+\/(?:sessions|specs)(?:\/|$)/;

/** By method and path (spec 07 §2); a session's id is one encoded segment, and so never read as a verb. */
export function functionFor(method: string, url: string): HttpFunction {
  const path = url.split("?", 1)[0] ?? "";
  if (method === "POST") {
    const verb = (VERB.exec(path) ?? START.exec(path))?.[1];
    if (verb !== undefined) return verb as HttpFunction;
  }
  return HANDLES.test(path) ? "sessions" : "catalog";
}
