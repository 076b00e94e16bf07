/**
 * The hooks other middleware run before the agent, as one step of the turn boundary: each of its own would be a
 * superstep with a checkpoint at the start of every turn.
 */
import type { BaseMessage } from "@langchain/core/messages";
import { addMessages } from "@langchain/langgraph";
import type { AgentMiddleware } from "langchain";
import type { WorkflowState } from "./channels.ts";

type BeforeAgent = (state: unknown, runtime: unknown) => unknown;

/** The before-agent hooks of some middleware, and the same middleware without them. */
export interface OpeningHooks {
  run(state: WorkflowState, runtime: unknown): Promise<Partial<WorkflowState>>;
  middleware: AgentMiddleware[];
}

/** Takes the before-agent hooks out of middleware that only ever changes the state with them. */
export function openingHooks(middleware: readonly AgentMiddleware[]): OpeningHooks {
  const hooks = middleware.flatMap((entry) => {
    const hook = entry.beforeAgent;
    return hook === undefined ? [] : [(typeof hook === "function" ? hook : hook.hook) as BeforeAgent];
  });
  return {
    middleware: middleware.map(
      (entry) => ({ ...entry, beforeAgent: undefined }) as unknown as AgentMiddleware,
    ),
    async run(state, runtime) {
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
