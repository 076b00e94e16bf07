import type {
  BackendProtocolV2,
  FileDownloadResponse,
  FileOperationError,
  FileUploadResponse,
} from "deepagents";
import { exactBytes, isAbsence, messageOf } from "./file-content.ts";

/** A backend with each optional method answered for (spec 04 §7). */
export type CompleteBackend = BackendProtocolV2 &
  Required<Pick<BackendProtocolV2, "downloadFiles" | "uploadFiles" | "delete">>;

/**
 * Downloads through a backend that may have no `downloadFiles`: then each file comes through `readRaw`, bytes
 * as they are, text encoded to UTF-8. Text that lost bytes in the store's decoding is `permission_denied`:
 * altered bytes are never an answer.
 */
export async function downloadOrRead(
  backend: BackendProtocolV2,
  paths: string[],
): Promise<FileDownloadResponse[]> {
  if (backend.downloadFiles) return backend.downloadFiles(paths);
  return Promise.all(paths.map((path) => readBytes(backend, path)));
}

/** Uploads, or `permission_denied` per file where the backend takes no bytes. */
export async function uploadOrRefuse(
  backend: BackendProtocolV2,
  files: [string, Uint8Array][],
): Promise<FileUploadResponse[]> {
  return backend.uploadFiles ? backend.uploadFiles(files) : refuseUploads(files);
}

/** One `permission_denied` per file. */
export function refuseUploads(files: readonly [string, Uint8Array][]): FileUploadResponse[] {
  return files.map(([path]) => ({ path, error: "permission_denied" }));
}

/** The error with which a store without deletion answers; `path` as the agent writes it. */
export function cannotDelete(path: string): { error: string } {
  return { error: `'${path}' cannot be deleted: its store does not support deletion` };
}

async function readBytes(backend: BackendProtocolV2, path: string): Promise<FileDownloadResponse> {
  const refused = (error: FileOperationError): FileDownloadResponse => ({ path, content: null, error });
  try {
    const result = await backend.readRaw(path);
    if (result.error !== undefined) return refused(errorCode(result.error));
    if (result.data === undefined) return refused("file_not_found");
    const content = exactBytes(result.data.content);
    return content === undefined ? refused("permission_denied") : { path, content, error: null };
  } catch (error) {
    return refused(errorCode(messageOf(error)));
  }
}

function errorCode(message: string): FileOperationError {
  if (/is_directory|is a directory|eisdir/i.test(message)) return "is_directory";
  if (isAbsence(message)) return "file_not_found";
  return /invalid|traversal|outside/i.test(message) ? "invalid_path" : "permission_denied";
}
