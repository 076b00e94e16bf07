/**
 * The governance of one workflow as LangChain middleware (spec 03 §4).
 *
 * Every hook of its own is a superstep with a checkpoint, so there are only three: the boundary before the agent,
 * the finish after it, and the park after that, which does nothing but suspend. What happens at each call sits in
 * the wrappers around the model and around a tool; a call that may not be made is answered by a marked stand-in,
 * which the finish settles. Running the park again on a resume therefore repeats nothing.
 */
import { getCurrentTaskInput, interrupt } from "@langchain/langgraph";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { openTurn } from "./boundary.ts";
import { type WorkflowState, type WorkflowUpdate, workflowStateSchema } from "./channels.ts";
import { controlToolDeclarations } from "./control-tools/registry.ts";
import type { CarriedMiddleware } from "./deep-agents-middleware.ts";
import { callModel } from "./model-call.ts";
import { parkRecord } from "./park.ts";
import type { PendingDecision, PendingInput, ResumePayload } from "./records.ts";
import { applyResume } from "./resume.ts";
import type { RuntimeContext } from "./runtime-context.ts";
import { threadIdOf } from "./session-of.ts";
import { serveToolCall } from "./tool-call.ts";
import { finishTurn, type LoopStep } from "./turn-loop.ts";

/** Suspends a parked session. It stands before the turn's own middleware, whose finish therefore runs first. */
function parkMiddleware(context: RuntimeContext) {
  return createMiddleware({
    name: "ParkMiddleware",
    stateSchema: workflowStateSchema,
    afterAgent: {
      canJumpTo: ["model", "end"],
      hook: (given) => {
        const state = taken(given);
        const record = state.parkPhase === "suspend" ? parkRecord(state) : undefined;
        if (record === undefined) return undefined;
        const payload = interrupt<PendingDecision | PendingInput, ResumePayload>(record);
        const resumed = applyResume(context, state, payload);
        return hookResult(state, { update: resumed.update, next: resumed.ends ? "end" : "model" });
      },
    },
  });
}

/** Opens and finishes a turn. */
function turnMiddleware(context: RuntimeContext, carried: CarriedMiddleware) {
  return createMiddleware({
    name: "TurnMiddleware",
    stateSchema: workflowStateSchema,
    beforeAgent: {
      canJumpTo: ["end"],
      hook: async (given, runtime) => {
        const state = taken(given);
        const opened = await openTurn(context, state);
        const update = opened.refused
          ? opened.update
          : { ...(await carried.open(state, runtime)), ...opened.update };
        return hookResult(state, { update, next: opened.refused ? "end" : "park" });
      },
    },
    afterAgent: {
      canJumpTo: ["model", "end"],
      hook: async (given, runtime) => {
        const state = taken(given);
        const signal = runtime.signal as AbortSignal | undefined;
        return hookResult(state, await finishTurn(context, state, threadIdOf(runtime.configurable), signal));
      },
    },
  });
}

/**
 * Serves each model call and each tool call. It declares no channels: LangChain builds the schema of a middleware
 * with wrappers anew for every call, and the running task holds the session anyway.
 */
function governanceMiddleware(context: RuntimeContext) {
  return createMiddleware({
    name: "GovernanceMiddleware",
    tools: controlToolDeclarations(),
    wrapModelCall: (request, handler) => callModel(context, currentState(), request, handler),
    wrapToolCall: (request, handler) => serveToolCall(context, currentState(), request, handler),
  });
}

/**
 * Governs an agent by one workflow: the middleware in the order it stands.
 *
 * @param carried the middleware whose before-agent hooks run with the boundary
 */
export function workflowMiddleware(context: RuntimeContext, carried: CarriedMiddleware): AgentMiddleware[] {
  return [
    parkMiddleware(context),
    turnMiddleware(context, carried),
    governanceMiddleware(context),
  ] as unknown as AgentMiddleware[];
}

/** The session as the running task was given it: the channels, or what a tool call was sent with. */
function currentState(): WorkflowState {
  return getCurrentTaskInput<WorkflowState>();
}

/**
 * The session a hook was handed, taken out of the object it came in. LangChain adds to a hook's answer whatever that
 * object still holds, so that every channel, the transcript among them, would be written and stored once more.
 */
function taken(given: object): WorkflowState {
  const state = { ...given } as WorkflowState;
  for (const channel of Object.keys(given)) Reflect.deleteProperty(given, channel);
  return state;
}

/** What a hook answers: the writes that say something new, and where the turn goes. Nothing changed, nothing said. */
function hookResult(state: WorkflowState, step: LoopStep): never {
  const jump = step.next === "park" ? {} : { jumpTo: step.next };
  const result = { ...changes(state, step.update), ...jump };
  return (Object.keys(result).length === 0 ? undefined : result) as never;
}

/**
 * The part of an update that says something new. Clearing a channel that holds nothing would create it, and every
 * channel that exists is written with every checkpoint from then on.
 */
function changes(state: WorkflowState, update: WorkflowUpdate): Partial<WorkflowUpdate> {
  const held = state as unknown as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(update).filter(
      ([channel, value]) => !(isEmpty(value) && isEmpty(held[channel])) && value !== held[channel],
    ),
  );
}

/** What reads as nothing: an absent or cleared channel, a count of zero, an empty set. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === 0) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
