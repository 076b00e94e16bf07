/**
 * Notes: what the runtime itself writes into a transcript (spec 03 §10).
 *
 * A note is a pair, an assistant message calling a tool that does not exist and that call's answer, so that any
 * provider accepts it anywhere in a conversation. The marker on both says it is a note; its text does not.
 */
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import type { RuntimeNoteKind } from "../messages/index.ts";
import { NOTE_TOOL } from "../spec/tool-names.ts";

/** The kinds written as a pair. The sixth, `opening`, is a single human message: a child session's first. */
export type NotePairKind = Exclude<RuntimeNoteKind, "opening">;

/**
 * Writes a note.
 *
 * @param text what the model reads, from its prefix on: `[decision]`, `[event]`, `[error]`, `[after]` or
 * `[sub-workflow: <slug>]`.
 * @param id makes the pair's call id, `note_<id>`; random when left out.
 */
export function notePair(
  kind: NotePairKind,
  text: string,
  id: string = crypto.randomUUID(),
): [AIMessage, ToolMessage] {
  const callId = `note_${id}`;
  const call = { id: callId, name: NOTE_TOOL, args: { note: kind }, type: "tool_call" as const };
  return [
    new AIMessage({ content: "", tool_calls: [call], additional_kwargs: noteMarker(kind) }),
    new ToolMessage({
      content: text,
      name: NOTE_TOOL,
      tool_call_id: callId,
      additional_kwargs: noteMarker(kind),
    }),
  ];
}

/** The `additional_kwargs` that make a message a note of a kind. */
export function noteMarker(kind: RuntimeNoteKind): { archmax: { note: RuntimeNoteKind } } {
  return { archmax: { note: kind } };
}
