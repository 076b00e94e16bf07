import type { StructuredToolInterface } from "@langchain/core/tools";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { createFilesystemMiddleware } from "deepagents";
import type { AgentMiddleware } from "langchain";
import type { CreateAgentParams } from "../create-agent-params.ts";
import { createEventStream, type EventStream } from "../events/stream.ts";
import { createUsageTracker, type PricingTable, readPricing, type UsageTracker } from "../events/usage.ts";
import { type Governance, loadGovernance } from "../governance.ts";
import { BackendCheckpointSaver } from "../runtime/checkpointer.ts";
import { imageBounds, imageMiddleware } from "../runtime/images.ts";
import { LiveSessions } from "../runtime/live-sessions.ts";
import { createFileOperationTools } from "../workspace/file-operations.ts";
import { assertToolNamesAllowed, collectToolPaths } from "../workspace/host-tools.ts";
import { adjustReadFileDescription } from "../workspace/read-file-description.ts";
import { DEFAULT_SKILL_SOURCES, type DiscoveredSkills, discoverSkills } from "../workspace/skills.ts";
import { withoutDelete } from "../workspace/without-delete.ts";
import { Workspace } from "../workspace/workspace.ts";
import { createWorkspaceContext, type WorkspaceContext } from "../workspace/workspace-context.ts";

/** The file tools of Deep Agents; its own `delete` and `execute` are never registered. */
const FILE_TOOLS = ["ls", "read_file", "write_file", "edit_file", "glob", "grep"] as const;

/** Whether a name is that of a file tool of Deep Agents that an agent gets unless its host brings its own. */
export function isFileTool(name: string): boolean {
  return (FILE_TOOLS as readonly string[]).includes(name);
}

/** What every composition shares. */
export interface Assembly {
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
  skills: DiscoveredSkills;
  /** Absent for a plain agent. */
  governance: Governance | undefined;
}

/**
 * Makes what every composition shares, in the order in which parameters are refused (spec 04 §2): the tools' names, the
 * workspace, the workflow, the skills, the tools' paths.
 */
export async function assemble(params: CreateAgentParams): Promise<Assembly> {
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
  // A host may bring a file tool of its own, which takes the place of the built-in of that name.
  const taken = new Set(hostTools.map((tool) => tool.name));
  const builtIn = ((fileSystem.tools ?? []) as StructuredToolInterface[]).filter(
    (tool) => !taken.has(tool.name),
  );
  for (const tool of builtIn) {
    if (tool.name !== "read_file") continue;
    adjustReadFileDescription(tool, images !== undefined, (message) =>
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
    fileSystem: { ...fileSystem, tools: builtIn } as unknown as AgentMiddleware,
    fileOperations: createFileOperationTools(context.backend, context.mountPrefixes),
    images: images === undefined ? [] : [imageMiddleware(context.backend, images)],
    hostTools,
    skills,
    governance: governance?.(toolPaths, params.essentialTools ?? []),
  };
  if (skills.skills.length > 0) {
    tracked.emit({ type: "skills-loaded", names: skills.skills.map((skill) => skill.slug) });
  }
  return assembly;
}

function mountTable(params: CreateAgentParams): CreateAgentParams["mounts"] {
  if (params.mounts !== undefined && params.workspace?.mounts !== undefined) {
    throw new Error("The mount table was given twice, as mounts and as workspace.mounts. Give one of them.");
  }
  return params.mounts ?? params.workspace?.mounts;
}
