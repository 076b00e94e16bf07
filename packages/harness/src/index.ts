/**
 * `@archmax-ai/harness`: governed agent workflows over LangChain Deep Agents. What is exported here is the public
 * API; everything else is internal and may change without a major version.
 */
export { type Agent, ArchmaxAgent, type IntrospectableStateGraph } from "./agent.ts";
export { BUNDLED_AUTHORING_SKILL_DIR } from "./authoring-skill.ts";
export { createAgent } from "./create-agent.ts";
export type { AgentWorkspaceParams, CreateAgentParams } from "./create-agent-params.ts";
export {
  AuthoringBackendExposedError,
  EmptyMessageError,
  InvalidDecisionTargetError,
  InvalidTurnFileError,
  InvalidVariableNameError,
  MissingDeliveryTriggerError,
  MountCollisionError,
  SessionNotAwaitingInputError,
  SessionNotParkedError,
  SessionNotResumableError,
  SessionStoreCapabilityError,
  SessionStoreRequiredError,
  ToolPathsError,
  UnknownTriggerError,
  UnsupportedRuntimeContractError,
  WorkflowDisabledError,
  WorkflowLoadError,
  WorkspaceRootRequiredError,
} from "./errors.ts";
export type { WorkflowEventHandler, WorkflowLifecycleEvent } from "./events/types.ts";
export { createUsageTracker, formatUsage, type PricingTable, type UsageSummary } from "./events/usage.ts";
export type { GovernanceRule } from "./kernel/governance-rule.ts";
export { WorkflowMachine } from "./machine/workflow-machine.ts";
export {
  contentToString,
  isAiMessage,
  isRuntimeNote,
  lastAgentText,
  type RuntimeNoteKind,
  runtimeNoteKind,
} from "./messages/index.ts";
export { createChatModel } from "./model/chat-model.ts";
export type { ImageReadOptions } from "./runtime/images.ts";
export { resolveSystemPrompt } from "./runtime/prompt/static-prompt.ts";
export type { ResolvedRuntimeContract, RuntimeContract } from "./runtime/runtime-contract.ts";
export { parkedStateOf, pendingParkOf, readParkedSession } from "./sessions/checkpoint-values.ts";
export type {
  DecideOutcome,
  DecisionResolution,
  DelegatedPark,
  DeliverOutcome,
  Outcome,
  PendingDecision,
  PendingInput,
  ReplyOutcome,
  ResolvedSession,
  ResolveSessionInput,
  ResumePayload,
  SendInput,
  SessionExit,
  SessionOperations,
  SessionSummary,
  TriggerDelivery,
  TurnFile,
  TurnInput,
} from "./sessions/shapes.ts";
export type { WorkflowSurface } from "./sessions/verbs.ts";
export {
  classifyWorkspacePath,
  DEFAULT_SUB_WORKFLOW_CONCURRENCY,
  DEFAULT_SUB_WORKFLOW_DEPTH,
  DEFAULT_TRIGGER_ID,
  DEFAULT_WORKFLOW,
  type Diagnostic,
  isChildSessionOf,
  isReservedRootName,
  MANUAL_TRIGGER,
  type MachineSpec,
  type MachineState,
  type MountPrefixes,
  normalizeHooks,
  normalizeSignature,
  type PathAccess,
  PLATFORM_PROMPT_PATH,
  parseCodeDescription,
  ReservedToolNameError,
  type ResolvedTrigger,
  type RubricDeclaration,
  SessionStoreIdError,
  SIGNATURE_TYPES,
  type SignatureEntry,
  type SignatureType,
  type SignatureValueIssue,
  type SpecMetadata,
  sessionIdForTrigger,
  sessionIdRejection,
  signatureForTrigger,
  signatureJsonSchema,
  signatureValueIssues,
  type ToolPaths,
  type TriggerInput,
  type TriggerSignature,
  WORKFLOW_TOOL_PREFIX,
  type WorkspaceZone,
  workflowSlugFromToolName,
  workflowToolName,
} from "./spec/index.ts";
export { type ValidationResult, validateWorkflow } from "./validate/validate-workflow.ts";
export { PACKAGE_VERSION } from "./version.ts";
export { createBackendSessionStore } from "./workspace/backend-session-store.ts";
export { createFilesystemSessionStore } from "./workspace/filesystem-session-store.ts";
export { type AgentToolDescriptor, type ToolContext, toolsFromMap } from "./workspace/host-tools.ts";
export { loadMachineSpec } from "./workspace/load-machine-spec.ts";
export { createMemorySessionStore } from "./workspace/memory-session-store.ts";
export { mountSubtree } from "./workspace/mount-subtree.ts";
export { defaultMounts, type MountSpec } from "./workspace/mounts.ts";
export type { SessionStore } from "./workspace/session-store-types.ts";
export { createWorkspaceContext, type WorkspaceContext } from "./workspace/workspace-context.ts";
