/**
 * The agent: a compiled LangGraph graph with every run bound to its session (spec 04 §2.1).
 */
import { HumanMessage } from "@langchain/core/messages";
import { mergeConfigs, type RunnableConfig } from "@langchain/core/runnables";
import { Command, type CompiledStateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver, BaseStore } from "@langchain/langgraph-checkpoint";
import type { TrailStep } from "./runtime/records.ts";
import type { ResolvedRuntimeContract } from "./runtime/runtime-contract.ts";
import { threadIdOf } from "./runtime/session-of.ts";
import type { SessionOperations } from "./sessions/shapes.ts";
import type { WorkflowSurface } from "./sessions/verbs.ts";
import type { MachineSpec } from "./spec/schema.ts";
import type { SessionZone } from "./workspace/session-zone.ts";

/** The compiled graph of an agent, its type parameters left open: they depend on the middleware of an assembly. */
// biome-ignore lint/suspicious/noExplicitAny: the graph's state type is assembled at run time from middleware
export type AgentGraph = CompiledStateGraph<any, any, any, any, any, any>;

/** What `agent.graph` offers for drawing. */
export type IntrospectableStateGraph = Pick<AgentGraph, "getGraph" | "getGraphAsync">;

/** What a turn may be handed: `messages` as LangChain takes them, or one user string. */
export type AgentInput = { messages: unknown } & Record<string, unknown>;

/** The parts an assembly makes an agent of. */
export interface AgentParts {
  graph: AgentGraph;
  workflow: WorkflowSurface | undefined;
  sessions: SessionOperations;
  zone: SessionZone;
  runtimeContract: ResolvedRuntimeContract;
  toolMocks: boolean;
  dispose: (sessionId: string) => void;
  emitRunArtifacts: (
    sessionId: string,
    trajectory: Readonly<Record<string, unknown>>,
    options?: { trail?: readonly TrailStep[] },
  ) => Promise<string | null>;
  getSpecSnapshot: (hash: string) => Promise<MachineSpec | null>;
  /** Whether a session is suspended and nobody has answered yet. */
  isParked: (sessionId: string) => Promise<boolean>;
  /** Defaults of every run; a caller's config overrides them. */
  defaults: RunnableConfig;
}

/**
 * A runnable agent. Every `invoke`, `stream` and `streamEvents` is bound to the session named by
 * `configurable.thread_id`; a refused id is a rejection and nothing is written. All methods survive
 * destructuring.
 */
export class ArchmaxAgent {
  readonly #parts: AgentParts;
  /** The runnable LangGraph graph. */
  readonly graph: AgentGraph;
  /** The workflow's verbs; undefined on an ungoverned agent. */
  readonly workflow: WorkflowSurface | undefined;
  readonly sessions: SessionOperations;
  readonly runtimeContract: ResolvedRuntimeContract;
  /** Whether the tool-mock middleware is among the agent's middleware. */
  readonly toolMocks: boolean;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.graph = parts.graph;
    this.workflow = parts.workflow;
    this.sessions = parts.sessions;
    this.runtimeContract = parts.runtimeContract;
    this.toolMocks = parts.toolMocks;
  }

  /**
   * Releases what the process holds for a session and its children, the agent's own checkpointer's memory included:
   * the next turn reads the session from the store again. Idempotent; never throws.
   */
  readonly dispose = (sessionId: string): void => this.#parts.dispose(sessionId);

  /** Writes a session's observability files; resolves to their folder, or `null` after a warning. */
  readonly emitRunArtifacts = (
    sessionId: string,
    trajectory: Readonly<Record<string, unknown>>,
    options?: { trail?: readonly TrailStep[] },
  ): Promise<string | null> => this.#parts.emitRunArtifacts(sessionId, trajectory, options);

  /** The definition a session ran under, by its hash; `null` when none was kept. */
  readonly getSpecSnapshot = (hash: string): Promise<MachineSpec | null> => this.#parts.getSpecSnapshot(hash);

  get checkpointer(): BaseCheckpointSaver | boolean | undefined {
    return this.graph.checkpointer;
  }

  get store(): BaseStore | undefined {
    return this.graph.store;
  }

  /**
   * Runs one turn to the point control returns. `invoke(null, config)` continues a session from its latest
   * checkpoint; with nothing pending, or on a parked session, it changes nothing.
   */
  readonly invoke = async (
    input: AgentInput | Command | null,
    config?: RunnableConfig,
  ): Promise<Record<string, unknown>> => {
    const merged = this.#config(config);
    return this.#accepted(merged, async () => {
      if (input === null) {
        const snapshot = await this.graph.getState(merged);
        // Not `next`: it leaves out a task that has finished, and the superstep it finished may not be stored yet.
        // A turn whose input alone is stored has its start before it, which a snapshot does not name.
        const pending = snapshot.tasks.length > 0 || snapshot.metadata?.source === "input";
        // An interrupt that has been answered is no park: its turn died on the way and goes on here.
        if (!pending || (await this.#parts.isParked(threadIdOf(merged.configurable)))) {
          return snapshot.values as Record<string, unknown>;
        }
      }
      return (await this.graph.invoke(asGraphInput(input) as never, merged)) as Record<string, unknown>;
    });
  };

  /** Streams a turn. Each step of the iteration is bound to the session; the code between steps is not. */
  readonly stream = async (
    input: AgentInput | Command | null,
    config?: RunnableConfig,
  ): Promise<AsyncIterableIterator<unknown>> => {
    const merged = this.#config(config);
    return this.#accepted(merged, () => this.graph.stream(asGraphInput(input) as never, merged as never));
  };

  /** Streams a turn's callback events, bound as {@link stream} is. */
  readonly streamEvents = (
    input: AgentInput | Command | null,
    config?: RunnableConfig & { version?: "v1" | "v2" },
  ): AsyncIterableIterator<unknown> => {
    const options = { ...this.#config(config), version: config?.version ?? "v2" };
    return this.graph.streamEvents(
      asGraphInput(input) as never,
      options as never,
    ) as unknown as AsyncIterableIterator<unknown>;
  };

  /** A new wrapper with more defaults; its workflow, sessions and other members are the same. */
  readonly withConfig = (config: RunnableConfig): ArchmaxAgent =>
    new ArchmaxAgent({ ...this.#parts, defaults: mergeConfigs(this.#parts.defaults, config) });

  readonly getState = (config: RunnableConfig, options?: { subgraphs?: boolean }) =>
    this.graph.getState(config, options);

  readonly getStateHistory = (config: RunnableConfig, options?: Record<string, unknown>) =>
    this.graph.getStateHistory(config, options);

  readonly updateState = (config: RunnableConfig, values: Record<string, unknown>, asNode?: string) =>
    this.graph.updateState(config, values, asNode);

  readonly getSubgraphs: AgentGraph["getSubgraphs"] = (namespace, recurse) =>
    this.graph.getSubgraphs(namespace, recurse);

  readonly getSubgraphsAsync: AgentGraph["getSubgraphsAsync"] = (namespace, recurse) =>
    this.graph.getSubgraphsAsync(namespace, recurse);

  readonly getGraphAsync = (config?: RunnableConfig & { xray?: boolean | number }) =>
    this.graph.getGraphAsync(config);

  #config(config: RunnableConfig | undefined): RunnableConfig {
    return mergeConfigs(this.#parts.defaults, config);
  }

  /** Runs on a session whose id is accepted: another is refused before anything is read. */
  #accepted<T>(config: RunnableConfig, run: () => Promise<T>): Promise<T> {
    const sessionId = threadIdOf(config.configurable);
    return sessionId === "" ? run() : this.#parts.zone.sessionScoped(sessionId, run);
  }
}

/** The type of what `createAgent` returns. */
export type Agent = ArchmaxAgent;

function asGraphInput(input: AgentInput | Command | null): unknown {
  if (input === null || input instanceof Command) return input;
  return typeof input.messages === "string"
    ? { ...input, messages: [new HumanMessage(input.messages)] }
    : input;
}
