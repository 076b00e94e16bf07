/** What every function needs: who calls, and what is deployed. */
import { randomUUID } from "node:crypto";
import {
  type CatalogPorts,
  createApiKeyAuthenticator,
  createWorkspaceCatalog,
  listedApiKeys,
  systemClock,
} from "@archmax-ai/host";
import {
  createLineLogger,
  developmentApiKey,
  developmentKey,
  readApiKeys,
} from "@archmax-ai/host-local/ports";
import type { Configuration } from "./configuration.ts";

/** Wires the local adapters. Called once, when a function's module is loaded. */
export async function readFrontPorts({ dataDir, workspaceDir }: Configuration): Promise<CatalogPorts> {
  const keys = [developmentApiKey(await developmentKey(dataDir)), ...(await readApiKeys(dataDir))];
  return {
    authenticator: createApiKeyAuthenticator(listedApiKeys(keys)),
    catalog: createWorkspaceCatalog(workspaceDir),
    clock: systemClock,
    logger: createLineLogger((line) => process.stdout.write(line), { clock: systemClock, quiet: false }),
    newId: randomUUID,
  };
}
