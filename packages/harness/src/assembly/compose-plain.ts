import { createDeepAgent } from "deepagents";
import { type Agent, type AgentGraph, ArchmaxAgent } from "../agent.ts";
import { createModelSet } from "../model/model-set.ts";
import { plainMiddleware } from "../runtime/plain-middleware.ts";
import { resolveSystemPrompt } from "../runtime/prompt/static-prompt.ts";
import { resolveRuntimeContract } from "../runtime/runtime-contract.ts";
import { TextDeltaHandler } from "../runtime/text-deltas.ts";
import { DEFAULT_SKILL_SOURCES } from "../workspace/skills.ts";
import { withoutDelete } from "../workspace/without-delete.ts";
import { type Assembly, isFileTool } from "./assembly.ts";
import { passedThrough, sharedParts, toolsMiddleware } from "./parts.ts";

/** Composes an agent that no workflow governs. */
export async function composePlain(assembly: Assembly): Promise<Agent> {
  const { params, context, events, live } = assembly;
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
  // Deep Agents refuses a parameter named like one of its file tools; among the middleware it takes that one's place.
  const replacing = assembly.hostTools.filter((tool) => isFileTool(tool.name));
  const deepAgent = createDeepAgent({
    ...passedThrough(params),
    model: models.forState(),
    systemPrompt,
    tools: assembly.hostTools.filter((tool) => !replacing.includes(tool)),
    skills,
    middleware: [
      assembly.fileSystem,
      toolsMiddleware("FileOperationsMiddleware", assembly.fileOperations),
      toolsMiddleware("HostToolsMiddleware", replacing),
      plainMiddleware({
        events,
        live,
        textDeltas: new TextDeltaHandler(events, live, () => context.sessionZone.boundSessionId()),
        pricing: assembly.pricing,
        clock: () => new Date(),
        newId: () => crypto.randomUUID(),
      }),
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
