import { lstat, readdir, realpath, rm } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { FilesystemBackend, type LsResult } from "deepagents";
import { SessionStoreIdError } from "../spec/errors.ts";
import { sessionFolder } from "./session-store-id.ts";
import type { SessionStore } from "./session-store-types.ts";

/** What {@link createFilesystemSessionStore} takes. */
export interface FilesystemSessionStoreOptions {
  /** The directory that holds the session folders; made on first write. */
  dir: string;
}

/** A session store in a local directory: `<dir>/<sessionId>/…`. */
export function createFilesystemSessionStore(options: FilesystemSessionStoreOptions): SessionStore {
  const dir = resolve(options.dir);
  return {
    kind: "filesystem",
    backend: new ListingFilesystemBackend(dir),
    capabilities: { list: true, delete: true },
    deleteSession: (sessionId) => removeFolder(dir, sessionId),
  };
}

/**
 * Deep Agents' filesystem backend, with a listing that tells an empty folder from one that could not be read.
 * A checkpointer that mistook the second for the first would start a session over.
 */
class ListingFilesystemBackend extends FilesystemBackend {
  constructor(rootDir: string) {
    super({ rootDir, virtualMode: true });
  }

  override async ls(path: string): Promise<LsResult> {
    const listed = await super.ls(path);
    if (listed.files === undefined || listed.files.length > 0) return listed;
    try {
      await readdir(join(this.cwd, path));
      return listed;
    } catch (error) {
      const code = errorCode(error);
      const absent = code === "ENOENT" || code === "ENOTDIR";
      return absent ? listed : { error: `The folder '${path}' could not be listed (${code})` };
    }
  }
}

async function removeFolder(dir: string, sessionId: string): Promise<boolean> {
  const target = join(dir, sessionFolder(sessionId));
  if (!isBelow(dir, target)) throw new SessionStoreIdError(sessionId, "its folder is not below the store");
  try {
    await lstat(target);
    const [root, parent] = await Promise.all([realpath(dir), realpath(dirname(target))]);
    if (parent !== root && !isBelow(root, parent)) {
      throw new SessionStoreIdError(sessionId, "its folder leads out of the store");
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw error;
  }
  await rm(target, { recursive: true, force: true });
  return true;
}

function isBelow(dir: string, target: string): boolean {
  return target.startsWith(dir.endsWith(sep) ? dir : `${dir}${sep}`) && target !== dir;
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
