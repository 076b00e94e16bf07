/** What `createAgent` takes (spec 04 §2). */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { StructuredToolInterface } from "@langchain/core/tools";
import type { BaseCheckpointSaver, BaseStore } from "@langchain/langgraph-checkpoint";
import type { BackendProtocolV2, CreateDeepAgentParams } from "deepagents";
import type { AgentMiddleware } from "langchain";
import type { WorkflowEventHandler } from "./events/types.ts";
import type { PricingTable } from "./events/usage.ts";
import type { GovernanceRule } from "./kernel/governance-rule.ts";
import type { ModelFactory } from "./model/model-set.ts";
import type { PromptCacheOptions } from "./model/prompt-cache.ts";
import type { HookExecutor } from "./runtime/hook-types.ts";
import type { ImageReadOptions } from "./runtime/images.ts";
import type { ToolPaths } from "./spec/tool-paths.ts";
import type { TriggerInput } from "./spec/triggers.ts";
import type { MountSpec } from "./workspace/mounts.ts";
import type { SessionStore } from "./workspace/session-store-types.ts";

/** Where the agent's files come from and go to. */
export interface AgentWorkspaceParams {
  /** Where the filesystem defaults are built: conventional mounts, `sessions/`, the authoring backend. */
  rootDir?: string;
  mounts?: Record<string, MountSpec>;
  sessionStore?: SessionStore;
}

/** Every option is additive: leave all out and a directory's conventions apply. */
export interface CreateAgentParams {
  /** Wins for the agent role over `modelFactory` and every id the document declares. */
  model?: BaseChatModel;
  /** Host tools, bound after the runtime's own. */
  tools?: StructuredToolInterface[];
  /** A layer of the system prompt, after `AGENTS.md`. */
  systemPrompt?: string;
  /** Appended after the runtime's own middleware. */
  middleware?: AgentMiddleware[];
  /** A custom file backend: withdraws every filesystem default and makes `workspace.sessionStore` mandatory. */
  backend?: BackendProtocolV2;
  /** Sources of skill bundles; `["skills/"]` when left out. */
  skills?: string[];
  /** Used as it is; the session store is then not consulted for checkpoints. */
  checkpointer?: BaseCheckpointSaver;
  store?: BaseStore;
  interruptOn?: NonNullable<CreateDeepAgentParams["interruptOn"]>;
  name?: string;
  description?: string;
  /** A slug must load. Left out: the default workflow if its file exists. `false`: ungoverned on purpose. */
  workflow?: string | false;
  workspace?: AgentWorkspaceParams;
  /** Serves `workflows/<slug>/` to the runtime alone; `backend`, else the root, when left out. */
  authoring?: BackendProtocolV2;
  /** Second spelling of `workspace.mounts`; giving both is an error. */
  mounts?: Record<string, MountSpec>;
  /** The trigger of a turn that names none. */
  trigger?: TriggerInput;
  /** Seeds of every session, locked; `title` excepted. */
  variables?: Record<string, unknown>;
  /** Default dotted path a session's id is read from. */
  sessionPath?: string;
  modelFactory?: ModelFactory;
  /** Host tools that are on in every state. */
  essentialTools?: string[];
  /** Path declarations by tool name; they replace a descriptor's own. */
  toolPaths?: Record<string, ToolPaths>;
  /** Shows the model the PNG, JPEG, GIF and WebP images it reads. Off: its model may have no vision. */
  images?: boolean | ImageReadOptions;
  policyRules?: GovernanceRule[];
  /** Executors of custom hook kinds; `script` and `rubric` are the runtime's. */
  hookExecutors?: Record<string, HookExecutor>;
  /** Receives every lifecycle event; nothing reaches the console then. */
  onEvent?: WorkflowEventHandler;
  promptCache?: PromptCacheOptions;
  pricing?: PricingTable;
}
