/** A path that names nothing this backend can hold. */
export class S3PathError extends Error {
  override readonly name = "S3PathError";
  /** The code Deep Agents' transfers answer with. */
  readonly code: "invalid_path" | "is_directory";
  /** The path as the caller wrote it. */
  readonly path: string;

  constructor(path: string, code: "invalid_path" | "is_directory", reason: string) {
    super(`${code}: '${path}' ${reason}`);
    this.code = code;
    this.path = path;
  }
}

/** S3 did not do what was asked. The message carries the request id; the SDK's error is the `cause`. */
export class S3StoreError extends Error {
  override readonly name = "S3StoreError";
}

/**
 * A session id that cannot name a session, so that no folder is touched. Named as the harness names its own,
 * which is how a caller that works with several stores tells it.
 */
export class SessionStoreIdError extends Error {
  override readonly name = "SessionStoreIdError";
  readonly sessionId: string;

  constructor(sessionId: string, reason: string) {
    super(`${JSON.stringify(sessionId)} cannot be a session id: ${reason}`);
    this.sessionId = sessionId;
  }
}
