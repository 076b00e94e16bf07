import { type Command, commandGroup, type QueueMessage } from "@archmax-ai/host";

/** A reply to a session of tenant acme, as a queue message. */
export function replyMessage(sessionId: string, id: string, message = "hello"): QueueMessage {
  const command: Command = {
    kind: "reply",
    tenant: "acme",
    workflow: "desk",
    sessionId,
    turnId: `t-${id}`,
    commandId: id,
    message,
  };
  return { group: commandGroup("acme", sessionId), deduplicationId: id, command };
}
