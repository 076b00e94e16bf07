/**
 * Assistant messages the runtime puts in a model's place: the call timed out, or the state's entry check refused
 * it. They carry a mark, so that what follows the call settles them as terminal failures (spec 03 §4).
 */
import { AIMessage, type BaseMessage } from "@langchain/core/messages";

/** Why a stand-in was made. A `timeout` leaves the transcript again; a `before` stays as the reply. */
export type StandInKind = "timeout" | "before";

/** A marked assistant message carrying the failure's reason. */
export function standIn(kind: StandInKind, reason: string, text: string, id: string): AIMessage {
  return new AIMessage({ content: text, id, additional_kwargs: { archmax: { standIn: kind, reason } } });
}

/** The mark of a stand-in, or undefined for any other message. */
export function standInKind(message: BaseMessage): { kind: StandInKind; reason: string } | undefined {
  const mark = message.additional_kwargs?.archmax;
  if (typeof mark !== "object" || mark === null) return undefined;
  const { standIn: kind, reason } = mark as { standIn?: unknown; reason?: unknown };
  if ((kind !== "timeout" && kind !== "before") || typeof reason !== "string") return undefined;
  return { kind, reason };
}
