import { RequestError } from "../errors.ts";

/** What an error answers over HTTP. */
interface ProblemKind {
  status: number;
  title: string;
  /** Fields of the error that belong in the problem. */
  fields?: readonly string[];
  /** Seconds for `Retry-After`, where the error says none itself. */
  retryAfter?: number;
}

/**
 * Every error a route may answer with, by name (spec 07 §2, Errors). By name, because the light functions must not
 * bundle the harness for the sake of its classes.
 */
const PROBLEMS: Readonly<Record<string, ProblemKind>> = {
  UnknownTriggerError: { status: 404, title: "Unknown trigger", fields: ["triggerId", "available"] },
  UnknownSessionError: { status: 404, title: "Unknown session" },
  WorkflowDisabledError: { status: 409, title: "Workflow disabled", fields: ["workflow"] },
  SessionStoreIdError: { status: 400, title: "Bad session id" },
  ChildSessionError: { status: 400, title: "Child session", fields: ["rootSessionId"] },
  WorkspacePathEscapeError: { status: 400, title: "Path leaves the session" },
  SeedPathError: { status: 400, title: "Path cannot be written", fields: ["zone"] },
  SessionNotParkedError: { status: 409, title: "Session not parked", fields: ["sessionId"] },
  SessionNotAwaitingInputError: { status: 409, title: "Session not awaiting input", fields: ["sessionId"] },
  SessionNotResumableError: { status: 409, title: "Session not resumable", fields: ["sessionId"] },
  SessionBusyError: { status: 409, title: "Session busy", retryAfter: 1 },
  InvalidDecisionTargetError: {
    status: 422,
    title: "Invalid decision target",
    fields: ["sessionId", "target", "validTargets"],
  },
  EmptyMessageError: { status: 422, title: "Empty message", fields: ["sessionId"] },
  InvalidTurnFileError: {
    status: 422,
    title: "Invalid turn file",
    fields: ["sessionId", "variable", "reason"],
  },
  MissingDeliveryTriggerError: { status: 422, title: "Missing delivery trigger", fields: ["sessionId"] },
  InvalidVariableNameError: { status: 422, title: "Invalid variable name", fields: ["variable"] },
  InvalidSessionPathError: { status: 422, title: "Invalid session path", fields: ["path", "reason"] },
  InvalidTitleError: { status: 422, title: "Invalid title", fields: ["detail"] },
  InvalidCursorError: { status: 400, title: "Invalid cursor" },
  SessionStoreCapabilityError: { status: 501, title: "Not supported by the session store" },
  WorkflowLoadError: { status: 500, title: "Workflow does not load", fields: ["workflow", "problem"] },
  UnsupportedRuntimeContractError: {
    status: 500,
    title: "Unsupported runtime contract",
    fields: ["requested", "supported"],
  },
  LeaseLostError: { status: 503, title: "Turn lost its session", retryAfter: 5 },
  TurnDeadlineError: { status: 503, title: "Turn out of time", retryAfter: 30 },
};

/** A problem document (RFC 9457) and what goes with it. */
export interface Problem {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** The error has no row of its own: the caller is told no more than that, and the log has to say it. */
  unforeseen: boolean;
}

/**
 * The problem document of an error. An error without a row, a model or a store that failed, is 503 and tells the
 * caller nothing of itself: its text may name hosts, paths or tables.
 */
export function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof RequestError) {
    return problem(
      error.name,
      error.status,
      error.title,
      error.message,
      requestId,
      error.fields,
      error.headers,
    );
  }
  const name = error instanceof Error ? error.name : "";
  const kind = Object.hasOwn(PROBLEMS, name) ? PROBLEMS[name] : undefined;
  if (kind === undefined) {
    const detail = "A model or a store this turn needs did not answer. The session is as it was stored last.";
    return {
      ...problem("UnavailableError", 503, "Unavailable", detail, requestId, {}, { "retry-after": "5" }),
      unforeseen: true,
    };
  }
  const carried = error as Error & Record<string, unknown>;
  const fields = Object.fromEntries(
    (kind.fields ?? [])
      .filter((field) => carried[field] !== undefined)
      .map((field) => [field, carried[field]]),
  );
  const retryAfter = typeof carried.retryAfter === "number" ? carried.retryAfter : kind.retryAfter;
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return problem(name, kind.status, kind.title, carried.message, requestId, fields, headers);
}

/** A problem as a response. */
export function problemResponse({ status, headers, body }: Problem): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

/** What a route that does not exist answers. */
export function unknownRoute(requestId: string): Response {
  const error = new RequestError("UnknownRouteError", 404, "Unknown route", "There is no such route.");
  return problemResponse(problemOf(error, requestId));
}

function problem(
  name: string,
  status: number,
  title: string,
  detail: string,
  requestId: string,
  fields: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
): Problem {
  const type = `/problems/${name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase()}`;
  return {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
    body: { type, title, status, detail, ...fields, requestId },
    unforeseen: false,
  };
}
