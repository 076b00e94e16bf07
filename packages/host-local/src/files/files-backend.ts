import { lstat, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binaryMimeTypeOf } from "@archmax-ai/harness/spec";
import type { BackendProtocolV2, FileDownloadResponse, FileInfo } from "deepagents";
import { errorCode, type FileArea, fileIn, placeFile } from "./placed-file.ts";

/**
 * Deep Agents' file interface on a folder, without Deep Agents: for the functions that read, seed and delete
 * sessions and must not carry a model runtime. Files are stored as the agent's own backend stores them; searching
 * them is the agent's business and answered with an error.
 */
export function createFilesBackend(area: FileArea): BackendProtocolV2 {
  const notSearchable = { error: "This view of the session files cannot be searched." };
  return {
    async ls(path) {
      const folder = path === "/" || path === "" ? area.dir : fileIn(area.dir, path);
      try {
        const entries = await readdir(folder, { withFileTypes: true });
        const base = path.replace(/\/+$/, "");
        const files = await Promise.all(
          entries
            .filter((entry) => entry.isFile() || entry.isDirectory())
            .map(async (entry): Promise<FileInfo> => {
              const { size, mtime } = await stat(join(folder, entry.name));
              const isFolder = entry.isDirectory();
              return {
                path: `${base.startsWith("/") ? base : `/${base}`}/${entry.name}${isFolder ? "/" : ""}`.replace(
                  /^\/+/,
                  "/",
                ),
                is_dir: isFolder,
                size: isFolder ? 0 : size,
                modified_at: mtime.toISOString(),
              };
            }),
        );
        return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) };
      } catch (error) {
        return isAbsent(error)
          ? { files: [] }
          : { error: `The folder '${path}' could not be listed: ${errorCode(error)}` };
      }
    },

    async read(path) {
      const content = await contentOf(area, path);
      return typeof content === "object" && "error" in content ? content : { content };
    },

    async readRaw(path) {
      const content = await contentOf(area, path);
      if (typeof content === "object" && "error" in content) return content;
      const { birthtime, mtime } = await stat(fileIn(area.dir, path));
      return {
        data: {
          content,
          mimeType: typeof content === "string" ? "text/plain" : "application/octet-stream",
          created_at: birthtime.toISOString(),
          modified_at: mtime.toISOString(),
        },
      };
    },

    async write(path, content) {
      // Deep Agents' convention: what is written as text under a binary name is base64 of the bytes.
      const isBinary = binaryMimeTypeOf(path) !== undefined;
      const error = await tryToPlace(area, path, isBinary ? Buffer.from(content, "base64") : content);
      return error === undefined ? { path, filesUpdate: null } : { error };
    },

    async edit(path, oldText, newText, replaceAll = false) {
      const content = await contentOf(area, path);
      if (typeof content !== "string") return { error: `Error: File '${path}' not found` };
      const occurrences = content.split(oldText).length - 1;
      if (oldText === "" || occurrences === 0) return { error: `Error: String not found in file '${path}'` };
      if (occurrences > 1 && !replaceAll)
        return { error: `Error: String occurs ${occurrences} times in '${path}'` };
      const error = await tryToPlace(
        area,
        path,
        content.replaceAll(oldText, () => newText),
      );
      return error === undefined ? { path, filesUpdate: null, occurrences } : { error };
    },

    grep: () => notSearchable,
    glob: () => notSearchable,

    async delete(path) {
      try {
        const file = fileIn(area.dir, path);
        await lstat(file);
        await rm(file, { recursive: true });
        return { path, filesUpdate: null };
      } catch (error) {
        const reason = isAbsent(error) ? "not found" : errorCode(error);
        return { error: `Error deleting '${path}': ${reason}` };
      }
    },

    async uploadFiles(files) {
      return Promise.all(
        files.map(async ([path, content]) => {
          const error = await tryToPlace(area, path, content);
          return { path, error: error === undefined ? null : ("invalid_path" as const) };
        }),
      );
    },

    async downloadFiles(paths) {
      return Promise.all(
        paths.map(async (path): Promise<FileDownloadResponse> => {
          try {
            return { path, content: await readFile(fileIn(area.dir, path)), error: null };
          } catch (error) {
            const code = errorCode(error);
            if (isAbsent(error)) return { path, content: null, error: "file_not_found" };
            if (code === "EISDIR") return { path, content: null, error: "is_directory" };
            if (code === "EACCES") return { path, content: null, error: "permission_denied" };
            return { path, content: null, error: "invalid_path" };
          }
        }),
      );
    },
  };
}

async function contentOf(area: FileArea, path: string): Promise<string | Uint8Array | { error: string }> {
  try {
    const bytes = await readFile(fileIn(area.dir, path));
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return new Uint8Array(bytes);
    }
  } catch (error) {
    return {
      error: isAbsent(error)
        ? `File '${path}' not found`
        : `File '${path}' could not be read: ${errorCode(error)}`,
    };
  }
}

async function tryToPlace(
  area: FileArea,
  path: string,
  content: string | Uint8Array,
): Promise<string | undefined> {
  try {
    await placeFile(area, path, (file) => writeFile(file, content));
    return undefined;
  } catch (error) {
    return `Error writing file '${path}': ${errorCode(error)}`;
  }
}

function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(errorCode(error));
}
