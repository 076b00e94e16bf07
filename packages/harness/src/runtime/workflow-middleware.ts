/**
 * The governance of one workflow as one LangChain middleware (spec 03 §4).
 *
 * One middleware, because every hook of its own is a superstep with a checkpoint: the turn boundary before the
 * agent, parks and budgets before the model, the finish after it, and the two wrappers around a model call and a
 * tool call. The hook after the model only suspends or finishes; what a call reports is reported by its wrapper,
 * so that running the hook again on a resume repeats nothing.
 */
import { interrupt } from "@langchain/langgraph";
import { createMiddleware } from "langchain";
import { openTurn } from "./boundary.ts";
import { type WorkflowState, workflowStateSchema } from "./channels.ts";
import { controlToolDeclarations } from "./control-tools/registry.ts";
import { callModel } from "./model-call.ts";
import type { ResumePayload } from "./records.ts";
import type { RuntimeContext } from "./runtime-context.ts";
import { threadIdOf } from "./session-of.ts";
import { serveToolCall } from "./tool-call.ts";
import { afterModelCall, beforeModelCall, type LoopStep, type Suspend } from "./turn-loop.ts";

const suspend: Suspend = (record) => interrupt<typeof record, ResumePayload>(record);

/** The name the middleware is known by in the compiled graph. */
export const WORKFLOW_MIDDLEWARE = "WorkflowMiddleware";

/** Governs an agent by one workflow. */
export function workflowMiddleware(context: RuntimeContext) {
  return createMiddleware({
    name: WORKFLOW_MIDDLEWARE,
    stateSchema: workflowStateSchema,
    tools: controlToolDeclarations(),
    beforeAgent: {
      canJumpTo: ["end"],
      hook: async (state) => {
        const opened = await openTurn(context, asState(state));
        return { ...opened.update, ...(opened.refused ? { jumpTo: "end" as const } : {}) } as never;
      },
    },
    beforeModel: {
      canJumpTo: ["end"],
      hook: (state) =>
        asHookResult(beforeModelCall(context, asState(state), suspend), { jumpToModel: false }),
    },
    afterModel: {
      canJumpTo: ["model", "end"],
      hook: async (state, runtime) =>
        asHookResult(
          await afterModelCall(
            context,
            asState(state),
            threadIdOf(runtime.configurable),
            runtime.signal as AbortSignal | undefined,
            suspend,
          ),
          { jumpToModel: true },
        ),
    },
    wrapModelCall: (request, handler) => callModel(context, request as never, handler as never) as never,
    wrapToolCall: (request, handler) => serveToolCall(context, request as never, handler as never),
  });
}

function asState(state: unknown): WorkflowState {
  return state as WorkflowState;
}

/** A hook that changes nothing answers nothing: anything else makes LangGraph write the whole state again. */
function asHookResult(step: LoopStep, { jumpToModel }: { jumpToModel: boolean }): never {
  const jump =
    step.next === "end" ? { jumpTo: "end" } : step.next === "model" && jumpToModel ? { jumpTo: "model" } : {};
  const result = { ...step.update, ...jump };
  return (Object.keys(result).length === 0 ? undefined : result) as never;
}
