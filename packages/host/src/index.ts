export * from "./auth/api-keys.ts";
export * from "./errors.ts";
export { type BusEvent, busEventSchema } from "./events-in/bus-event.ts";
export {
  createIngest,
  type FiringReport,
  type Ingest,
  type IngestOptions,
  type IngestPorts,
} from "./events-in/ingest.ts";
export type { CommandPorts } from "./http/answer-command.ts";
export { type CatalogPorts, createCatalogApp } from "./http/catalog.ts";
export { createDecideApp } from "./http/decide.ts";
export { createDeliverApp } from "./http/deliver.ts";
export { createEventsApp, type EventsPorts } from "./http/events.ts";
export { createHostApp, type HostPorts } from "./http/host-app.ts";
export type { AppPorts, HostApp, HostEnv } from "./http/host-app-base.ts";
export type { SessionsPorts } from "./http/known-session.ts";
export { createReplyApp } from "./http/reply.ts";
export { createResolveApp, type ResolvePorts } from "./http/resolve.ts";
export { createSendApp, type VerbPorts } from "./http/send.ts";
export { finishDeletion } from "./http/session-deletion.ts";
export { createSessionsApp } from "./http/sessions.ts";
export * from "./ports/index.ts";
export { fenceCheckpointer } from "./turns/fenced-checkpointer.ts";
export { resumeCommandId, resumeMessage } from "./turns/resume-message.ts";
export type { TurnOptions, TurnResult, TurnRunnerPorts } from "./turns/turn-options.ts";
export { createTurnRunner, type TurnRunner } from "./turns/turn-runner.ts";
export { SHORT_WAIT_MS } from "./turns/turn-settlement.ts";
export { type CommandWorker, createCommandWorker } from "./worker/command-worker.ts";
export { type SweepPorts, type SweepReport, sweep } from "./worker/sweep.ts";
export { createWorkspaceCatalog, WORKSPACE_MOUNTS } from "./workspace/workspace-catalog.ts";
