/**
 * What one chat-completions request says about where the session stands.
 *
 * The scripted model keeps nothing between requests. Everything it needs is in the request: the system
 * prompt names the current state and whether the session is parked, and the transcript shows what has been
 * done since that state was entered. So an answer after a restart is the answer before it.
 */
import { createHash } from "node:crypto";

/** A message as the chat-completions wire carries it. */
export interface WireMessage {
  role: string;
  content?: string | readonly { type: string; text?: string }[] | null;
  name?: string;
  tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** One tool call of the current visit with its answer, when there is one. */
export interface SettledCall {
  name: string;
  args: Record<string, unknown>;
  /** The tool message's text; `undefined` where the transcript holds no answer. */
  result?: string;
}

/** How the present visit to the current state began, as the transcript shows it. */
export type VisitOpening =
  | { kind: "message"; text: string }
  | { kind: "move" }
  | { kind: "note"; note: string; text: string };

export interface Conversation {
  /** Slug of the current state, or `undefined` where the system prompt names none. */
  state: string | undefined;
  /** The session is parked: one answer in text, no tool calls. */
  parked: boolean;
  opening: VisitOpening;
  /** Calls made since the visit began, oldest first, runtime notes left out. */
  calls: SettledCall[];
  /** Kinds of the runtime notes since the visit began, for example `event`. */
  notes: string[];
  /** Every call of the whole transcript, oldest first. */
  allCalls: SettledCall[];
  /** Text of the last message a person wrote. */
  lastPersonText: string;
  /** Hash of the transcript without the system prompt, whose clock moves; 12 hex digits. */
  digest: string;
}

const NOTE_TOOL = "archmax_note";
const ADVANCE_TOOL = "archmax_advance";

/** The text of a message: a string as it is, of a block list the text blocks. */
export function textOf(message: WireMessage): string {
  const content = message.content;
  if (typeof content === "string") return content;
  if (!content) return "";
  return content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("\n");
}

function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    // A model may send arguments that are no JSON; the runtime answers those, here they count as none.
    return {};
  }
}

interface Walk {
  opening: VisitOpening;
  /** Index into `entries` of the first entry of the visit. */
  start: number;
}

type Entry = { kind: "call"; call: SettledCall } | { kind: "note"; note: string };

/** Reads the transcript and the system prompt of one request. */
export function readConversation(messages: readonly WireMessage[]): Conversation {
  const isSystem = (message: WireMessage) => message.role === "system" || message.role === "developer";
  const system = messages.filter(isSystem).map(textOf).join("\n");
  const transcript = messages.filter((message) => !isSystem(message));
  const state = /^## Current state: (\S+)/m.exec(system)?.[1];

  const entries: Entry[] = [];
  const byId = new Map<string, { call: SettledCall; note?: string }>();
  let lastPersonText = "";
  let walk: Walk = { opening: { kind: "message", text: "" }, start: 0 };
  let afterEvent = false;

  for (const message of transcript) {
    if (message.role === "user") {
      lastPersonText = textOf(message);
      // A delivery may carry a message of its own after its note: it wakes the visit, it opens none.
      if (!afterEvent) walk = { opening: { kind: "message", text: lastPersonText }, start: entries.length };
      continue;
    }
    if (message.role === "assistant") {
      for (const call of message.tool_calls ?? []) {
        const args = parseArguments(call.function.arguments);
        const settled: SettledCall = { name: call.function.name, args };
        if (settled.name === NOTE_TOOL) {
          const note = typeof args.note === "string" ? args.note : "";
          byId.set(call.id, { call: settled, note });
          entries.push({ kind: "note", note });
        } else {
          byId.set(call.id, { call: settled });
          entries.push({ kind: "call", call: settled });
        }
      }
      afterEvent = false;
      continue;
    }
    const answered = message.tool_call_id === undefined ? undefined : byId.get(message.tool_call_id);
    if (answered === undefined) continue;
    const text = textOf(message);
    answered.call.result = text;
    if (answered.note === undefined) {
      const { name, args } = answered.call;
      if (name === ADVANCE_TOOL && args.to === state && !refused(text))
        walk = { opening: { kind: "move" }, start: entries.length };
      continue;
    }
    afterEvent = answered.note === "event";
    if (answered.note === "decision" || answered.note === "error")
      walk = { opening: { kind: "note", note: answered.note, text }, start: entries.length };
  }

  const visit = entries.slice(walk.start);
  return {
    state,
    parked: /^## This run is parked/m.test(system),
    opening: walk.opening,
    calls: visit.flatMap((entry) => (entry.kind === "call" ? [entry.call] : [])),
    notes: visit.flatMap((entry) => (entry.kind === "note" ? [entry.note] : [])),
    allCalls: entries.flatMap((entry) => (entry.kind === "call" ? [entry.call] : [])),
    lastPersonText,
    digest: createHash("sha256").update(JSON.stringify(transcript)).digest("hex").slice(0, 12),
  };
}

/** Whether a tool's answer says the call was refused or failed. */
export function refused(result: string): boolean {
  return /^(Error\b|\[workflow\] (BLOCKED|FAILED):|\w+ rejected:)|invalid arguments|not a tool/i.test(
    result.trim(),
  );
}
