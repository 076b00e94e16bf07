import { type CreateAgentParams, createAgent } from "@archmax-ai/harness";
import { rootSessionIdOf } from "@archmax-ai/harness/spec";
import { type AgentProvider, type AgentRequest, fenceCheckpointer } from "@archmax-ai/host";
import {
  type SessionStorageOptions,
  tenantCheckpointer,
  tenantSessionStore,
} from "../session-data/tenant-storage.ts";

/** What a host may say about its agents beside where they live. */
export type AgentOptions = Omit<
  CreateAgentParams,
  "workflow" | "workspace" | "backend" | "authoring" | "mounts" | "checkpointer" | "onEvent"
>;

/** Where the agents' documents and sessions are. */
export interface AwsAgentProviderOptions extends SessionStorageOptions {
  /** The workspace in the function's package: the folder that holds `workflows/`, `skills/` and `AGENTS.md`. */
  readonly workspaceDir: string;
}

/**
 * Agents on AWS: the documents in the function's package, session folders on S3, checkpoints in DynamoDB fenced by
 * the turn's lease (spec 07 §3, 08 A4). Each turn gets an agent of its own, as its checkpointer is the turn's.
 */
export function createAwsAgentProvider(
  options: AwsAgentProviderOptions,
  agentOptions: AgentOptions = {},
): AgentProvider {
  return {
    async agentFor(request) {
      const saver = tenantCheckpointer(options, request.tenant, fenceOf(request));
      const agent = await createAgent({
        ...agentOptions,
        workflow: request.workflow,
        workspace: {
          rootDir: options.workspaceDir,
          sessionStore: tenantSessionStore(options, request.tenant),
        },
        checkpointer: fenceCheckpointer(saver, request),
        onEvent: (event) => request.onEvent(event),
      });
      const { workflow } = agent;
      if (workflow === undefined) {
        throw new TypeError(
          `The workflow ${JSON.stringify(request.workflow)} gave an agent without governance.`,
        );
      }
      return {
        workflow,
        invoke: (input, config) => agent.invoke(input, config),
        getState: (config) => agent.getState(config),
        dispose: (sessionId) => agent.dispose(sessionId),
      };
    },
  };
}

/** The turn's token, for its session and its children alike: a turn that lost its lease writes to none of them. */
function fenceOf({ sessionId, fence }: AgentRequest): (threadId: string) => number | undefined {
  return (threadId) => (rootSessionIdOf(threadId) === sessionId ? fence.token : undefined);
}
