import { canonicalizePath } from "../spec/canonical-path.ts";
import { classifyWorkspacePath, type MountPrefixes, mountNameOf, type WorkspaceZone } from "../spec/paths.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { replaceFile } from "./replace-file.ts";

/** A file handed to `sessions.seed` lies where a host may not seed; nothing was written. Told by its name. */
export class SeedPathError extends Error {
  override readonly name = "SeedPathError";
  /** The key as given. */
  readonly key: string;
  /** The zone the key lies in, or `mount` for a path a writable mount serves. */
  readonly zone: WorkspaceZone | "mount";
  constructor(key: string, zone: WorkspaceZone | "mount") {
    super(
      `The file ${JSON.stringify(key)} cannot be seeded: it lies in the zone ${zone}. ` +
        "Seed files of the session itself: at its root, in a folder of its own, or under scratchpad/.",
    );
    this.key = key;
    this.zone = zone;
  }
}

/**
 * Writes input files into a session's folder before its agent starts (spec 04 §13). Keys are paths relative to
 * the session, in any spelling; strings are written as they are, other values as JSON with two-space
 * indentation and a final line break. Existing files are overwritten.
 *
 * @param store the session store's own backend; the session's folder is `<sessionId>/` there.
 * @throws SeedPathError for a key outside the session's own files; one such key and nothing is written.
 * @throws TypeError for a value JSON cannot express; nothing is written.
 */
export async function seedFiles(
  store: Workspace,
  sessionId: string,
  files: Record<string, unknown>,
  mountPrefixes: MountPrefixes,
): Promise<void> {
  const placed = Object.entries(files).map(([key, value]) => ({
    path: `${sessionId}/${seedablePath(key, mountPrefixes)}`,
    text: seedText(key, value),
  }));
  for (const { path, text } of placed) await replaceFile(store, path, text);
}

function seedablePath(key: string, mountPrefixes: MountPrefixes): string {
  const zone = classifyWorkspacePath(key, mountPrefixes);
  if (zone !== "run" && zone !== "run-open") throw new SeedPathError(key, zone);
  const { path } = canonicalizePath(key);
  if (mountNameOf(path, mountPrefixes) !== null) throw new SeedPathError(key, "mount");
  return path;
}

function seedText(key: string, value: unknown): string {
  if (typeof value === "string") return value;
  const json = JSON.stringify(value, null, 2);
  if (json === undefined)
    throw new TypeError(`The file ${JSON.stringify(key)} has no value JSON can express.`);
  return `${json}\n`;
}
