/** The transcript as a hook reads it (spec 03 §6). */
import type { BaseMessage } from "@langchain/core/messages";
import { contentToString, messageTypeOf, runtimeNoteKind } from "../messages/index.ts";
import type { HookTranscriptEntry } from "./hook-types.ts";

/** How many entries a hook is given, newest last. */
const HISTORY_LENGTH = 24;

/** The last 24 entries. A note pair is one entry of role `runtime`, carrying its text and kind. */
export function hookTranscript(messages: readonly BaseMessage[]): HookTranscriptEntry[] {
  const entries: HookTranscriptEntry[] = [];
  for (const message of messages) {
    const type = messageTypeOf(message);
    const text = contentToString(message.content);
    const note = runtimeNoteKind(message);
    if (note !== undefined && note !== null) {
      // The assistant half of a note pair has no text: the pair is told once, by its text half.
      if (type !== "ai") entries.push({ role: "runtime", text, note });
    } else if (type === "ai") {
      const calls =
        (message as { tool_calls?: { name: string; args: Record<string, unknown> }[] }).tool_calls ?? [];
      entries.push({
        role: "assistant",
        text,
        ...(calls.length === 0 ? {} : { toolCalls: calls.map(({ name, args }) => ({ name, args })) }),
      });
    } else if (type === "tool") {
      entries.push({ role: "tool", text, ...(message.name === undefined ? {} : { tool: message.name }) });
    } else {
      entries.push({ role: type === "system" ? "system" : "user", text });
    }
  }
  return entries.slice(-HISTORY_LENGTH);
}
