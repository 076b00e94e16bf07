/** The two events of a call that runs, and the answer to one that fails (spec 03 §4, §11). */
import { ToolMessage } from "@langchain/core/messages";
import { MiddlewareError, ToolInvocationError } from "langchain";
import type { EventStream } from "../events/stream.ts";
import type { EventStatus } from "../events/types.ts";

/** The longest preview of a result, in characters. */
const PREVIEW_LENGTH = 4_096;

/** The arguments that tell at a glance what a call is about, first found first. */
const DETAIL_ARGUMENTS = ["file_path", "path", "to", "pattern", "command", "url"] as const;

/** A call as its events name it. */
export interface AnnouncedCall {
  state: string;
  tool: string;
  callId: string;
  args: Record<string, unknown>;
}

/** Where events go, and what they are timed by. */
interface Reporting {
  readonly events: EventStream;
  readonly clock: () => Date;
}

/** Emits `tool-called`; answers when, in epoch milliseconds. */
export function announceCall({ events, clock }: Reporting, call: AnnouncedCall): number {
  const detail = DETAIL_ARGUMENTS.map((name) => call.args[name]).find((value) => typeof value === "string");
  events.emit({ type: "tool-called", ...call, ...(typeof detail === "string" ? { detail } : {}) });
  return clock().getTime();
}

/** Emits `tool-result` of a call announced at `started`, with a preview of what it answered. */
export function settleCall(
  { events, clock }: Reporting,
  { args: _args, ...call }: AnnouncedCall,
  started: number,
  status: EventStatus,
  output: string,
): void {
  events.emit({
    type: "tool-result",
    ...call,
    status,
    durationMs: Math.max(0, clock().getTime() - started),
    output: output.slice(0, PREVIEW_LENGTH),
    truncated: output.length > PREVIEW_LENGTH,
  });
}

/** The answer to a call that failed or was refused. */
export function errorMessage(callId: string, name: string, content: string): ToolMessage {
  return new ToolMessage({ content, tool_call_id: callId, name, status: "error" });
}

/**
 * The text of a throw, as the tool said it: LangChain wraps what a middleware lets through, and quotes the stack of
 * arguments that do not fit, host paths included.
 */
export function throwText(error: unknown): string {
  let innermost = error;
  while (MiddlewareError.isInstance(innermost) && innermost.cause !== undefined) innermost = innermost.cause;
  if (ToolInvocationError.isInstance(innermost)) innermost = innermost.toolError;
  return innermost instanceof Error ? innermost.message : String(innermost);
}
