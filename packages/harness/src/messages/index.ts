/**
 * Readers of a transcript that need no runtime. Every reader takes a message in any shape it travels in: a
 * class instance, the serialized form of a checkpoint, a plain `{ role, content }`. Whether a message is the
 * runtime's own is said by its marker alone, never by its text.
 *
 * The module imports nothing, so a page or a request path that renders transcripts stays light.
 */

/**
 * What a note of the runtime records: a person's decision, a delivered firing, the route after an error, a
 * check asking for a revision, the result of a child session, the opening of a child session.
 */
export type RuntimeNoteKind = "decision" | "event" | "error" | "after" | "sub-workflow" | "opening";

const NOTE_KINDS: readonly unknown[] = [
  "decision",
  "event",
  "error",
  "after",
  "sub-workflow",
  "opening",
] satisfies RuntimeNoteKind[];

const TYPE_OF_ROLE: ReadonlyMap<string, string> = new Map([
  ["user", "human"],
  ["assistant", "ai"],
  ["developer", "system"],
]);

/**
 * The text of a message's content: a string as it is; of a list of blocks the text blocks, joined without a
 * separator; `""` for anything else. A whole message is read by its content.
 */
export function contentToString(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textOfBlock).join("");
  const inner = fieldsOf(content).content;
  return typeof inner === "string" || Array.isArray(inner) ? contentToString(inner) : "";
}

/** Who wrote a message: `human`, `ai`, `tool`, `system` or another type's name; `undefined` when it does not say. */
export function messageTypeOf(message: unknown): string | undefined {
  if (!isObject(message)) return undefined;
  const fields = fieldsOf(message);
  const named = declaredType(message) ?? text(fields.type);
  const type = named === "generic" || named === "chat" ? undefined : named;
  const role = text(fields.role);
  return type ?? (role === undefined ? named : (TYPE_OF_ROLE.get(role) ?? role));
}

/** Whether the agent wrote the message; the assistant half of a note pair counts, being of that type. */
export function isAiMessage(message: unknown): boolean {
  return messageTypeOf(message) === "ai";
}

/** Whether the message is of a person's type; the opening note of a child session counts, being of that type. */
export function isHumanMessage(message: unknown): boolean {
  return messageTypeOf(message) === "human";
}

/** Whether the runtime wrote the message into the transcript. */
export function isRuntimeNote(message: unknown): boolean {
  return runtimeNoteKind(message) !== undefined;
}

/** What a message of the runtime records; `undefined` for a message of anybody else. */
export function runtimeNoteKind(message: unknown): RuntimeNoteKind | undefined {
  const marker = property(property(fieldsOf(message).additional_kwargs, "archmax"), "note");
  return isNoteKind(marker) ? marker : undefined;
}

/** The last thing the agent said, tool results and the runtime's notes passed over; `""` when it said nothing. */
export function lastAgentText(messages: readonly unknown[]): string {
  for (const message of messages.toReversed()) {
    if (!isAiMessage(message) || isRuntimeNote(message)) continue;
    const said = contentToString(fieldsOf(message).content);
    if (said.trim() !== "") return said;
  }
  return "";
}

/** Whether a message tells the session something: a person's message, or a note of the runtime. */
export function opensTurn(message: unknown): boolean {
  return isHumanMessage(message) || isRuntimeNote(message);
}

/** The messages from a count on. A count below zero means all of them, one past the end none. */
export function messagesSince<Message>(messages: readonly Message[], cursor: number): Message[] {
  return messages.slice(Math.max(0, cursor));
}

/**
 * The trailing turn: from the last thing the session was told to the end. Adjacent openers count as one thing
 * told. A transcript nothing opened is one turn as a whole.
 */
export function lastTurn<Message>(messages: readonly Message[]): Message[] {
  let start = messages.findLastIndex(opensTurn);
  while (start > 0 && opensTurn(messages[start - 1])) start -= 1;
  return messages.slice(Math.max(0, start));
}

function textOfBlock(block: unknown): string {
  if (typeof block === "string") return block;
  return property(block, "type") === "text" ? (text(property(block, "text")) ?? "") : "";
}

/** The type a message states by method or, serialized, by the name of its class. */
function declaredType(message: Record<string, unknown>): string | undefined {
  const method = message.getType ?? message._getType;
  if (typeof method === "function") return text(method.call(message));
  if (serializedFields(message) === undefined) return undefined;
  const className = Array.isArray(message.id) ? text(message.id.at(-1)) : undefined;
  return className?.replace(/Message(?:Chunk)?$/, "").toLowerCase();
}

/** Where a message keeps its content and marker: itself, or what its serialized form wraps. */
function fieldsOf(message: unknown): Record<string, unknown> {
  if (!isObject(message)) return {};
  const serialized = serializedFields(message);
  if (serialized !== undefined) return serialized;
  return isObject(message.data) && message.content === undefined
    ? { type: message.type, ...message.data }
    : message;
}

function serializedFields(message: Record<string, unknown>): Record<string, unknown> | undefined {
  return message.type === "constructor" && isObject(message.kwargs) ? message.kwargs : undefined;
}

function isNoteKind(value: unknown): value is RuntimeNoteKind {
  return NOTE_KINDS.includes(value);
}

function property(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
