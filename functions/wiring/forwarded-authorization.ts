import type { Authenticator } from "@archmax-ai/host";

/**
 * Where the caller's own `Authorization` is behind the router: CloudFront signs what goes on to a function, and its
 * signature takes that header's place. The router alone sets it (`infra/front/viewer-request.ts`), and no function's
 * address takes a request of anybody else's.
 */
export const FORWARDED_AUTHORIZATION = "x-forwarded-authorization";

/** Shows an authenticator each request with the credentials the caller sent. */
export function withForwardedAuthorization(authenticator: Authenticator): Authenticator {
  return {
    authenticate(request, bindings) {
      const forwarded = request.headers.get(FORWARDED_AUTHORIZATION);
      if (forwarded === null) return authenticator.authenticate(request, bindings);
      const headers = new Headers(request.headers);
      headers.set("authorization", forwarded);
      headers.delete(FORWARDED_AUTHORIZATION);
      // Without the body, which is the route's to read.
      return authenticator.authenticate(
        new Request(request.url, { method: request.method, headers }),
        bindings,
      );
    },
  };
}
