/**
 * Middleware of Deep Agents as a governed agent carries it: it does the same, and costs a turn less.
 *
 * What it does before the agent is one step of the turn boundary: each hook of its own would be a superstep with a
 * checkpoint at the start of every turn. Its channels stand in a middleware beside its wrappers: LangChain builds
 * the schema of a middleware that has both anew before each model call, and reads the session through it.
 */
import type { BaseMessage } from "@langchain/core/messages";
import { addMessages, getCurrentTaskInput } from "@langchain/langgraph";
import { type AgentMiddleware, createMiddleware } from "langchain";
import type { WorkflowState } from "./channels.ts";

type BeforeAgent = (state: unknown, runtime: unknown) => unknown;
type WrapModelCall = NonNullable<AgentMiddleware["wrapModelCall"]>;
type ModelRequest = Parameters<WrapModelCall>[0];

/** The tools of a request that the model will be shown. */
export type ShownTools = (state: WorkflowState, tools: ModelRequest["tools"]) => ModelRequest["tools"];

/** The middleware to install, and what it would do before the agent. */
export interface CarriedMiddleware {
  /** Runs the before-agent hooks in order, each seeing what those before it changed; answers all their changes. */
  open(state: WorkflowState, runtime: unknown): Promise<Partial<WorkflowState>>;
  middleware: AgentMiddleware[];
}

/**
 * Parts the hooks and the channels of some middleware from its wrappers. Its before-agent hooks may change the
 * session only, not jump; its tool wrappers find the transcript alone in `request.state`.
 *
 * @param shownTools its model wrappers see these alone: what is counted against the context window is what is sent
 */
export function carriedMiddleware(
  middleware: readonly AgentMiddleware[],
  shownTools: ShownTools,
): CarriedMiddleware {
  const hooks = middleware.flatMap((entry) => {
    const hook = entry.beforeAgent;
    return hook === undefined ? [] : [(typeof hook === "function" ? hook : hook.hook) as BeforeAgent];
  });
  return {
    middleware: middleware.flatMap((entry) => [...channelsOf(entry), wrappersOf(entry, shownTools)]),
    async open(state, runtime) {
      let update: Partial<WorkflowState> = {};
      let { messages } = state;
      for (const hook of hooks) {
        const answer = (await hook({ ...state, ...update, messages }, runtime)) as
          | Partial<WorkflowState>
          | undefined;
        if (answer === undefined) continue;
        update = { ...update, ...answer };
        if (answer.messages !== undefined) messages = addMessages(messages, answer.messages) as BaseMessage[];
      }
      return update;
    },
  };
}

function channelsOf({ name, stateSchema }: AgentMiddleware): AgentMiddleware[] {
  return stateSchema === undefined
    ? []
    : [createMiddleware({ name: `${name}Channels`, stateSchema }) as unknown as AgentMiddleware];
}

/** The rest, its model wrapper handed the session as the running task holds it. */
function wrappersOf(entry: AgentMiddleware, shownTools: ShownTools): AgentMiddleware {
  const { wrapModelCall } = entry;
  const plain = { ...entry, beforeAgent: undefined, stateSchema: undefined } as unknown as AgentMiddleware;
  if (wrapModelCall === undefined) return plain;
  return {
    ...plain,
    wrapModelCall: (request, handler) => {
      const state = getCurrentTaskInput<WorkflowState>();
      const tools = shownTools(state, request.tools);
      return wrapModelCall({ ...request, state: state as unknown as ModelRequest["state"], tools }, handler);
    },
  };
}
