/** It could not be found out who is calling: a key set out of reach or damaged. The caller may try again. */
export class AuthenticationUnavailableError extends Error {
  override readonly name = "AuthenticationUnavailableError";

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    super(`The keys that tokens are checked against could not be had: ${reason}`, { cause });
  }
}

/** What a stage's authentication was set to is not allowed there. */
export class AuthenticationRefusedError extends Error {
  override readonly name = "AuthenticationRefusedError";

  constructor(stage: string) {
    super(
      `The stage ${JSON.stringify(stage)} may not go without authentication. Set ARCHMAX_AUTH to apiKey, jwt or iam.`,
    );
  }
}
