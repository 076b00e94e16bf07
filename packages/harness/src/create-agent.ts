/**
 * Assembles an agent (spec 04 §2): a workflow's governance over Deep Agents, or a plain Deep Agent.
 *
 * Both compositions go through `createDeepAgent`, so that its file tools, its offloading of large results, its
 * summaries and its provider caching are its own and stay its own. A governed agent replaces some of its
 * middleware by name: the sub-agent one by nothing, because no state offers `task`; the file system one by an
 * instance whose tool objects the runtime holds, because it serves them by name; and that one, the summaries and
 * the repair of dangling calls by the same in the cheaper form the runtime carries them in.
 */
import type { StructuredToolInterface } from "@langchain/core/tools";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import {
  createDeepAgent,
  createFilesystemMiddleware,
  createPatchToolCallsMiddleware,
  createSummarizationMiddleware,
} from "deepagents";
import { type AgentMiddleware, createMiddleware, todoListMiddleware } from "langchain";
import { type Agent, type AgentGraph, type AgentParts, ArchmaxAgent } from "./agent.ts";
import type { CreateAgentParams } from "./create-agent-params.ts";
import { UnknownTriggerError } from "./errors.ts";
import { createEventStream, type EventStream } from "./events/stream.ts";
import { createUsageTracker, type PricingTable, readPricing, type UsageTracker } from "./events/usage.ts";
import { type Governance, loadGovernance } from "./governance.ts";
import { loadEnvironmentFile } from "./model/environment.ts";
import { createModelSet } from "./model/model-set.ts";
import { cacheStrategy, mixedCacheWarning, resolvePromptCache } from "./model/prompt-cache.ts";
import { BackendCheckpointSaver } from "./runtime/checkpointer.ts";
import { carriedMiddleware } from "./runtime/deep-agents-middleware.ts";
import { imageBounds, imageMiddleware } from "./runtime/images.ts";
import { LiveSessions } from "./runtime/live-sessions.ts";
import { modelResultMiddleware } from "./runtime/model-result.ts";
import { renderWorkflowPrompt, resolveSystemPrompt } from "./runtime/prompt/static-prompt.ts";
import { TOOL_GUIDANCE, WRITE_TODOS_DESCRIPTION } from "./runtime/prompt/tool-guidance.ts";
import type { RuntimeContext } from "./runtime/runtime-context.ts";
import { assertRuntimeContract, resolveRuntimeContract } from "./runtime/runtime-contract.ts";
import { installSessionChannels } from "./runtime/session-channel.ts";
import { TextDeltaHandler } from "./runtime/text-deltas.ts";
import { assertSeeds } from "./runtime/variable-writes.ts";
import { workflowMiddleware } from "./runtime/workflow-middleware.ts";
import { emitRunArtifacts } from "./sessions/artifacts.ts";
import { isSuspended } from "./sessions/checkpoint-values.ts";
import { createSessionClaims } from "./sessions/claims.ts";
import { createSessionOperations } from "./sessions/handles.ts";
import { readSpecSnapshot, specHash, writeSpecSnapshot } from "./sessions/spec-snapshots.ts";
import { createWorkflowSurface } from "./sessions/verbs.ts";
import { MANUAL_TRIGGER } from "./spec/schema-triggers.ts";
import { PACKAGE_VERSION } from "./version.ts";
import { createFileOperationTools } from "./workspace/file-operations.ts";
import { assertToolNamesAllowed, collectToolPaths, type ToolPathTable } from "./workspace/host-tools.ts";
import { adjustReadFileDescription } from "./workspace/read-file-description.ts";
import { DEFAULT_SKILL_SOURCES, discoverSkills } from "./workspace/skills.ts";
import { withoutDelete } from "./workspace/without-delete.ts";
import { Workspace } from "./workspace/workspace.ts";
import { createWorkspaceContext, type WorkspaceContext } from "./workspace/workspace-context.ts";

/** Supersteps a turn may take unless its caller says otherwise (spec 03 C-4). */
const RECURSION_LIMIT = 400;
/** The file tools of Deep Agents; its own `delete` and `execute` are never registered. */
const FILE_TOOLS = ["ls", "read_file", "write_file", "edit_file", "glob", "grep"] as const;
/** Hook kinds the runtime runs itself. */
const OWN_HOOK_KINDS = ["script", "rubric"];

/** What every composition shares. */
interface Assembly {
  params: CreateAgentParams;
  context: WorkspaceContext;
  store: Workspace;
  checkpointer: BaseCheckpointSaver;
  /** In use where the host supplied no checkpointer. */
  ownCheckpointer: BackendCheckpointSaver;
  events: EventStream;
  usage: UsageTracker;
  pricing: PricingTable;
  live: LiveSessions;
  fileSystem: AgentMiddleware;
  fileOperations: StructuredToolInterface[];
  /** Shows the model the images it reads, where the host asked for it. */
  images: AgentMiddleware[];
  hostTools: StructuredToolInterface[];
  toolPaths: ToolPathTable;
}

/**
 * Assembles a runnable agent.
 *
 * @throws ReservedToolNameError, ToolPathsError, WorkspaceRootRequiredError, SessionStoreRequiredError,
 * MountCollisionError, AuthoringBackendExposedError, WorkflowLoadError, UnsupportedRuntimeContractError,
 * UnknownTriggerError, InvalidVariableNameError; and an Error naming an `ARCHMAX_*` variable that is needed and
 * missing. Nothing is written and no model is called.
 */
export async function createAgent(params: CreateAgentParams = {}): Promise<Agent> {
  if (params.workspace?.rootDir !== undefined) loadEnvironmentFile(params.workspace.rootDir);
  const hostTools = params.tools ?? [];
  assertToolNamesAllowed(hostTools);
  const images = imageBounds(params.images);
  const context = createWorkspaceContext({
    rootDir: params.workspace?.rootDir,
    backend: params.backend,
    sessionStore: params.workspace?.sessionStore,
    mounts: mountTable(params),
    authoring: params.authoring,
  });
  const usage = createUsageTracker();
  const events = createEventStream({
    onEvent: params.onEvent,
    sessionId: () => context.sessionZone.boundSessionId(),
  });
  const tracked: EventStream = {
    emit(payload, overrides) {
      events.emit(payload, overrides);
      if (payload.type !== "model-usage") return;
      const sessionId = overrides?.sessionId ?? context.sessionZone.boundSessionId();
      usage.handler({
        ...payload,
        level: "info",
        ts: Date.now(),
        seq: 0,
        ...(sessionId === undefined ? {} : { sessionId }),
      });
    },
  };
  const governance = await loadGovernance({ workflow: params.workflow, context, events: tracked });
  const skills = await discoverSkills(context.workspace, params.skills ?? DEFAULT_SKILL_SOURCES);
  for (const problem of skills.problems) tracked.emit({ type: "warning", scope: "skills", message: problem });
  const toolPaths = collectToolPaths(hostTools, params.toolPaths);
  const fileSystem = createFilesystemMiddleware({
    backend: withoutDelete(context.backend),
    tools: [...FILE_TOOLS],
  });
  for (const tool of fileSystem.tools ?? []) {
    if ((tool as { name?: unknown }).name !== "read_file") continue;
    adjustReadFileDescription(tool as StructuredToolInterface, images !== undefined, (message) =>
      tracked.emit({ type: "warning", scope: "read_file", message }),
    );
  }
  const store = new Workspace(context.sessionStore.backend);
  const ownCheckpointer = new BackendCheckpointSaver(store);
  const assembly: Assembly = {
    params,
    context,
    store,
    checkpointer: params.checkpointer ?? ownCheckpointer,
    ownCheckpointer,
    events: tracked,
    usage,
    pricing: readPricing(params.pricing, process.env),
    live: new LiveSessions(),
    fileSystem: fileSystem as unknown as AgentMiddleware,
    fileOperations: createFileOperationTools(context.backend, context.mountPrefixes),
    images: images === undefined ? [] : [imageMiddleware(context.backend, images)],
    hostTools,
    toolPaths,
  };
  if (skills.skills.length > 0) {
    tracked.emit({ type: "skills-loaded", names: skills.skills.map((skill) => skill.slug) });
  }
  return governance === undefined
    ? composePlain(assembly)
    : composeGoverned(assembly, governance(toolPaths, params.essentialTools ?? []), skills);
}

function mountTable(params: CreateAgentParams): CreateAgentParams["mounts"] {
  if (params.mounts !== undefined && params.workspace?.mounts !== undefined) {
    throw new Error("The mount table was given twice, as mounts and as workspace.mounts. Give one of them.");
  }
  return params.mounts ?? params.workspace?.mounts;
}

async function composeGoverned(
  assembly: Assembly,
  governance: Governance,
  skills: Awaited<ReturnType<typeof discoverSkills>>,
): Promise<Agent> {
  const { params, context, store, checkpointer, events, live } = assembly;
  const { machine, workflow, body } = governance;
  const contract = resolveRuntimeContract(machine.spec.runtime);
  assertRuntimeContract(contract);
  const models = createModelSet({
    model: params.model,
    modelFactory: params.modelFactory,
    machine,
    warn: (message) => events.emit({ type: "warning", scope: "model", message }),
  });
  const hookExecutors = params.hookExecutors ?? {};
  for (const kind of OWN_HOOK_KINDS) {
    if (Object.hasOwn(hookExecutors, kind)) {
      throw new Error(
        `A hook executor is registered for "${kind}", which the runtime runs itself. Choose another kind.`,
      );
    }
  }
  const defaultTrigger = params.trigger ?? { id: MANUAL_TRIGGER };
  if (params.trigger !== undefined && machine.startStateFor(params.trigger.id) === undefined) {
    throw new UnknownTriggerError(params.trigger.id, machine.triggerIds);
  }
  const seeds = params.variables ?? {};
  assertSeeds(seeds, "createAgent's variables");

  const hash = specHash(machine.spec);
  const promptCache = resolvePromptCache({
    option: params.promptCache,
    settings: machine.spec.settings?.prompt_cache,
    env: process.env,
  });
  const toolsByName = new Map<string, StructuredToolInterface>();
  const runtime: RuntimeContext = {
    workflow,
    machine,
    specHash: hash,
    saveSpecSnapshot: async () => {
      try {
        await writeSpecSnapshot(store, hash, machine.spec);
      } catch (error) {
        events.emit({
          type: "warning",
          scope: "spec-snapshot",
          message: `The definition ${hash} could not be kept: ${error instanceof Error ? error.message : String(error)}`,
        });
      }
    },
    events,
    models,
    promptCache,
    pricing: assembly.pricing,
    skills: skills.skills,
    skillPrefixes: skills.prefixes,
    mountPrefixes: context.mountPrefixes,
    rules: params.policyRules ?? [],
    hookExecutors,
    defaultTrigger,
    seeds,
    clock: () => new Date(),
    newId: () => crypto.randomUUID(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    child: false,
    live,
    textDeltas: new TextDeltaHandler(events, live, () => context.sessionZone.boundSessionId()),
    toolsByName,
  };

  // Under their own names, so that they stand where Deep Agents would put its own.
  const carried = carriedMiddleware([
    assembly.fileSystem,
    createSummarizationMiddleware({
      backend: withoutDelete(context.backend),
    }) as unknown as AgentMiddleware,
    createPatchToolCallsMiddleware() as unknown as AgentMiddleware,
  ]);
  const own: AgentMiddleware[] = [
    // The same name replaces Deep Agents' own: no state of a governed agent offers `task`.
    createMiddleware({ name: "subAgentMiddleware" }),
    ...carried.middleware,
    todoList(),
    toolsMiddleware("FileOperationsMiddleware", assembly.fileOperations),
    ...workflowMiddleware(runtime, carried),
    toolsMiddleware("HostToolsMiddleware", assembly.hostTools),
  ];
  const middleware = [
    ...own,
    ...(params.middleware ?? []),
    ...assembly.images,
    modelResultMiddleware() as unknown as AgentMiddleware,
  ];
  for (const entry of middleware) {
    for (const tool of entry.tools ?? []) {
      toolsByName.set((tool as StructuredToolInterface).name, tool as StructuredToolInterface);
    }
  }
  const model = models.forState(machine.entryState);
  const layers = await resolveSystemPrompt(context.workspace, {
    systemPrompt: params.systemPrompt,
    workflowPrompt: renderWorkflowPrompt(machine.spec, workflow, body),
    mountPrefixes: context.mountPrefixes,
  });
  const systemPrompt = `${layers}\n\n${TOOL_GUIDANCE}`;
  const deepAgent = createDeepAgent({
    ...passedThrough(params),
    model,
    systemPrompt,
    middleware,
    backend: withoutDelete(context.backend),
    checkpointer,
  } as Parameters<typeof createDeepAgent>[0]);
  installSessionChannels(deepAgent.graph);
  const caching = (state: string) =>
    cacheStrategy(models.forState(state), models.configuredId(state), promptCache);
  const mixed = mixedCacheWarning(
    caching(machine.entryState),
    new Map(machine.states.map((state) => [state, caching(state)])),
  );
  if (mixed !== undefined) events.emit({ type: "warning", scope: "model", message: mixed });
  events.emit({
    type: "prompt-shaping",
    profile: "default",
    cache: caching(machine.entryState),
    withheld: ["task"],
  });

  const parts = sharedParts(assembly, deepAgent.graph as unknown as AgentGraph, {
    subject: { workflow, spec: machine.spec },
    contract,
  });
  const unbound = new ArchmaxAgent({ ...parts, workflow: undefined });
  const surface = createWorkflowSurface({
    workflow,
    machine,
    checkpointer,
    store,
    mountPrefixes: context.mountPrefixes,
    defaultTriggerId: defaultTrigger.id,
    sessionPath: params.sessionPath,
    claims: createSessionClaims(),
    newId: () => crypto.randomUUID(),
    warn: (message) => events.emit({ type: "warning", scope: "session", message }),
    run: (sessionId, input, config) =>
      unbound.invoke(input, {
        ...config,
        configurable: { ...config?.configurable, thread_id: sessionId },
      }),
  });
  return new ArchmaxAgent({ ...parts, workflow: surface });
}

async function composePlain(assembly: Assembly): Promise<Agent> {
  const { params, context, events } = assembly;
  const models = createModelSet({
    model: params.model,
    modelFactory: params.modelFactory,
    warn: (message) => events.emit({ type: "warning", scope: "model", message }),
  });
  const systemPrompt = await resolveSystemPrompt(context.workspace, {
    systemPrompt: params.systemPrompt,
    platformBackendPath: null,
    mountPrefixes: context.mountPrefixes,
  });
  const skills = (params.skills ?? DEFAULT_SKILL_SOURCES).map((source) => `/${source.replace(/^\/+/, "")}`);
  const deepAgent = createDeepAgent({
    ...passedThrough(params),
    model: models.forState(),
    systemPrompt,
    tools: assembly.hostTools,
    skills,
    middleware: [
      assembly.fileSystem,
      toolsMiddleware("FileOperationsMiddleware", assembly.fileOperations),
      ...(params.middleware ?? []),
      ...assembly.images,
    ],
    backend: withoutDelete(context.backend),
    checkpointer: assembly.checkpointer,
  } as Parameters<typeof createDeepAgent>[0]);
  const graph = deepAgent.graph as unknown as AgentGraph;
  const parts = sharedParts(assembly, graph, {
    subject: { graph: () => graph.getGraphAsync() },
    contract: resolveRuntimeContract(undefined),
  });
  return new ArchmaxAgent({ ...parts, workflow: undefined });
}

/** What both compositions hand Deep Agents untouched. */
function passedThrough(params: CreateAgentParams): Record<string, unknown> {
  const { store, interruptOn, name } = params;
  return {
    ...(store === undefined ? {} : { store }),
    ...(interruptOn === undefined ? {} : { interruptOn }),
    ...(name === undefined ? {} : { name }),
  };
}

/**
 * LangChain's todo list: its tool and its channel. The words are the runtime's own; its check
 * after the model, which would cost every call a superstep, is the runtime's own.
 */
function todoList(): AgentMiddleware {
  const { stateSchema, tools } = todoListMiddleware({ toolDescription: WRITE_TODOS_DESCRIPTION });
  return createMiddleware({
    name: "todoListMiddleware",
    stateSchema,
    tools,
  } as never) as unknown as AgentMiddleware;
}

function toolsMiddleware(name: string, tools: StructuredToolInterface[]): AgentMiddleware {
  return createMiddleware({ name, tools: tools as never }) as unknown as AgentMiddleware;
}

function sharedParts(
  assembly: Assembly,
  graph: AgentGraph,
  composed: {
    subject: Parameters<typeof emitRunArtifacts>[0]["subject"];
    contract: ReturnType<typeof resolveRuntimeContract>;
  },
): Omit<AgentParts, "workflow"> {
  const { params, context, store, checkpointer, ownCheckpointer, events, live, usage } = assembly;
  const dispose = (sessionId: string): void => {
    live.dispose(sessionId);
    ownCheckpointer.release(sessionId);
  };
  return {
    graph,
    zone: context.sessionZone,
    workspace: context.backend,
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
