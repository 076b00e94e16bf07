import { classifyRequest } from "./classify-request.ts";

/** Where the caller's own credentials go while CloudFront signs the request with its own. */
export const FORWARDED_AUTHORIZATION = "x-forwarded-authorization";

/**
 * The text that goes into the router's viewer-request function. It names the function that answers in front of the
 * path, for the routes to find, and keeps the caller's `Authorization` where CloudFront's signature, which takes that
 * header's place, does not reach it. Whatever a caller sends in the other header is not his to send.
 */
export function viewerRequestInjection(): string {
  return `const asked = event.request, given = asked.headers, nameFunction = ${classifyRequest.toString()};
delete given["${FORWARDED_AUTHORIZATION}"];
if (given.authorization) given["${FORWARDED_AUTHORIZATION}"] = { value: given.authorization.value };
asked.uri = "/_" + nameFunction(asked.method, asked.uri) + asked.uri;`;
}
