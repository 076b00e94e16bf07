import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Another local host runs on the same data folder. */
export class DataDirInUseError extends Error {
  override readonly name = "DataDirInUseError";

  constructor(dataDir: string, options: { cause: unknown }) {
    super(
      `Another local host is running on ${dataDir}. Stop it, or give this one a folder of its own (ARCHMAX_DATA_DIR).`,
      options,
    );
  }
}

/** Locks in force. A connection that nothing refers to would be closed with the next garbage collection. */
const held = new Set<DatabaseSync>();

/**
 * Makes this process the one host of a data folder, until it releases the lock or ends, however it ends.
 *
 * The lock is SQLite's on a file of its own, which the operating system drops with the process: a kill -9 leaves
 * no stale lock behind, and no process id has to be guessed about.
 *
 * @returns releases the lock
 * @throws DataDirInUseError where another process holds it
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const connection = new DatabaseSync(join(dataDir, "host.lock"));
  try {
    connection.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;");
  } catch (cause) {
    connection.close();
    throw new DataDirInUseError(dataDir, { cause });
  }
  held.add(connection);
  return () => {
    if (held.delete(connection)) connection.close();
  };
}
