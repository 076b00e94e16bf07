import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { RequestError } from "../errors.ts";
import { problemOf, problemResponse, unknownRoute } from "../http/problems.ts";
import { type Logger, silentLogger } from "../ports/logger.ts";
import type { AnswerCache } from "./answer-cache.ts";
import { documentTooLarge } from "./refusals.ts";
import { createValidator, DOCUMENT_LIMIT } from "./validator.ts";

/** What a request carries through the validator. */
export interface ValidatorEnv {
  Variables: { requestId: string };
  // biome-ignore lint/suspicious/noExplicitAny: each platform's adapter binds its own
  Bindings: any;
}

/** What a validator that stands alone is made of. */
export interface ValidatorAppOptions {
  /** Names the build that answers: see `ValidatorOptions`. */
  release: string;
  /** Left out: nothing is logged. */
  logger?: Logger;
  /** A fresh unique id for each request. Left out: a random UUID. */
  newId?: () => string;
  /** Where answers are kept, as the platform has it. Left out: every document is checked. */
  answers?: (c: Context<ValidatorEnv>) => AnswerCache;
  /** Whether the platform hands over the body as it was sent. Left out: it does. */
  bodyIsWhole?: (c: Context<ValidatorEnv>) => boolean;
  /** Whose pages may call it from a browser, `"*"` for all. Left out: none but its own origin's. */
  allowedOrigins?: "*" | readonly string[];
}

/** The paths this app answers; a function in front of something else passes every other request on. */
export const VALIDATOR_PATHS = ["/validate", "/schema.json"] as const;

/**
 * `POST /validate` and `GET /schema.json` for the edge (spec 07 §6): nobody is asked who they are, since nothing is
 * kept and nothing is told but what the document itself says. A host mounts the same validator behind its own
 * credentials.
 */
export function createValidatorApp({
  release,
  logger = silentLogger,
  newId = () => crypto.randomUUID(),
  answers,
  bodyIsWhole,
  allowedOrigins,
}: ValidatorAppOptions): Hono<ValidatorEnv> {
  const validator = createValidator({ release, logger });
  const app = new Hono<ValidatorEnv>({ strict: true });
  app.use(secureHeaders());
  app.use(async (c, next) => {
    const requestId = newId();
    c.set("requestId", requestId);
    await next();
    c.header("x-request-id", requestId);
  });
  if (allowedOrigins !== undefined) app.use(forBrowsers(allowedOrigins));
  app.post("/validate", (c) => {
    if (bodyIsWhole?.(c) === false) throw documentTooLarge(DOCUMENT_LIMIT);
    return validator.validate(c.req.raw, answers?.(c));
  });
  app.get("/schema.json", (c) => validator.schema(c.req.raw));
  app.onError((error, c) => {
    if (error instanceof RequestError) return problemResponse(problemOf(error, c.get("requestId")));
    logger.error("a request failed", { requestId: c.get("requestId") }, error);
    return problemResponse(problemOf(unforeseen(error), c.get("requestId")));
  });
  app.notFound((c) => unknownRoute(c.get("requestId")));
  return app;
}

/** A day is the longest a browser keeps a preflight's answer, and the rule never changes within a release. */
const PREFLIGHT_SECONDS = 86_400;

function forBrowsers(origins: "*" | readonly string[]) {
  return cors({
    origin: origins === "*" ? "*" : [...origins],
    allowMethods: ["GET", "HEAD", "POST"],
    allowHeaders: ["content-type", "if-none-match"],
    exposeHeaders: ["etag", "x-request-id"],
    maxAge: PREFLIGHT_SECONDS,
  });
}

function unforeseen(cause: unknown): RequestError {
  const detail = "The validator failed on this request. The fault is not in the document.";
  return new RequestError("InternalError", 500, "Internal error", detail, { cause });
}
