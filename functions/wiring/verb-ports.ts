/** The ports of a function that runs turns. */
import { createTurnRunner, type VerbPorts } from "@archmax-ai/host";
import { createLocalAgentProvider } from "@archmax-ai/host-local/agents";
import { openLocalStorage } from "@archmax-ai/host-local/ports";
import type { Configuration } from "./configuration.ts";
import { readFrontPorts } from "./front-ports.ts";
import { remainingTimeOf } from "./remaining-time.ts";

/** Wires the local adapters, storage and agents among them. */
export async function readVerbPorts(configuration: Configuration): Promise<VerbPorts> {
  const { dataDir, workspaceDir } = configuration;
  const ports = { ...(await readFrontPorts(configuration)), ...openLocalStorage(dataDir) };
  const agents = createLocalAgentProvider({ rootDir: workspaceDir, dataDir });
  return {
    ...ports,
    runner: createTurnRunner({ ...ports, agents }),
    deadlineOf: (c) => {
      const remaining = remainingTimeOf(c.env);
      return remaining === undefined ? undefined : ports.clock.now() + remaining;
    },
  };
}
