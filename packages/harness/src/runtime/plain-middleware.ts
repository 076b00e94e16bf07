/**
 * What an agent that no workflow governs says of itself: its text, its tool calls and what it spends, as a governed
 * one does (spec 04 §2.2).
 */
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import {
  Command,
  getCurrentTaskInput,
  isCommand,
  isGraphBubbleUp,
  ReducedValue,
  StateSchema,
} from "@langchain/langgraph";
import {
  type AgentMiddleware,
  createMiddleware,
  type WrapModelCallHook,
  type WrapToolCallHook,
} from "langchain";
import * as z from "zod";
import type { EventStream } from "../events/stream.ts";
import { addUsage, costOf, type PricingTable, readCallUsage, type UsageSummary } from "../events/usage.ts";
import { contentToString } from "../messages/index.ts";
import type { LiveSessions } from "./live-sessions.ts";
import { threadIdOf } from "./session-of.ts";
import { streamingText, type TextDeltaHandler } from "./text-deltas.ts";
import { type AnnouncedCall, announceCall, errorMessage, settleCall, throwText } from "./tool-events.ts";

/** It has no states, and every event of these names one (spec 03 §11). */
const NO_STATE = "";

/** What the turns of a plain agent report to and by. */
export interface PlainContext {
  readonly events: EventStream;
  readonly live: LiveSessions;
  readonly textDeltas: TextDeltaHandler;
  readonly pricing: PricingTable;
  readonly clock: () => Date;
  readonly newId: () => string;
}

/** The session's total, in its checkpoint as that of a governed one is. */
const stateSchema = new StateSchema({
  usage: new ReducedValue(z.custom<UsageSummary | null>(), { reducer: (_held, next) => next }),
});

type ModelRequest = Parameters<WrapModelCallHook>[0];
type ModelHandler = Parameters<WrapModelCallHook>[1];
type ToolRequest = Parameters<WrapToolCallHook>[0];
type ToolHandler = Parameters<WrapToolCallHook>[1];

/** Reports the model and tool calls of an agent that no workflow governs. */
export function plainMiddleware(context: PlainContext): AgentMiddleware {
  return createMiddleware({
    name: "ReportingMiddleware",
    stateSchema,
    wrapModelCall: (request, handler) =>
      callModel(context, request as unknown as ModelRequest, handler as never),
    wrapToolCall: (request, handler) =>
      callTool(context, request as unknown as ToolRequest, handler as never),
  }) as unknown as AgentMiddleware;
}

async function callModel(
  context: PlainContext,
  request: ModelRequest,
  handler: ModelHandler,
): Promise<AIMessage | Command> {
  const { events, live } = context;
  const sessionId = threadIdOf(request.runtime.configurable);
  const call = live.beginCall(sessionId, NO_STATE);
  let message: AIMessage;
  try {
    const answer = await streamingText(context, request.model as never, () => handler(request));
    if (!AIMessage.isInstance(answer)) return answer as Command;
    message = answer;
  } catch (error) {
    for (const [messageId, text] of call.streamed) {
      events.emit({
        type: "agent-text",
        state: NO_STATE,
        text,
        partial: true,
        ...(messageId === "" ? {} : { messageId }),
      });
    }
    throw error;
  } finally {
    live.endCall(sessionId);
  }
  if (!message.id) {
    message.id = context.newId();
    message.lc_kwargs.id = message.id;
  }
  const text = contentToString(message.content);
  if (text.trim() !== "") {
    if (call.streamed.size === 0)
      events.emit({ type: "agent-text-delta", state: NO_STATE, text, messageId: message.id });
    events.emit({ type: "agent-text", state: NO_STATE, text, messageId: message.id });
  }
  const spent = readCallUsage(message);
  if (spent === undefined) return message;
  const { model, ...tokens } = spent;
  const costUsd = costOf(spent, context.pricing);
  const usage = costUsd === undefined ? tokens : { ...tokens, costUsd };
  events.emit({ type: "model-usage", state: NO_STATE, ...usage, ...(model === undefined ? {} : { model }) });
  const held = getCurrentTaskInput<{ usage?: UsageSummary | null }>().usage ?? undefined;
  return new Command({ update: { usage: addUsage(held, usage) } });
}

async function callTool(
  context: PlainContext,
  request: ToolRequest,
  handler: ToolHandler,
): Promise<ToolMessage | Command> {
  const { toolCall, runtime } = request;
  const callId = toolCall.id ?? context.live.nextUnnamedCall(threadIdOf(runtime.configurable));
  const call: AnnouncedCall = {
    state: NO_STATE,
    tool: toolCall.name,
    callId,
    args: toolCall.args as Record<string, unknown>,
  };
  const started = announceCall(context, call);
  let answer: ToolMessage | Command;
  try {
    answer = await handler({ ...request, toolCall: { ...toolCall, id: callId } });
  } catch (error) {
    const text = throwText(error);
    settleCall(context, call, started, "error", text);
    if (isGraphBubbleUp(error) || runtime.signal?.aborted) throw error;
    return errorMessage(callId, toolCall.name, text);
  }
  const settled = isCommand(answer) ? ownMessage(answer) : answer;
  const status = settled?.status === "error" ? "error" : "ok";
  settleCall(context, call, started, status, settled === undefined ? "" : contentToString(settled.content));
  return answer;
}

/** The answer among the messages a command carries. */
function ownMessage(command: Command): ToolMessage | undefined {
  const messages = (command.update as { messages?: unknown } | undefined)?.messages;
  return Array.isArray(messages) ? messages.find((entry) => ToolMessage.isInstance(entry)) : undefined;
}
