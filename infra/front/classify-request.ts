/**
 * Which function answers a request (spec 07 §2): the verb is the last segment of a POST, counted from the front, so
 * that neither a session nor a file of that name is taken for one. A session id is one encoded segment.
 *
 * This runs in a CloudFront Function, as text: it uses no import, no name from outside, and only what
 * `cloudfront-js-2.0` knows.
 *
 * @param method the request's, in capitals
 * @param uri the path as it was sent, still encoded
 */
export function classifyRequest(method: string, uri: string): string {
  const parts = uri.split("/").map((part) => {
    try {
      // The apps read a letter that was sent encoded as the letter.
      return decodeURI(part);
    } catch (_) {
      return part;
    }
  });
  const under = parts[3];
  if (parts[1] !== "workflows" || !parts[2]) return "catalog";
  if (method === "POST" && parts.length === 4 && (under === "send" || under === "resolve")) return under;
  if (under === "specs") return "sessions";
  if (under !== "sessions") return "catalog";
  const verb = parts[5] ?? "";
  const named = method === "POST" && parts.length === 6 && parts[4];
  return named && ["send", "decide", "reply", "deliver"].includes(verb) ? verb : "sessions";
}
