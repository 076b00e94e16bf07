/**
 * Assistant messages the runtime puts in a model's place: the call may not be made, took too long, or the state's
 * entry check refused it. They carry a mark, by which the step after the model settles them (spec 03 §4).
 */
import { AIMessage, type BaseMessage } from "@langchain/core/messages";

const KINDS = ["suspend", "present", "ended", "failure", "before"] as const;

/**
 * Why a stand-in was made: the session is to be suspended or presented to a person first, the turn has ended, the state has failed, or its entry
 * check refused it. Only the last stays in the transcript, as the reply.
 */
export interface StandIn {
  kind: (typeof KINDS)[number];
  /** The failure's reason; empty where nothing failed. */
  reason: string;
}

/** A marked assistant message. */
export function standInMessage({ kind, reason }: StandIn, id: string, text = ""): AIMessage {
  return new AIMessage({ content: text, id, additional_kwargs: { archmax: { standIn: kind, reason } } });
}

/** The mark of a stand-in, or undefined for any other message. */
export function standInOf(message: BaseMessage): StandIn | undefined {
  const mark: unknown = message.additional_kwargs?.archmax;
  if (typeof mark !== "object" || mark === null) return undefined;
  const { standIn, reason } = mark as { standIn?: unknown; reason?: unknown };
  const kind = KINDS.find((known) => known === standIn);
  return kind === undefined || typeof reason !== "string" ? undefined : { kind, reason };
}
