import { UnfitFiringError } from "../errors.ts";
import type { Command, DeliverCommand, ReplyCommand, SendCommand } from "../ports/command.ts";
import type { SessionRecord } from "../ports/session-record.ts";

/** A command that came from a trigger that fired. */
type Firing = SendCommand | DeliverCommand | ReplyCommand;

/** What a turn is opened with by a firing that carries no message (spec 07 §5). */
export function firingText(triggerId: string): string {
  return `Trigger \`${triggerId}\` fired.`;
}

/** Whether a command came from a trigger that fired. */
export function isFiring(command: Command): command is Firing {
  return "firing" in command && command.firing === true;
}

/**
 * The verb a command comes to on a session. A firing was classified when it was queued; what counts is how it meets the
 * session when it runs, for the session may have parked, gone on or finished since.
 *
 * @param record the session's record, `undefined` where it has none
 */
export function kindAsMet(command: Command, record: SessionRecord | undefined): Command["kind"] {
  if (!isFiring(command)) return command.kind;
  if (record?.park?.channel === "input") return "deliver";
  if (record?.park?.channel === "decision") return "reply";
  const opens = record === undefined || ["completed", "failed", "rejected"].includes(record.status);
  // What is left is running or of no known status: the harness refuses it, whatever the verb.
  return opens ? "send" : command.kind;
}

/**
 * A command as the verb it comes to on a session: see {@link kindAsMet}.
 *
 * @throws UnfitFiringError for a firing that lacks what that verb needs: what its trigger requires for a turn, a message
 * for a reply.
 */
export function asMet(command: Command, record: SessionRecord | undefined): Command {
  if (!isFiring(command)) return command;
  const kind = kindAsMet(command, record);
  const { tenant, workflow, sessionId, turnId, commandId, trigger, variables, unfit } = command;
  const addressed = { tenant, workflow, sessionId, turnId, commandId };
  const told = { ...(trigger !== undefined && { trigger }), ...(variables !== undefined && { variables }) };
  const message = ownMessage(command);
  switch (kind) {
    case "send":
      if (unfit !== undefined) throw new UnfitFiringError(unfit);
      return { ...addressed, ...told, kind, message: message ?? firingText(trigger?.id ?? "") };
    case "reply":
      if (message === undefined) {
        throw new UnfitFiringError(
          "the session is held for a decision, and the firing carries no message to reply with",
        );
      }
      return { ...addressed, kind, message };
    case "deliver":
      if (trigger === undefined) return command;
      return { ...addressed, ...told, kind, trigger, ...(message !== undefined && { message }) };
    default:
      return command;
  }
}

/** The message the firing itself carries: not the text that opens a turn for want of one. */
function ownMessage({ kind, message, trigger }: Firing): string | undefined {
  return kind === "send" && message === firingText(trigger?.id ?? "") ? undefined : message;
}
