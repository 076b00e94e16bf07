/**
 * What a function needs of sessions when it runs no turn: listing, reading, seeding and deleting them, and
 * telling how a firing meets one. An internal subpath, `@archmax-ai/harness/internal/sessions`: no public API.
 *
 * Nothing here may load the engine (LangGraph, LangChain's agents, Deep Agents, QuickJS), so that such a function
 * stays small and starts fast. A test bundles this file and checks it.
 */
export { WorkflowLoadError } from "../errors.ts";
export { BackendCheckpointSaver } from "../runtime/checkpointer.ts";
export {
  type BackendSessionStoreOptions,
  createBackendSessionStore,
} from "../workspace/backend-session-store.ts";
export {
  type LoadedMachineSpec,
  type LoadIssue,
  loadMachineSpec,
  loadProblem,
} from "../workspace/load-machine-spec.ts";
export { sessionFolder } from "../workspace/session-store-id.ts";
export type { SessionStore, SessionStoreCapabilities } from "../workspace/session-store-types.ts";
export { Workspace } from "../workspace/workspace.ts";
export {
  auditTrailOf,
  type ChannelValues,
  classificationOf,
  exitOf,
  isSuspended,
  messageCountOf,
  type ParkedSession,
  parkedStateOf,
  pendingParkOf,
  positionOf,
  readParkedCheckpoint,
  readParkedSession,
  recordedParkOf,
  type SessionSnapshot,
  specHashOf,
  statusOf,
  usageOf,
  variablesOf,
} from "./checkpoint-values.ts";
export {
  classifyFiring,
  type FiringContext,
  readSession,
  resolveSessionFiring,
  type SessionReading,
} from "./firing.ts";
export { createSessionOperations, type SessionOperationsOptions } from "./handles.ts";
export { type GraphResult, outcomeOf } from "./outcome.ts";
export { SeedPathError } from "./seed.ts";
export { type FiringAddress, type SessionIdContext, sessionIdOfFiring } from "./session-id.ts";
export type * from "./shapes.ts";
export { readSpecSnapshot, specHash, specSnapshotPath } from "./spec-snapshots.ts";
export { summarize } from "./summary.ts";
export { drawnTopology, type Topology, type TopologyEdge, workflowTopology } from "./topology.ts";
