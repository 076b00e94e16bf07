import { randomUUID } from "node:crypto";
import { mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";

/** A folder of stored files, and the folder beside it where new ones are written first. */
export interface FileArea {
  /** Absolute; holds the files. */
  readonly dir: string;
  /** Absolute, on the same file system; holds nothing of worth after a restart. Absent: nothing is written. */
  readonly incoming?: string;
}

/** A file was to be stored in an area that is only read. */
export class ReadOnlyAreaError extends Error {
  override readonly name = "ReadOnlyAreaError";

  constructor(path: string) {
    super(`The path ${JSON.stringify(path)} is in a folder that is only read.`);
  }
}

/** A path leads out of its folder. */
export class PathOutsideError extends Error {
  override readonly name = "PathOutsideError";

  constructor(path: string) {
    super(`The path ${JSON.stringify(path)} leads out of its folder.`);
  }
}

/** What went wrong, without the absolute path that Node's own message names: agents and clients read it. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.message : String(error);
}

/**
 * The file behind a path in `dir`, which may start with a slash.
 *
 * @throws PathOutsideError for a path that climbs out, or that is the folder itself
 */
export function fileIn(dir: string, path: string): string {
  const target = resolve(dir, `.${sep}${path}`);
  if (path.includes("\0") || !target.startsWith(dir + sep)) throw new PathOutsideError(path);
  return target;
}

/**
 * Stores a file whole or not at all: `write` makes it in the incoming folder, under its own name, and it is
 * moved to its place once its bytes are on the disk. A kill at any moment leaves the old file or the new one.
 *
 * @param path within the area, in any spelling
 * @param write makes the file at the given absolute path; what it throws is thrown on
 * @throws PathOutsideError where the path, or a link on its way, leads out of the area; ReadOnlyAreaError
 */
export async function placeFile(
  area: FileArea,
  path: string,
  write: (stagedFile: string) => Promise<void>,
): Promise<void> {
  if (area.incoming === undefined) throw new ReadOnlyAreaError(path);
  const target = fileIn(area.dir, path);
  const stage = join(area.incoming, randomUUID());
  await mkdir(stage, { recursive: true });
  try {
    const staged = join(stage, basename(target));
    await write(staged);
    await syncToDisk(staged);
    const parent = dirname(target);
    await mkdir(parent, { recursive: true });
    const [root, realParent] = await Promise.all([realpath(area.dir), realpath(parent)]);
    if (realParent !== root && !realParent.startsWith(root + sep)) throw new PathOutsideError(path);
    await rename(staged, target);
    await syncToDisk(parent);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** Windows cannot open a folder to synchronise it, and keeps renames by itself. */
const CANNOT_SYNC_FOLDERS = process.platform === "win32" ? new Set(["EPERM", "EISDIR", "EACCES"]) : new Set();

async function syncToDisk(path: string): Promise<void> {
  try {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (CANNOT_SYNC_FOLDERS.has(errorCode(error))) return;
    throw error;
  }
}
