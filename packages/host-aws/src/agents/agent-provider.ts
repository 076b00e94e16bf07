import { type CreateAgentParams, createAgent, SessionStoreIdError } from "@archmax-ai/harness";
import { rootSessionIdOf } from "@archmax-ai/harness/spec";
import { type AgentProvider, type AgentRequest, fenceCheckpointer } from "@archmax-ai/host";
import { createAwsSessionData } from "../session-data/session-data.ts";
import {
  type SessionStorageOptions,
  tenantCheckpointer,
  tenantSessionStore,
} from "../session-data/tenant-storage.ts";
import { unstorableReason } from "./storable-ids.ts";

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
 *
 * Beside the harness's assembly errors, `agentFor` rejects with `SessionStoreIdError` for an id that DynamoDB or S3
 * can hold no key for.
 */
export function createAwsAgentProvider(
  options: AwsAgentProviderOptions,
  agentOptions: AgentOptions = {},
): AgentProvider {
  return {
    async agentFor(request) {
      const { tenant, sessionId } = request;
      const reason = unstorableReason(sessionId);
      if (reason !== undefined) throw new SessionStoreIdError(sessionId, reason);
      if (request.fence.token === 1) await forget(options, request);
      const saver = tenantCheckpointer(options, tenant, fenceOf(request));
      const agent = await createAgent({
        ...agentOptions,
        workflow: request.workflow,
        workspace: { rootDir: options.workspaceDir, sessionStore: tenantSessionStore(options, tenant) },
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
        dispose: (id) => agent.dispose(id),
      };
    },
  };
}

/** The turn's token, for its session and its children alike: a turn that lost its lease writes to none of them. */
function fenceOf({ sessionId, fence }: AgentRequest): (threadId: string) => number | undefined {
  return (threadId) => (rootSessionIdOf(threadId) === sessionId ? fence.token : undefined);
}

/**
 * Removes the checkpoints of an earlier session of this id. Its record expired, or there would be no first token, but
 * they need not have, and a new session is to take over neither a conversation nor a fence.
 */
async function forget(
  options: SessionStorageOptions,
  { tenant, sessionId }: Pick<AgentRequest, "tenant" | "sessionId">,
): Promise<void> {
  const { checkpointer, childrenOf } = createAwsSessionData(options).forTenant(tenant);
  const latest = await checkpointer.getTuple({ configurable: { thread_id: sessionId, checkpoint_ns: "" } });
  // Where checkpoints expire, DynamoDB removes each item in its own time: a fence may be there without them.
  if (latest === undefined && options.ttlSeconds === undefined) return;
  for (const child of await childrenOf(sessionId)) await checkpointer.deleteThread(child);
  await checkpointer.deleteThread(sessionId);
}
