/**
 * `@archmax-ai/host-local`: the host's verbs on one machine, with embedded storage and a clock in the process.
 */
export {
  type AgentOptions,
  createLocalAgentProvider,
  type LocalAgentLocations,
} from "./agents/agent-provider.ts";
export { createLocalHost, type LocalHost, type LocalHostOptions } from "./local-host.ts";
export { DataDirInUseError } from "./storage/data-dir-lock.ts";
