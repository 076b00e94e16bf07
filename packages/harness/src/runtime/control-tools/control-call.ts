/** What a control tool is given and what it answers (spec 03 §5). */
import type { ToolCall } from "@langchain/core/messages/tool";
import * as z from "zod";
import { ADVANCE_TOOL, RESET_TOOL } from "../../spec/tool-names.ts";
import type { WorkflowState, WorkflowUpdate } from "../channels.ts";
import type { MovedMessage } from "../live-sessions.ts";
import type { RuntimeContext } from "../runtime-context.ts";

/** The tools that move a session. */
const MOVING: ReadonlySet<string> = new Set([ADVANCE_TOOL, RESET_TOOL]);

/** One allowed call of a control tool. */
export interface ControlCall {
  context: RuntimeContext;
  /** The session as it stood when the calling message was produced. */
  state: WorkflowState;
  /** The slug of the active state. */
  position: string;
  sessionId: string;
  callId: string;
  /** The step of "one transition per message": the id of the message holding the calls. */
  messageId: string;
  /** Arguments as the model gave them, references replaced. */
  args: Record<string, unknown>;
  /** Every call of the message, this one included. */
  siblings: readonly ToolCall[];
  /** The turn's abort signal. */
  signal: AbortSignal | undefined;
}

/** The answer of a control tool. */
export interface ControlAnswer {
  content: string;
  /** What `tool-result` reports: whether the tool did what was asked. */
  result: "ok" | "error";
  /** The status of the message the model reads. A refused move is an ordinary message with an error result. */
  messageStatus?: "error";
  update?: WorkflowUpdate;
  /** Events that follow the call's `tool-result`. */
  after?: () => void;
}

/** A control tool: what the model is shown, and what runs. */
export interface ControlTool {
  name: string;
  description: string;
  schema: z.ZodObject;
  run(call: ControlCall): Promise<ControlAnswer> | ControlAnswer;
}

/** A refusal the model reads as an error message. */
export function refuse(content: string, update?: WorkflowUpdate): ControlAnswer {
  return { content, result: "error", messageStatus: "error", ...(update === undefined ? {} : { update }) };
}

/**
 * The calling message, as the tools that move or park the session ask about it. The store is asked only where another
 * call of the message could have moved the session.
 */
export function movedMessage(call: ControlCall): MovedMessage {
  const { context, sessionId, messageId, callId } = call;
  const others = call.siblings.filter(({ id, name }) => id !== callId && MOVING.has(name));
  return {
    sessionId,
    messageId,
    stored: async () => (others.length === 0 ? undefined : context.storedMove(sessionId)),
  };
}

/** A string argument with something in it. */
export function filledText(description: string) {
  return z
    .string()
    .refine((text) => text.trim() !== "", { error: "must not be empty" })
    .describe(description);
}

/**
 * Reads a call's arguments by the tool's schema.
 * @returns the parsed arguments, or the refusal naming the tool and each field at fault
 */
export function readArguments<S extends z.ZodObject>(
  name: string,
  schema: S,
  args: Record<string, unknown>,
): { ok: true; args: z.infer<S> } | { ok: false; refusal: ControlAnswer } {
  const parsed = schema.safeParse(args);
  if (parsed.success) return { ok: true, args: parsed.data };
  const faults = parsed.error.issues.map((issue) => {
    const field = issue.path.map(String).join(".");
    return field === "" ? issue.message : `${field}: ${issue.message}`;
  });
  return { ok: false, refusal: refuse(`${name}: invalid arguments. ${faults.join("; ")}.`) };
}
