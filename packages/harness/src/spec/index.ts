/**
 * The workflow language: the `workflow.yaml` schema, a pure validator, and the grammars of slugs, variables,
 * session ids, paths and tool names. Nothing here touches a disk, a network or Node, so a browser can bundle it.
 */
export { BINARY_MIME_TYPES, binaryMimeTypeOf } from "./binary-types.ts";
export { type CodeDescription, parseCodeDescription } from "./code-description.ts";
export {
  type Diagnostic,
  type DiagnosticSeverity,
  type SpecSchemaIssue,
  schemaIssueDiagnostic,
} from "./diagnostics.ts";
export { ReservedToolNameError, SessionStoreIdError } from "./errors.ts";
export { hookKind, hookValue, normalizeHooks } from "./hooks.ts";
export { lintSpec } from "./lint.ts";
export { type NormalizedMountGrant, normalizeMountGrants } from "./mount-grants.ts";
export {
  AUTHORING_PREFIXES,
  type AuthoringPrefix,
  authoringPlanePrefix,
  classifyWorkspacePath,
  DEFAULT_SESSIONS_DIR,
  describeAuthoringPrefix,
  isAuthoringPrefix,
  isReservedRootName,
  isSessionAgnosticPath,
  type MountPrefixes,
  mountNameOf,
  mountNameOfPattern,
  NO_MOUNTS,
  SESSION_AGNOSTIC_PREFIX,
  SESSION_AGNOSTIC_PREFIXES,
  SESSION_INTERNAL_DIRS,
  SESSION_OFFLOAD_DIRS,
  SESSION_OPEN_DIR,
  sessionAreaNames,
  type WorkspaceZone,
} from "./paths.ts";
export {
  hasVariableReference,
  parseReferences,
  referenceError,
  resolvePath,
  resolveText,
  type VariableReference,
} from "./references.ts";
export { refineSpec } from "./refine.ts";
export {
  type MachinePromptCacheSettings,
  type MachineSettings,
  type MachineSpec,
  machinePromptCacheSettingsSchema,
  machineSettingsSchema,
  machineSpecSchema,
  type RuntimeMetadata,
  runtimeMetadataSchema,
  type SpecExtensions,
  specExtensionsSchema,
  type WorkflowTestsConfig,
  workflowTestsConfigSchema,
} from "./schema.ts";
export {
  type AllowEntry,
  allowEntrySchema,
  FORBID_ANY_TOOL,
  type ForbidEntry,
  forbidEntrySchema,
  type MountAccess,
  type MountGrantEntry,
  type MountsBlock,
  mountAccessSchema,
  mountGrantEntrySchema,
  mountsBlockSchema,
  type SkillsBlock,
  skillsBlockSchema,
  type ToolsBlock,
  toolsBlockSchema,
  type WorkflowMountsConfig,
  type WorkflowSkillsConfig,
  type WorkflowToolsConfig,
  workflowMountsConfigSchema,
  workflowSkillsConfigSchema,
  workflowToolsConfigSchema,
} from "./schema-grants.ts";
export {
  HOOK_SIDECAR_KEYS,
  type Hook,
  type HookSpec,
  hookSchema,
  hookSpecSchema,
  type RubricDeclaration,
  rubricDeclarationSchema,
} from "./schema-hooks.ts";
export { type SpecMetadata, specMetadataSchema } from "./schema-parts.ts";
export {
  SIGNATURE_TYPES,
  type SignatureEntryDeclaration,
  type SignatureType,
  signatureEntrySchema,
} from "./schema-signatures.ts";
export {
  type MachineState,
  type MachineTransition,
  machineStateSchema,
  machineTransitionSchema,
  type StateBudget,
  type StateType,
  stateBudgetSchema,
  stateTypeSchema,
  type TransitionType,
  transitionTypeSchema,
} from "./schema-states.ts";
export {
  DEFAULT_TRIGGER_ID,
  MANUAL_TRIGGER,
  stateTriggersSchema,
  type TriggerDeclaration,
  triggerDeclarationSchema,
} from "./schema-triggers.ts";
export {
  childSessionId,
  dispatchIdOf,
  isChildSessionOf,
  parentSessionIdOf,
  rootSessionIdOf,
  sessionIdRejection,
} from "./session-ids.ts";
export {
  parseSessionPath,
  resolveSessionId,
  type SessionPath,
  type SessionPathParse,
} from "./session-paths.ts";
export {
  normalizeSignature,
  type SignatureEntry,
  type SignatureValueIssue,
  signatureForTrigger,
  signatureJsonSchema,
  signatureValueIssues,
  type TriggerSignature,
} from "./signatures.ts";
export { isSlug, SLUG_PATTERN } from "./slugs.ts";
export {
  ADVANCE_TOOL,
  ALWAYS_ALLOWED_TOOLS,
  ARCHMAX_TOOL_PREFIX,
  COPY_FILE_TOOL,
  DEFAULT_SUB_WORKFLOW_CONCURRENCY,
  DEFAULT_SUB_WORKFLOW_DEPTH,
  ESSENTIAL_TOOLS,
  EVAL_TOOL,
  GET_VARIABLES_TOOL,
  HARNESS_CONTROL_TOOLS,
  isReservedToolName,
  isWorkflowToolName,
  MOVE_FILE_TOOL,
  NOTE_TOOL,
  RAISE_TOOL,
  REMOVE_FILE_TOOL,
  RESET_TOOL,
  RUN_TOOL,
  RUNTIME_FILE_TOOLS,
  SET_VARIABLES_TOOL,
  UNGRANTABLE_TOOLS,
  WAIT_TOOL,
  WORKFLOW_TOOL_PREFIX,
  workflowSlugFromToolName,
  workflowToolName,
} from "./tool-names.ts";
export { BUILT_IN_TOOL_PATHS, PATH_ACCESSES, type PathAccess, type ToolPaths } from "./tool-paths.ts";
export {
  declaredVariableNames,
  type ResolvedTrigger,
  sessionIdForTrigger,
  stateTriggerIds,
  type TriggerBinding,
  type TriggerInput,
  triggerBindings,
} from "./triggers.ts";
export { parseMachineSpec, type SpecValidation, specDisabled, validateSpec } from "./validate.ts";
export {
  TITLE_MAX_LENGTH,
  TITLE_VARIABLE,
  TRIGGER_VARIABLE,
  VARIABLE_NAME_PATTERN,
  type VariableEntry,
  type VariableStore,
} from "./variables.ts";
export {
  DEFAULT_WORKFLOW,
  HOOKS_DIR,
  PLATFORM_PROMPT_PATH,
  resolveHookScript,
  sessionPaths,
  workflowPaths,
} from "./workflow-files.ts";
