import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { isRuntimeNote, lastAgentText, opensTurn, runtimeNoteKind } from "../messages/index.ts";
import { type NotePairKind, notePair } from "./notes.ts";

const KINDS: NotePairKind[] = ["decision", "event", "error", "after", "sub-workflow"];

test.each(KINDS)("a note of kind %s is a marked call and its marked answer", (kind) => {
  const [call, answer] = notePair(kind, `[${kind}] said`, "u1");
  expect(call).toBeInstanceOf(AIMessage);
  expect(call.content).toBe("");
  expect(call.tool_calls).toEqual([
    { id: "note_u1", name: "archmax_note", args: { note: kind }, type: "tool_call" },
  ]);
  expect(answer).toBeInstanceOf(ToolMessage);
  expect(answer).toMatchObject({ content: `[${kind}] said`, name: "archmax_note", tool_call_id: "note_u1" });
  for (const message of [call, answer]) {
    expect(message.additional_kwargs).toEqual({ archmax: { note: kind } });
    expect(runtimeNoteKind(message)).toBe(kind);
    expect(isRuntimeNote(message)).toBe(true);
  }
  expect(opensTurn(answer)).toBe(true);
  expect(lastAgentText([call, answer])).toBe("");
});

test("a note's call id is random when none is given", () => {
  const ids = [notePair("event", "x"), notePair("event", "x")].map(([call]) => call.tool_calls?.[0]?.id);
  expect(ids[0]).toMatch(/^note_[0-9a-f-]{36}$/);
  expect(ids[0]).not.toBe(ids[1]);
});
