/**
 * Assembles an agent (spec 04 §2): a workflow's governance over Deep Agents, or a plain Deep Agent.
 *
 * Both compositions go through `createDeepAgent`, so that its file tools, its offloading of large results, its
 * summaries and its provider caching are its own and stay its own. A governed agent replaces some of its
 * middleware by name: the sub-agent one by nothing, because no state offers `task`; the file system one by an
 * instance whose tool objects the runtime holds, because it serves them by name; and that one, the summaries and
 * the repair of dangling calls by the same in the cheaper form the runtime carries them in.
 */
import type { Agent } from "./agent.ts";
import { assemble } from "./assembly/assembly.ts";
import { composeGoverned } from "./assembly/compose-governed.ts";
import { composePlain } from "./assembly/compose-plain.ts";
import type { CreateAgentParams } from "./create-agent-params.ts";
import { loadEnvironmentFile } from "./model/environment.ts";

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
  const assembly = await assemble(params);
  const { governance } = assembly;
  return governance === undefined ? composePlain(assembly) : composeGoverned(assembly, governance);
}
