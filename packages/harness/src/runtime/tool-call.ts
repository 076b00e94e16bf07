/**
 * One tool call of the model, from the called name to the settled answer (spec 03 §4, spec 02 §1): name,
 * references, kernel, then the control tool or the tool itself.
 */
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { Command, isCommand, isGraphBubbleUp } from "@langchain/langgraph";
import type { WrapToolCallHook } from "langchain";
import type { Action } from "../kernel/action.ts";
import { decide } from "../kernel/decide.ts";
import { filterListing } from "../kernel/listing-filter.ts";
import { withoutSessionPrefix } from "../kernel/session-prefix.ts";
import { substituteArguments, unresolvedArgumentReason } from "../kernel/substitute-arguments.ts";
import { notATool, resolveToolName } from "../kernel/tool-name.ts";
import type { Verdict } from "../kernel/verdict.ts";
import { contentToString } from "../messages/index.ts";
import { isWorkflowToolName } from "../spec/tool-names.ts";
import type { WorkflowState, WorkflowUpdate } from "./channels.ts";
import type { ControlAnswer, ControlCall } from "./control-tools/control-call.ts";
import { CONTROL_TOOLS } from "./control-tools/registry.ts";
import type { RuntimeContext } from "./runtime-context.ts";
import { threadIdOf } from "./session-of.ts";
import { type AnnouncedCall, announceCall, errorMessage, settleCall, throwText } from "./tool-events.ts";

type ToolRequest = Parameters<WrapToolCallHook>[0];
type ToolHandler = Parameters<WrapToolCallHook>[1];

/** One call as the steps below share it. */
interface Call {
  context: RuntimeContext;
  request: ToolRequest;
  state: WorkflowState;
  position: string;
  sessionId: string;
  callId: string;
  tool: string;
  /** As the model wrote them: what events carry. */
  rawArgs: Record<string, unknown>;
  /** References replaced: what the kernel and the tool see. */
  args: Record<string, unknown>;
  message: AIMessage | undefined;
}

/** Serves one tool call of a governed agent. */
export async function serveToolCall(
  context: RuntimeContext,
  state: WorkflowState,
  request: ToolRequest,
  handler: ToolHandler,
): Promise<ToolMessage | Command> {
  const sessionId = threadIdOf(request.runtime.configurable);
  const { toolCall } = request;
  const callId = toolCall.id ?? context.live.nextUnnamedCall(sessionId);
  const rawArgs = (toolCall.args ?? {}) as Record<string, unknown>;
  const resolved = resolveToolName(toolCall.name, context.toolsByName.keys());
  if (resolved.kind !== "resolved") {
    return errorMessage(callId, toolCall.name, notATool(toolCall.name, resolved));
  }
  const call: Call = {
    context,
    request,
    state,
    position: state.workflowState ?? context.machine.entryState,
    sessionId,
    callId,
    tool: resolved.name,
    rawArgs,
    args: rawArgs,
    message: callingMessage(state, toolCall),
  };

  if (!isWorkflowToolName(call.tool)) {
    const substituted = substituteArguments(rawArgs, state.variables ?? {});
    if (!substituted.ok) {
      const reason = unresolvedArgumentReason(call.tool, substituted);
      return blocked(
        call,
        { decision: "block", ruleId: "argument.unresolved", reason, warn: true },
        undefined,
      );
    }
    call.args = substituted.args;
  }

  const verdict = judge(call);
  if (verdict.decision === "block") {
    return blocked(call, verdict, verdict.terminal ? { rejected: verdict.reason ?? "" } : undefined);
  }
  const control = CONTROL_TOOLS.get(call.tool);
  if (control !== undefined) return serveControlTool(call, (asked) => control.run(asked));
  return serveTool(call, handler);
}

/** The kernel's verdict. It knows no session, so a leading own session id is dropped for its eyes only. */
function judge(call: Call): Verdict {
  const { context, state } = call;
  const action: Action = {
    kind: "tool-call",
    state: call.position,
    tool: call.tool,
    args: withoutSessionPrefix(context.machine, call.tool, call.args, call.sessionId),
    ...(state.replyOnly ? { replyOnly: true } : {}),
  };
  const verdict = decide(
    context.machine,
    action,
    context.rules,
    context.mountPrefixes,
    state.variables ?? {},
    context.skillPrefixes,
  );
  if (verdict.ruleId === "custom.error") {
    context.events.emit({
      type: "warning",
      scope: "policy",
      message: `A policy rule failed on ${call.tool}, so the call was refused: ${verdict.reason ?? ""}`,
    });
  }
  return verdict;
}

function blocked(call: Call, verdict: Verdict, update: WorkflowUpdate | undefined): ToolMessage | Command {
  const reason = verdict.reason ?? `[workflow] BLOCKED: ${call.tool} is not permitted here.`;
  if (verdict.warn) {
    call.context.events.emit({
      type: "tool-blocked",
      state: call.position,
      tool: call.tool,
      reason,
      callId: call.callId,
      args: call.rawArgs,
    });
  }
  const message = errorMessage(call.callId, call.tool, reason);
  message.additional_kwargs = { governance_blocked: true };
  return update === undefined ? message : new Command({ update: { ...update, messages: [message] } });
}

async function serveControlTool(
  call: Call,
  run: (asked: ControlCall) => Promise<ControlAnswer> | ControlAnswer,
): Promise<ToolMessage | Command> {
  const started = announceCall(call.context, announced(call));
  const answer = await settleOnThrow(call, started, async () =>
    run({
      context: call.context,
      state: call.state,
      position: call.position,
      sessionId: call.sessionId,
      callId: call.callId,
      messageId: call.message?.id ?? `#${call.state.messages.length}`,
      args: call.args,
      siblings: call.message?.tool_calls ?? [],
      signal: call.request.runtime.signal,
    }),
  );
  settleCall(call.context, announced(call), started, answer.result, answer.content);
  answer.after?.();
  const message = new ToolMessage({
    content: answer.content,
    tool_call_id: call.callId,
    name: call.tool,
    ...(answer.messageStatus === undefined ? {} : { status: answer.messageStatus }),
  });
  return answer.update === undefined
    ? message
    : new Command({ update: { ...answer.update, messages: [message] } });
}

async function serveTool(call: Call, handler: ToolHandler): Promise<ToolMessage | Command> {
  const started = announceCall(call.context, announced(call));
  if (isRepeatedTodoWrite(call)) {
    const content = `${call.tool} is called once per message: the list it writes is the whole list.`;
    settleCall(call.context, announced(call), started, "error", content);
    return errorMessage(call.callId, call.tool, content);
  }
  let answer: ToolMessage | Command;
  try {
    const tool = call.context.toolsByName.get(call.tool);
    answer = await handler({
      ...call.request,
      toolCall: { ...call.request.toolCall, id: call.callId, name: call.tool, args: call.args },
      ...(tool === undefined ? {} : { tool }),
    });
  } catch (error) {
    const text = throwText(error);
    settleCall(call.context, announced(call), started, "error", text);
    if (isGraphBubbleUp(error) || call.request.runtime.signal?.aborted) throw error;
    return errorMessage(call.callId, call.tool, text);
  }
  if (isCommand(answer)) {
    const messages = (answer.update as { messages?: unknown } | undefined)?.messages;
    const own = Array.isArray(messages) ? messages.find((entry) => ToolMessage.isInstance(entry)) : undefined;
    settleCall(
      call.context,
      announced(call),
      started,
      own?.status === "error" ? "error" : "ok",
      own === undefined ? "" : contentToString(own.content),
    );
    return answer;
  }
  if (typeof answer.content === "string") {
    const { context } = call;
    answer.content = filterListing(call.tool, answer.content, {
      machine: context.machine,
      state: call.position,
      mounts: context.mountPrefixes,
      skills: context.skillPrefixes,
    });
  }
  settleCall(
    call.context,
    announced(call),
    started,
    answer.status === "error" ? "error" : "ok",
    contentToString(answer.content),
  );
  return answer;
}

/** The call as its events name it: with the arguments the model wrote. */
function announced(call: Call): AnnouncedCall {
  return { state: call.position, tool: call.tool, callId: call.callId, args: call.rawArgs };
}

/** LangChain's todo list is one channel with one writer a step, so its second call in a message is refused. */
function isRepeatedTodoWrite(call: Call): boolean {
  if (call.tool !== "write_todos") return false;
  const first = call.message?.tool_calls?.find((sibling) => sibling.name === "write_todos");
  return first !== undefined && first.id !== call.request.toolCall.id;
}

async function settleOnThrow<T>(call: Call, started: number, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    settleCall(call.context, announced(call), started, "error", throwText(error));
    throw error;
  }
}

/** The message that made the call: the step "one transition per message" counts by. */
function callingMessage(state: WorkflowState, toolCall: ToolCall): AIMessage | undefined {
  for (let index = state.messages.length - 1; index >= 0; index -= 1) {
    const message = state.messages[index];
    if (!AIMessage.isInstance(message)) continue;
    if (
      message.tool_calls?.some(
        (made) => made === toolCall || (made.id !== undefined && made.id === toolCall.id),
      )
    ) {
      return message;
    }
  }
  return undefined;
}
