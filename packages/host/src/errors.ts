/**
 * The host's own errors. Those of the harness are told by their `name` alone, so that no light function has to
 * import them. What each answers over HTTP stands in one table, `http/problems.ts`.
 */

/** Another invocation runs the session now. */
export class SessionBusyError extends Error {
  override readonly name = "SessionBusyError";
  /** Seconds to wait before trying again. */
  readonly retryAfter: number;
  constructor(retryAfter: number) {
    super("Another turn of this session is running. Try again when it has ended.");
    this.retryAfter = retryAfter;
  }
}

/** The turn's hold on its session is gone: another turn took it after the lease ran out. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  readonly retryAfter = 5;
  constructor() {
    super("The turn lost its hold on the session and stored nothing more. Read the session, then try again.");
  }
}

/** The turn was still waiting, on a model or a tool, when the invocation had to end. */
export class TurnDeadlineError extends Error {
  override readonly name = "TurnDeadlineError";
  readonly retryAfter = 30;
  constructor() {
    super(
      "The turn was still waiting for a model or a tool when the invocation had to end. It goes on from its " +
        "latest checkpoint.",
    );
  }
}

/** There is no such session, as far as the caller may know. */
export class UnknownSessionError extends Error {
  override readonly name = "UnknownSessionError";
  constructor() {
    super("There is no such session under this workflow.");
  }
}

/** A verb addresses a child session; its parent is the one to address. */
export class ChildSessionError extends Error {
  override readonly name = "ChildSessionError";
  /** The session to address instead. */
  readonly rootSessionId: string;
  constructor(rootSessionId: string) {
    super("This is a child session, which its parent drives. Address the parent; a child can only be read.");
    this.rootSessionId = rootSessionId;
  }
}

/** A session id that cannot be one. The name is the harness's, whose rule this is (spec 04 §6). */
export class SessionStoreIdError extends Error {
  override readonly name = "SessionStoreIdError";
  constructor(reason: string) {
    super(`This session id cannot be used: ${reason}.`);
  }
}

/** A trigger fired, and what it carries does not fit how it meets its session. */
export class UnfitFiringError extends Error {
  override readonly name = "UnfitFiringError";
  constructor(reason: string) {
    super(`The firing was not carried out: ${reason}.`);
  }
}

/** A listing's cursor was not given by a page of this tenant and workflow. */
export class InvalidCursorError extends Error {
  override readonly name = "InvalidCursorError";
  constructor() {
    super("This cursor was not given by a page of this listing. Start again without one.");
  }
}

/** Refuses a request before any verb runs, with the status and the problem it answers. */
export class RequestError extends Error {
  override readonly name: string;
  readonly status: number;
  readonly title: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    name: string,
    status: number,
    title: string,
    detail: string,
    extra: { fields?: Record<string, unknown>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = name;
    this.status = status;
    this.title = title;
    this.fields = extra.fields ?? {};
    this.headers = extra.headers ?? {};
  }
}
