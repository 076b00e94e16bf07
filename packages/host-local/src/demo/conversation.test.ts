import { expect, test } from "vitest";
import { readConversation, refused, type WireMessage } from "./conversation.ts";

const system = (state: string, more = ""): WireMessage => ({
  role: "system",
  content: [
    { type: "text", text: "# Workflow: Invoice approval" },
    {
      type: "text",
      text: `Current date and time: 2026-03-02 10:10 UTC (Monday)\n\n${more}\n## Current state: ${state}\n`,
    },
  ],
});

const call = (id: string, name: string, args: Record<string, unknown>): WireMessage => ({
  role: "assistant",
  content: "",
  tool_calls: [{ id, function: { name, arguments: JSON.stringify(args) } }],
});

const answer = (id: string, content: string): WireMessage => ({ role: "tool", tool_call_id: id, content });

const note = (id: string, kind: string, text: string): WireMessage[] => [
  call(id, "archmax_note", { note: kind }),
  answer(id, text),
];

test("reads the current state and whether the session is parked from the system prompt", () => {
  expect(readConversation([system("checking")])).toMatchObject({ state: "checking", parked: false });
  expect(readConversation([system("scheduled", "## This run is parked\n")])).toMatchObject({ parked: true });
  expect(readConversation([{ role: "user", content: "hi" }]).state).toBeUndefined();
});

test("a visit begins at the move that entered the state", () => {
  const read = readConversation([
    system("checking"),
    { role: "user", content: "go" },
    call("a", "archmax_get_variables", {}),
    answer("a", "{}"),
    call("b", "archmax_advance", { to: "checking", reason: "r" }),
    answer("b", "Moved to checking."),
    call("c", "read_file", { file_path: "x" }),
    answer("c", "text"),
  ]);
  expect(read.opening).toEqual({ kind: "move" });
  expect(read.calls).toEqual([{ name: "read_file", args: { file_path: "x" }, result: "text" }]);
  expect(read.allCalls.map((each) => each.name)).toEqual([
    "archmax_get_variables",
    "archmax_advance",
    "read_file",
  ]);
});

test("a refused move begins no visit", () => {
  const read = readConversation([
    system("intake"),
    { role: "user", content: "go" },
    call("b", "archmax_advance", { to: "checking", reason: "r" }),
    answer("b", "archmax_advance rejected: set amount first."),
  ]);
  expect(read.opening).toEqual({ kind: "message", text: "go" });
  expect(read.calls).toHaveLength(1);
});

test("a decision note begins a visit; an event note wakes the one that waits", () => {
  const decided = readConversation([system("scheduled"), ...note("n", "decision", "[decision] approve")]);
  expect(decided.opening).toEqual({ kind: "note", note: "decision", text: "[decision] approve" });
  const woken = readConversation([
    system("scheduled"),
    ...note("n", "decision", "[decision] approve"),
    call("w", "archmax_wait", { reason: "r" }),
    answer("w", "Parked."),
    ...note("e", "event", "[event] timer"),
    { role: "user", content: "the money is there" },
  ]);
  expect(woken.opening).toMatchObject({ kind: "note", note: "decision" });
  expect(woken.notes).toEqual(["event"]);
  expect(woken.lastPersonText).toBe("the money is there");
});

test("the digest follows the transcript and not the clock in the system prompt", () => {
  const user: WireMessage = { role: "user", content: "go" };
  const early = readConversation([system("intake"), user]);
  const late = readConversation([{ role: "system", content: "## Current state: intake at noon" }, user]);
  expect(late.digest).toBe(early.digest);
  expect(readConversation([system("intake"), user, user]).digest).not.toBe(early.digest);
});

test("arguments that are no JSON object count as none", () => {
  const read = readConversation([
    system("intake"),
    { role: "assistant", content: null, tool_calls: [{ id: "x", function: { name: "ls", arguments: "{" } }] },
  ]);
  expect(read.calls).toEqual([{ name: "ls", args: {} }]);
});

test.each([
  ["archmax_advance rejected: no such edge", true],
  ["[workflow] BLOCKED: 'x' is not allowed in state 's'", true],
  ["Error: the file is missing", true],
  ["archmax_wait: invalid arguments: reason", true],
  ["Moved to checking.", false],
  ["# Supplier terms", false],
])("refused(%j) is %s", (text, expected) => {
  expect(refused(text)).toBe(expected);
});
