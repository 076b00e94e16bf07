/**
 * Structured log lines. Fields hold ids, names, counts and durations only: never a request or response body,
 * a key, a token, a variable's value or a message's text (spec 07 §7).
 */
export interface LogFields {
  requestId?: string;
  tenant?: string;
  workflow?: string;
  sessionId?: string;
  turnId?: string;
  [field: string]: string | number | boolean | undefined;
}

/** Where the host writes its log. An implementation never throws. */
export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** `cause` is logged by its name and stack, never by what it carries. */
  error(message: string, fields?: LogFields, cause?: unknown): void;
}

/** A logger that writes nothing. */
export const silentLogger: Logger = { info() {}, warn() {}, error() {} };
