import type { StructuredToolInterface } from "@langchain/core/tools";
import { type AgentMiddleware, createMiddleware } from "langchain";
import type { AgentGraph, AgentParts } from "../agent.ts";
import type { CreateAgentParams } from "../create-agent-params.ts";
import type { resolveRuntimeContract } from "../runtime/runtime-contract.ts";
import { emitRunArtifacts } from "../sessions/artifacts.ts";
import { isSuspended } from "../sessions/checkpoint-values.ts";
import { createSessionOperations } from "../sessions/handles.ts";
import { readSpecSnapshot } from "../sessions/spec-snapshots.ts";
import { PACKAGE_VERSION } from "../version.ts";
import type { Assembly } from "./assembly.ts";
import { bindRuns } from "./bound-runs.ts";

/** Supersteps a turn may take unless its caller says otherwise (spec 03 C-4). */
const RECURSION_LIMIT = 400;

/** What both compositions hand Deep Agents untouched. */
export function passedThrough(params: CreateAgentParams): Record<string, unknown> {
  const { store, interruptOn, name } = params;
  return {
    ...(store === undefined ? {} : { store }),
    ...(interruptOn === undefined ? {} : { interruptOn }),
    ...(name === undefined ? {} : { name }),
  };
}

/** Middleware that brings tools and nothing else. */
export function toolsMiddleware(name: string, tools: StructuredToolInterface[]): AgentMiddleware {
  return createMiddleware({ name, tools: tools as never }) as unknown as AgentMiddleware;
}

/** What an agent is made of whatever governs it, its verbs aside. */
export function sharedParts(
  assembly: Assembly,
  graph: AgentGraph,
  composed: {
    subject: Parameters<typeof emitRunArtifacts>[0]["subject"];
    contract: ReturnType<typeof resolveRuntimeContract>;
  },
): Omit<AgentParts, "workflow"> {
  const { params, context, store, checkpointer, ownCheckpointer, events, live, usage } = assembly;
  bindRuns(graph, context.sessionZone, context.backend);
  const dispose = (sessionId: string): void => {
    live.dispose(sessionId);
    ownCheckpointer.release(sessionId);
  };
  return {
    graph,
    zone: context.sessionZone,
    isParked: async (sessionId) => {
      const tuple = await checkpointer.getTuple({
        configurable: { thread_id: sessionId, checkpoint_ns: "" },
      });
      return tuple !== undefined && isSuspended(tuple);
    },
    sessions: createSessionOperations({
      sessionStore: context.sessionStore,
      checkpointer,
      ownCheckpointer: checkpointer === ownCheckpointer,
      mountPrefixes: context.mountPrefixes,
      dispose,
    }),
    runtimeContract: composed.contract,
    toolMocks: (params.middleware ?? []).some((entry) => entry.name === "ToolMockMiddleware"),
    dispose,
    emitRunArtifacts: (sessionId, trajectory, options) =>
      emitRunArtifacts(
        {
          store,
          checkpointer,
          mountPrefixes: context.mountPrefixes,
          subject: composed.subject,
          runtimeContract: composed.contract,
          packageVersion: PACKAGE_VERSION,
          trackedUsage: (id) => usage.bySession().get(id),
          warn: (message) => events.emit({ type: "warning", scope: "run-artifacts", message }),
        },
        sessionId,
        trajectory,
        options,
      ),
    getSpecSnapshot: (hash) => readSpecSnapshot(store, hash),
    defaults: {
      recursionLimit: RECURSION_LIMIT,
      metadata: { ls_integration: "archmax-harness" },
      // Every superstep is on the store before the next begins: a crash repeats the one in flight at most.
      durability: "sync",
    } as AgentParts["defaults"],
  };
}
