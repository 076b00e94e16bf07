/** Why a tool name cannot be a host's: the runtime's prefix, or the name of a file operation. */
export type ToolNameReservation = "prefix" | "file-operation";

/** A host registered tools under names the runtime keeps for itself. */
export class ReservedToolNameError extends Error {
  override readonly name = "ReservedToolNameError";
  /** The names that were refused. */
  readonly names: readonly string[];
  readonly reservation: ToolNameReservation;

  constructor(names: readonly string[], reservation: ToolNameReservation = "prefix") {
    const why =
      reservation === "prefix"
        ? "the prefix archmax_ belongs to the runtime"
        : "the runtime provides these file operations itself";
    super(`Reserved tool names: ${names.join(", ")}. Rename them: ${why}.`);
    this.names = names;
    this.reservation = reservation;
  }
}

/** An id that cannot name a session. */
export class SessionStoreIdError extends Error {
  override readonly name = "SessionStoreIdError";
  /** The id that was refused, as given. */
  readonly sessionId: string;

  constructor(sessionId: string, reason = "it cannot name a session folder") {
    super(`Invalid session id ${JSON.stringify(sessionId)}: ${reason}.`);
    this.sessionId = sessionId;
  }
}
