/** One model call of a governed state: what it is shown, its time limit, and what it reports (spec 03 §4, §13). */
import { AIMessage, type BaseMessage, SystemMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import type { WrapModelCallHook } from "langchain";
import { addUsage, costOf, readCallUsage } from "../events/usage.ts";
import { contentToString, messageTypeOf } from "../messages/index.ts";
import { cacheControlFor, cacheStrategy } from "../model/prompt-cache.ts";
import type { WorkflowState, WorkflowUpdate } from "./channels.ts";
import { runHookPhase } from "./hooks.ts";
import { parkRecord } from "./park.ts";
import { type ParkedShape, volatilePrompt } from "./prompt/volatile-prompt.ts";
import type { RuntimeContext } from "./runtime-context.ts";
import { threadIdOf } from "./session-of.ts";
import { standInMessage } from "./stand-in.ts";
import { streamingText } from "./text-deltas.ts";
import { holdBack, plainFinish } from "./turn-loop.ts";

type ModelRequest = Parameters<WrapModelCallHook>[0];
type ModelHandler = Parameters<WrapModelCallHook>[1];

/** Makes the call of the active state, with its tools, its model and its prompt. */
export async function callModel(
  context: RuntimeContext,
  state: WorkflowState,
  request: ModelRequest,
  handler: ModelHandler,
): Promise<AIMessage | Command> {
  const held = holdBack(context, state);
  if (held !== undefined) return standInMessage(held, context.newId());
  const { machine } = context;
  const sessionId = threadIdOf(request.runtime.configurable);
  const position = state.workflowState ?? machine.entryState;
  const closing = state.parkPhase === "closing";
  const replyOnly = closing || state.replyOnly === true;
  const signal = request.runtime.signal;
  const update: WorkflowUpdate = closing ? { replyOnly: true, parkPhase: "suspend" } : {};

  if (!replyOnly && !state.beforeDone?.[position] && machine.beforeHooks(position).length > 0) {
    const phase = await runHookPhase(
      { context, state, sessionId, signal },
      { state: position, phase: "before" },
    );
    if (phase.outcome !== "passed") {
      const text = `The request was rejected before the state "${position}" could run: ${phase.reason}`;
      return standInMessage({ kind: "before", reason: phase.reason }, context.newId(), text);
    }
    update.beforeDone = { ...(state.beforeDone ?? {}), [position]: true };
  }

  const model = context.models.forState(position);
  const live = context.live.beginCall(sessionId, position);
  let message: AIMessage;
  try {
    const call = streamingText(context, model, () =>
      handler({
        ...request,
        model,
        tools: disclosedTools(context, state, request.tools),
        systemMessage: systemMessage(context, request, state, position, model, replyOnly),
      }),
    );
    const limit = machine.budget(position).timeoutMs;
    const answer = await withinTime(call, limit);
    if (answer === EXPIRED) {
      const reason = `A model call of the state "${position}" took too long (timeoutMs: ${limit}).`;
      return standInMessage({ kind: "failure", reason }, context.newId());
    }
    if (!AIMessage.isInstance(answer)) return answer as Command;
    message = answer;
  } catch (error) {
    for (const [messageId, text] of live.streamed) {
      context.events.emit({
        type: "agent-text",
        state: position,
        text,
        partial: true,
        ...(messageId === "" ? {} : { messageId }),
      });
    }
    throw error;
  } finally {
    context.live.endCall(sessionId);
  }

  if (!message.id) {
    message.id = context.newId();
    message.lc_kwargs.id = message.id;
  }
  report(context, position, message, live.streamed.size > 0, replyOnly);
  const spent = readCallUsage(message, context.models.configuredId(position));
  if (spent !== undefined) {
    const { model: modelId, ...tokens } = spent;
    const costUsd = costOf(spent, context.pricing);
    const usage = costUsd === undefined ? tokens : { ...tokens, costUsd };
    context.events.emit({
      type: "model-usage",
      state: position,
      ...usage,
      ...(modelId === undefined ? {} : { model: modelId }),
    });
    update.usage = addUsage(state.usage ?? undefined, usage);
  }
  if (!replyOnly) {
    const made = state.stateTurns?.state === position ? state.stateTurns.count : 0;
    update.stateTurns = { state: position, count: made + 1 };
  }
  const finishes = !replyOnly && (message.tool_calls?.length ?? 0) === 0;
  return new Command({ update: finishes ? { ...update, ...plainFinish(context, state) } : update });
}

/** The tools the active state discloses, in the order in which they are registered. */
export function disclosedTools(
  { machine }: Pick<RuntimeContext, "machine">,
  { workflowState }: Pick<WorkflowState, "workflowState">,
  tools: ModelRequest["tools"],
): ModelRequest["tools"] {
  const names = machine.disclosedTools(workflowState ?? machine.entryState, tools.map(toolName));
  const disclosed = new Set(names);
  return tools.filter((tool) => disclosed.has(toolName(tool)));
}

function toolName(tool: unknown): string {
  const name = (tool as { name?: unknown }).name;
  return typeof name === "string" ? name : "";
}

/** Text and deltas of a completed message. A model that did not stream sends its whole text as one delta. */
function report(
  context: RuntimeContext,
  position: string,
  message: AIMessage,
  streamed: boolean,
  replyOnly: boolean,
): void {
  const text = contentToString(message.content);
  const messageId = message.id ?? "";
  if (text.trim() === "") return;
  if (!streamed) context.events.emit({ type: "agent-text-delta", state: position, text, messageId });
  context.events.emit({ type: "agent-text", state: position, text, messageId });
  if (replyOnly) context.events.emit({ type: "park-message", state: position, direction: "outbound", text });
}

const EXPIRED = Symbol("expired");

/** Races a call against its limit in ms. The request itself is not aborted: its late answer is dropped. */
async function withinTime<T>(call: Promise<T>, limitMs: number | undefined): Promise<T | typeof EXPIRED> {
  if (limitMs === undefined) return call;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expiry = new Promise<typeof EXPIRED>((resolve) => {
    timer = setTimeout(() => resolve(EXPIRED), limitMs);
  });
  try {
    const first = await Promise.race([call, expiry]);
    // A late rejection has nobody left to hear it: the failure has been reported as the expiry.
    if (first === EXPIRED) void call.catch(() => undefined);
    return first;
  } finally {
    clearTimeout(timer);
  }
}

/** The static block, marked for the provider's cache where it takes a mark, and the volatile block. */
function systemMessage(
  context: RuntimeContext,
  request: ModelRequest,
  state: WorkflowState,
  position: string,
  model: ReturnType<RuntimeContext["models"]["forState"]>,
  replyOnly: boolean,
): SystemMessage {
  const entryState = state.entryState ?? position;
  const lastStep = state.auditTrail?.at(-1);
  const parked = replyOnly ? parkedShape(state) : undefined;
  const volatile = volatilePrompt({
    now: context.clock(),
    timeZone: context.timeZone,
    machine: context.machine,
    state: position,
    entryState,
    openedBy: state.openedBy ?? state.trigger?.id ?? context.defaultTrigger.id,
    variables: state.variables ?? {},
    ...(parked === undefined ? {} : { parked }),
    followUp: context.machine.isTerminal(position) && position !== entryState && lastStep?.kind === "trigger",
    skills: context.skills,
    mountPrefixes: context.mountPrefixes,
    child: context.child,
  });
  const strategy = cacheStrategy(model, context.models.configuredId(position), context.promptCache);
  const mark = cacheControlFor(strategy, context.promptCache.ttl);
  return new SystemMessage({
    content: [
      {
        type: "text",
        text: request.systemMessage.text,
        ...(mark === undefined ? {} : { cache_control: mark }),
      },
      { type: "text", text: volatile },
    ],
  });
}

/** Which of the four ways a parked run is spoken to (spec 03 §8). */
function parkedShape(state: WorkflowState): { shape: ParkedShape; reason?: string } {
  const latest: BaseMessage | undefined = state.messages.at(-1);
  if (state.pendingInput) return { shape: "waiting", reason: state.pendingInput.reason };
  if (latest !== undefined && messageTypeOf(latest) === "human") return { shape: "person" };
  const step = state.auditTrail?.at(-1)?.kind;
  const record = parkRecord(state);
  return { shape: record !== undefined && step === "agent" ? "handoff" : "note" };
}
