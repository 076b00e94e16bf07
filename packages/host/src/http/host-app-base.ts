import { createHash } from "node:crypto";
import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { RequestError } from "../errors.ts";
import type { Authenticator, Principal, Scope } from "../ports/authenticator.ts";
import type { Clock } from "../ports/clock.ts";
import type { LogFields, Logger } from "../ports/logger.ts";
import type { ObservedTurn } from "../ports/turn-observer.ts";
import { problemOf, problemResponse, unknownRoute } from "./problems.ts";

/** What a request carries through its route. */
export interface HostEnv {
  Variables: { requestId: string; principal: Principal; turn?: ObservedTurn };
  // biome-ignore lint/suspicious/noExplicitAny: each platform's adapter binds its own
  Bindings: any;
}

/** What every app of the host needs. */
export interface AppPorts {
  authenticator: Authenticator;
  logger: Logger;
  clock: Clock;
  /** A fresh unique id. */
  newId: () => string;
}

/** An app of the host: request id, log, security headers, authentication and problem documents (spec 07 §2, §7). */
export type HostApp = Hono<HostEnv>;

/** Makes an app with everything that stands before a route. */
export function createHostAppBase(ports: AppPorts): HostApp {
  const { authenticator, logger, clock, newId } = ports;
  const app: HostApp = new Hono<HostEnv>({ strict: true });
  app.use(secureHeaders());
  app.use(async (c, next) => {
    const requestId = newId();
    const started = clock.now();
    c.set("requestId", requestId);
    await next();
    c.header("x-request-id", requestId);
    logger.info("request", {
      requestId,
      method: c.req.method,
      route: c.req.routePath,
      status: c.res.status,
      durationMs: clock.now() - started,
      ...addressOf(c),
    });
  });
  app.use(async (c, next) => {
    const principal = await authenticator.authenticate(c.req.raw, c.env);
    if (principal === null) {
      throw new RequestError("UnauthenticatedError", 401, "Not authenticated", "Give valid credentials.", {
        headers: { "www-authenticate": "Bearer" },
      });
    }
    c.set("principal", principal);
    await next();
  });
  app.onError((error, c) => {
    const requestId = c.get("requestId") ?? newId();
    const problem = problemOf(error, requestId);
    if (problem.unforeseen) logger.error("a request failed", { requestId, route: c.req.routePath }, error);
    const answer = problemResponse(problem);
    answer.headers.set("x-request-id", requestId);
    return answer;
  });
  app.notFound((c) => unknownRoute(c.get("requestId") ?? newId()));
  return app;
}

/** Whom and what a request is about, as far as it has come to that. */
function addressOf(c: Context<HostEnv>): LogFields {
  const turn = c.get("turn");
  if (turn !== undefined) {
    const { tenant, workflow, sessionId, turnId } = turn;
    return { tenant, workflow, sessionId, turnId };
  }
  const [workflow, sessionId] = [c.req.param("wf"), c.req.param("id")];
  return {
    ...(c.get("principal") === undefined ? {} : { tenant: c.get("principal").tenant }),
    ...(workflow === undefined ? {} : { workflow }),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}

/** Refuses a caller without a scope. @throws RequestError 403 */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes(scope)) return;
  throw new RequestError("ForbiddenError", 403, "Not allowed", `This needs the scope ${scope}.`, {
    fields: { scope },
  });
}

/** SHA-256 of some parts, hex: told apart also where one part's end could be another's beginning. */
export function fingerprint(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) {
    const bytes = typeof part === "string" ? Buffer.from(part, "utf8") : part;
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest("hex");
}
