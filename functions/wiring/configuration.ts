/** Where the functions find things while they run on the local adapters. */
export interface Configuration {
  /** Sessions, records and keys. */
  dataDir: string;
  /** The workspace: `workflows/`, `skills/` and `AGENTS.md`. */
  workspaceDir: string;
}

/**
 * Reads the configuration.
 *
 * @throws Error naming a variable that is missing or blank
 */
export function readConfiguration(env: Readonly<Record<string, string | undefined>>): Configuration {
  const required = (name: string): string => {
    const value = env[name]?.trim();
    if (!value) throw new Error(`The environment variable ${name} is not set. Give it the path of a folder.`);
    return value;
  };
  return { dataDir: required("ARCHMAX_DATA_DIR"), workspaceDir: required("ARCHMAX_WORKSPACE_DIR") };
}
