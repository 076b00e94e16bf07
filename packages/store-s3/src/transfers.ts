import { Readable } from "node:stream";
import type { FileDownloadResponse, FileOperationError, FileUploadResponse } from "deepagents";
import { S3PathError } from "./errors.ts";
import type { KeySpace } from "./key-space.ts";
import { isFolder } from "./listing.ts";
import { uploadedContentType } from "./mime-types.ts";
import { readObject } from "./object-read.ts";
import { storeObject } from "./object-write.ts";
import type { BucketAccess } from "./options.ts";
import { failureText } from "./s3-failure.ts";

/** Why a transfer failed, beside the protocol's code. */
export interface TransferFailure {
  /** For people and logs: what S3 answered, with the request id. Absent on success. */
  message?: string;
}

/** What became of one upload. */
export type S3UploadResponse = FileUploadResponse & TransferFailure;

/** What became of one download. */
export type S3DownloadResponse = FileDownloadResponse & TransferFailure;

/** Stores files as they are, whatever their extension, several at a time; answers in the order given. */
export function uploadAll(
  access: BucketAccess,
  keys: KeySpace,
  files: readonly (readonly [string, Uint8Array])[],
): Promise<S3UploadResponse[]> {
  return inOrder(access, files, async ([path, bytes]) => {
    try {
      const key = keys.fileKey(path);
      await storeObject(access, { key, bytes, contentType: uploadedContentType(path) });
      return { path, error: null };
    } catch (error) {
      return { path, ...failed(error) };
    }
  });
}

/** Reads files as they are, several at a time; answers in the order given. */
export function downloadAll(
  access: BucketAccess,
  keys: KeySpace,
  paths: readonly string[],
): Promise<S3DownloadResponse[]> {
  return inOrder(access, paths, async (path) => {
    try {
      const key = keys.fileKey(path);
      const object = await readObject(access, key);
      if (object !== undefined) return { path, content: object.bytes, error: null };
      const folder = await isFolder(access, keys, { key, isFolder: true });
      return { path, content: null, error: folder ? "is_directory" : "file_not_found" };
    } catch (error) {
      return { path, content: null, ...failed(error) };
    }
  });
}

/**
 * The protocol has four codes and none for a store that could not answer. `permission_denied` stands for that:
 * callers take `file_not_found` as an absence and go on without the file, and the path was not invalid.
 */
function failed(error: unknown): { error: FileOperationError; message: string } {
  return {
    error: error instanceof S3PathError ? error.code : "permission_denied",
    message: failureText(error),
  };
}

function inOrder<Item, Result>(
  { concurrency }: BucketAccess,
  items: readonly Item[],
  transfer: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  return Readable.from(items.map((item) => ({ item })))
    .map(({ item }: { item: Item }) => transfer(item), { concurrency })
    .toArray();
}
