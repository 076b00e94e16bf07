import { fileURLToPath } from "node:url";
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { build } from "esbuild";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as root from "../index.ts";
import * as readers from "./index.ts";
import {
  contentToString,
  isAiMessage,
  isHumanMessage,
  isRuntimeNote,
  lastAgentText,
  lastTurn,
  messagesSince,
  messageTypeOf,
  opensTurn,
  runtimeNoteKind,
} from "./index.ts";

const note = (kind: string, text: string): [AIMessage, ToolMessage] => {
  const additional_kwargs = { archmax: { note: kind } };
  const call = { id: "note_1", name: "archmax_note", args: { note: kind } };
  return [
    new AIMessage({ content: "", tool_calls: [call], additional_kwargs }),
    new ToolMessage({ content: text, name: call.name, tool_call_id: call.id, additional_kwargs }),
  ];
};

const TRANSCRIPT: BaseMessage[] = [
  new HumanMessage("first"),
  new AIMessage("answer one"),
  ...note("event", "[event] paid"),
  new HumanMessage("and now?"),
  new AIMessage("answer two"),
];

/** The forms a message travels in. */
const FORMS: Record<string, (message: BaseMessage) => unknown> = {
  "class instance": (message) => message,
  "serialized form": (message) => JSON.parse(JSON.stringify(message)),
  "stored form": (message) => mapChatMessagesToStoredMessages([message])[0],
  "{ role, content }": (message) => ({
    role: { human: "user", ai: "assistant" }[message.type as string] ?? message.type,
    content: message.content,
    ...(Object.keys(message.additional_kwargs).length > 0 && {
      additional_kwargs: message.additional_kwargs,
    }),
  }),
};

test("RUN-088 the last turn is what followed the last thing the session was told, the run of openers included", () => {
  expect(lastTurn(TRANSCRIPT)).toEqual(TRANSCRIPT.slice(2));
  expect(lastTurn(TRANSCRIPT)).toHaveLength(4);
  expect(messagesSince(TRANSCRIPT, 99)).toEqual([]);
  expect(messagesSince(TRANSCRIPT, 5)).toEqual(TRANSCRIPT.slice(5));
  expect(messagesSince(TRANSCRIPT, -3)).toEqual(TRANSCRIPT);
});

test("RUN-088 lastAgentText is never a note, a tool result or an empty message", () => {
  expect(lastAgentText(TRANSCRIPT)).toBe("answer two");
  expect(lastAgentText(TRANSCRIPT.slice(0, 4))).toBe("answer one");
  const marked = new AIMessage({
    content: "[after] again",
    additional_kwargs: { archmax: { note: "after" } },
  });
  const result = new ToolMessage({ content: "found", tool_call_id: "c1" });
  expect(lastAgentText([new AIMessage("said"), new AIMessage(" \n"), result, marked])).toBe("said");
  expect(lastAgentText([new HumanMessage("only this")])).toBe("");
  expect(lastAgentText([])).toBe("");
});

test("RUN-111 the module imports nothing", async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL("./index.ts", import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    logLevel: "silent",
  });
  expect(Object.values(metafile.inputs).flatMap(({ imports }) => imports)).toEqual([]);
  expect(Object.keys(metafile.inputs)).toHaveLength(1);
});

test("RUN-111 the readers on the root are the same bindings", () => {
  const shared = ["contentToString", "isAiMessage", "isRuntimeNote", "runtimeNoteKind", "lastAgentText"];
  for (const name of shared) expect(Reflect.get(root, name)).toBe(Reflect.get(readers, name));
  expect(Object.keys(readers).filter((name) => Object.hasOwn(root, name))).toHaveLength(shared.length);
});

describe("RUN-111 each reader gives one answer for a message as", () => {
  test.each(Object.keys(FORMS))("%s", (form) => {
    const as = FORMS[form] ?? String;
    const transcript = TRANSCRIPT.map(as);
    expect(transcript.map(messageTypeOf)).toEqual(["human", "ai", "ai", "tool", "human", "ai"]);
    expect(transcript.map(isAiMessage)).toEqual([false, true, true, false, false, true]);
    expect(transcript.map(isHumanMessage)).toEqual([true, false, false, false, true, false]);
    expect(transcript.map(isRuntimeNote)).toEqual([false, false, true, true, false, false]);
    expect(transcript.map(runtimeNoteKind)).toEqual([
      undefined,
      undefined,
      "event",
      "event",
      undefined,
      undefined,
    ]);
    expect(transcript.map(opensTurn)).toEqual([true, false, true, true, true, false]);
    expect(transcript.map(contentToString)).toEqual(TRANSCRIPT.map(({ content }) => content));
    expect(lastAgentText(transcript)).toBe("answer two");
    expect(lastTurn(transcript)).toEqual(transcript.slice(2));
    expect(messagesSince(transcript, 4)).toEqual(transcript.slice(4));
  });
});

test("a type is told from methods, names of classes, types and roles", () => {
  expect(messageTypeOf(new SystemMessage("s"))).toBe("system");
  expect(messageTypeOf(new AIMessageChunk("s"))).toBe("ai");
  expect(messageTypeOf(JSON.parse(JSON.stringify(new AIMessageChunk("s"))))).toBe("ai");
  expect(messageTypeOf(new ChatMessage({ role: "assistant", content: "s" }))).toBe("ai");
  expect(messageTypeOf({ _getType: () => "human" })).toBe("human");
  expect(messageTypeOf({ type: "tool", content: "" })).toBe("tool");
  expect(messageTypeOf({ role: "developer", content: "" })).toBe("system");
  expect(messageTypeOf({ content: "x" })).toBeUndefined();
});

test("the text of a content is that of its text blocks, joined", () => {
  const blocks = [
    { type: "text", text: "a" },
    { type: "image_url", image_url: { url: "data:," } },
    { type: "tool_use", text: "no" },
    "b",
    { type: "text", text: 5 },
  ];
  expect(contentToString(blocks)).toBe("ab");
  expect(contentToString({ type: "text" })).toBe("");
  expect(lastAgentText([{ role: "assistant", content: blocks }])).toBe("ab");
});

test("a marker that is no kind, or inherited, marks nothing", () => {
  expect(
    runtimeNoteKind({ role: "user", additional_kwargs: { archmax: { note: "other" } } }),
  ).toBeUndefined();
  expect(
    runtimeNoteKind({ role: "user", additional_kwargs: { archmax: Object.create({ note: "after" }) } }),
  ).toBeUndefined();
  expect(runtimeNoteKind({ role: "user", content: "[after] not mine" })).toBeUndefined();
  for (const kind of ["decision", "event", "error", "after", "sub-workflow", "opening"]) {
    expect(runtimeNoteKind({ role: "user", additional_kwargs: { archmax: { note: kind } } })).toBe(kind);
  }
});

test("the opening note of a child session opens its turn as a message of a person's type", () => {
  const opening = new HumanMessage({ content: "go", additional_kwargs: { archmax: { note: "opening" } } });
  expect([isHumanMessage(opening), isRuntimeNote(opening), opensTurn(opening)]).toEqual([true, true, true]);
  expect(lastTurn([opening, new AIMessage("x")])).toHaveLength(2);
});

test("readers take anything", () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), fc.integer(), (message, cursor) => {
      for (const reader of [
        messageTypeOf,
        isAiMessage,
        isHumanMessage,
        isRuntimeNote,
        runtimeNoteKind,
        opensTurn,
      ]) {
        expect(() => reader(message)).not.toThrow();
      }
      expect(typeof contentToString(message)).toBe("string");
      expect(typeof lastAgentText([message])).toBe("string");
      expect(lastTurn([message])).toHaveLength(1);
      expect(messagesSince([message], cursor)).toHaveLength(cursor <= 0 ? 1 : 0);
    }),
  );
});
