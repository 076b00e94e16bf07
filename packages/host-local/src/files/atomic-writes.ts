import { copyFile } from "node:fs/promises";
import { basename } from "node:path";
import { type BackendProtocolV2, FilesystemBackend } from "deepagents";
import { errorCode, type FileArea, fileIn, placeFile } from "./placed-file.ts";

/** What a staged write reported instead of writing. */
class ReportedError extends Error {}

/**
 * A file system backend whose writes survive a kill -9: each file is there whole, old or new. The checkpoints of
 * a session are such files, and one that was cut short would make the session unreadable.
 *
 * @param backend serves the same folder; every read goes to it
 */
export function withAtomicWrites(backend: BackendProtocolV2, area: FileArea): BackendProtocolV2 {
  return {
    ls: (path) => backend.ls(path),
    read: (path, offset, limit) => backend.read(path, offset, limit),
    readRaw: (path) => backend.readRaw(path),
    grep: (pattern, path, glob, maxCount) => backend.grep(pattern, path, glob, maxCount),
    glob: (pattern, path) => backend.glob(pattern, path),
    ...(backend.downloadFiles !== undefined && { downloadFiles: backend.downloadFiles.bind(backend) }),
    ...(backend.delete !== undefined && { delete: backend.delete.bind(backend) }),

    async write(path, content) {
      const error = await staged(area, path, async (stage, name) => (await stage.write(name, content)).error);
      return error === undefined ? { path, filesUpdate: null } : { error };
    },

    async edit(path, oldText, newText, replaceAll) {
      let occurrences: number | undefined;
      const error = await staged(area, path, async (stage, name, file) => {
        if (!(await copyIfThere(fileIn(area.dir, path), file))) return `Error: File '${path}' not found`;
        const result = await stage.edit(name, oldText, newText, replaceAll);
        occurrences = result.occurrences;
        return result.error;
      });
      if (error !== undefined) return { error };
      return { path, filesUpdate: null, ...(occurrences !== undefined && { occurrences }) };
    },

    async uploadFiles(files) {
      const responses: Awaited<ReturnType<NonNullable<BackendProtocolV2["uploadFiles"]>>> = [];
      for (const [path, content] of files) {
        const error = await staged(area, path, async (stage, name) => {
          const [response] = await stage.uploadFiles([[name, content]]);
          return response?.error ?? undefined;
        });
        responses.push({ path, error: error === undefined ? null : "invalid_path" });
      }
      return responses;
    },
  };
}

async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** Runs one write of Deep Agents' own backend in the incoming folder and moves its result into place. */
async function staged(
  area: FileArea,
  path: string,
  write: (stage: FilesystemBackend, name: string, file: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  try {
    await placeFile(area, path, async (file) => {
      const name = basename(file);
      const stage = new FilesystemBackend({ rootDir: file.slice(0, -name.length), virtualMode: true });
      const error = await write(stage, `/${name}`, file);
      if (error !== undefined) throw new ReportedError(error);
    });
    return undefined;
  } catch (error) {
    return error instanceof ReportedError
      ? error.message
      : `Error writing file '${path}': ${errorCode(error)}`;
  }
}
