import type { MachineSpec, MountPrefixes } from "@archmax-ai/harness/spec";

/** One deployed workflow, as its document says. */
export interface CatalogEntry {
  slug: string;
  spec: MachineSpec;
  /** The mounts its agent is assembled with: their names are no session ids. */
  mountPrefixes: MountPrefixes;
  /** What the host assembles the agent with, where it does: both bear on how a firing is read. */
  defaults?: {
    /** Variables seeded into every session. */
    variables?: Record<string, unknown>;
    /** The session path of a firing that names none. */
    sessionPath?: string;
  };
}

/**
 * What is deployed, read from the documents alone: no agent is built for it.
 */
export interface WorkflowCatalog {
  /** The slugs a tenant may use, sorted. */
  list(tenant: string): Promise<string[]>;
  /** One workflow, or `null` where there is none. Rejects with `WorkflowLoadError` for one that does not load. */
  get(tenant: string, slug: string): Promise<CatalogEntry | null>;
}
