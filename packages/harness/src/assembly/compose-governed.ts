import type { StructuredToolInterface } from "@langchain/core/tools";
import { createDeepAgent, createPatchToolCallsMiddleware, createSummarizationMiddleware } from "deepagents";
import { type AgentMiddleware, createMiddleware, todoListMiddleware } from "langchain";
import { type Agent, type AgentGraph, ArchmaxAgent } from "../agent.ts";
import type { Governance } from "../governance.ts";
import { createModelSet } from "../model/model-set.ts";
import { cacheStrategy, mixedCacheWarning } from "../model/prompt-cache.ts";
import { carriedMiddleware } from "../runtime/deep-agents-middleware.ts";
import { disclosedTools } from "../runtime/model-call.ts";
import { modelResultMiddleware } from "../runtime/model-result.ts";
import { renderWorkflowPrompt, resolveSystemPrompt } from "../runtime/prompt/static-prompt.ts";
import { TOOL_GUIDANCE, WRITE_TODOS_DESCRIPTION } from "../runtime/prompt/tool-guidance.ts";
import { assertRuntimeContract, resolveRuntimeContract } from "../runtime/runtime-contract.ts";
import { installSessionChannels } from "../runtime/session-channel.ts";
import { workflowMiddleware } from "../runtime/workflow-middleware.ts";
import { createSessionClaims } from "../sessions/claims.ts";
import { createWorkflowSurface } from "../sessions/verbs.ts";
import { withoutDelete } from "../workspace/without-delete.ts";
import type { Assembly } from "./assembly.ts";
import { describeWorkflow } from "./describe-workflow.ts";
import { passedThrough, sharedParts, toolsMiddleware } from "./parts.ts";
import { runtimeContext } from "./runtime-context.ts";

/** Composes the agent of a workflow. */
export async function composeGoverned(assembly: Assembly, governance: Governance): Promise<Agent> {
  const { params, context, store, checkpointer, events } = assembly;
  const { machine, workflow, body } = governance;
  const contract = resolveRuntimeContract(machine.spec.runtime);
  assertRuntimeContract(contract);
  const models = createModelSet({
    model: params.model,
    modelFactory: params.modelFactory,
    machine,
    warn: (message) => events.emit({ type: "warning", scope: "model", message }),
  });
  const toolsByName = new Map<string, StructuredToolInterface>();
  const runtime = runtimeContext(assembly, governance, { models, toolsByName });
  const { promptCache, defaultTrigger } = runtime;

  // Under their own names, so that they stand where Deep Agents would put its own.
  const carried = carriedMiddleware(
    [
      assembly.fileSystem,
      createSummarizationMiddleware({
        backend: withoutDelete(context.backend),
      }) as unknown as AgentMiddleware,
      createPatchToolCallsMiddleware() as unknown as AgentMiddleware,
    ],
    (state, tools) => disclosedTools(runtime, state, tools),
  );
  const own: AgentMiddleware[] = [
    // The same name replaces Deep Agents' own: no state of a governed agent offers `task`.
    createMiddleware({ name: "subAgentMiddleware" }),
    ...carried.middleware,
    ...(assembly.hostTools.some((tool) => tool.name === "write_todos") ? [] : [todoList()]),
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
  for (const described of describeWorkflow(machine)) events.emit(described);
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
