import type {
  BackendProtocolV2,
  DeleteResult,
  EditResult,
  FileInfo,
  GlobResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteResult,
} from "deepagents";
import { bytesToWrite, ContentError, decodeText, encodeText } from "./file-content.ts";
import { compileGlob } from "./glob-pattern.ts";
import { grepFiles, type S3GrepResult } from "./grep.ts";
import { createObject, updateObject } from "./guarded-update.ts";
import { KeySpace } from "./key-space.ts";
import { lineWindow } from "./line-window.ts";
import { findFiles, listFolder } from "./listing.ts";
import { isTextType, mimeTypeOf, writtenContentType } from "./mime-types.ts";
import { readObject, type StoredObject } from "./object-read.ts";
import { storeObject } from "./object-write.ts";
import { type BucketAccess, bucketAccess, type S3BackendOptions } from "./options.ts";
import {
  type PresignDownloadOptions,
  type PresignedRequest,
  type PresignUploadOptions,
  presignDownload,
  presignUpload,
} from "./presign.ts";
import { removeTree } from "./removal.ts";
import { failureText } from "./s3-failure.ts";
import { replaceString } from "./string-replacement.ts";
import { downloadAll, type S3DownloadResponse, type S3UploadResponse, uploadAll } from "./transfers.ts";
import { compareUtf8 } from "./utf8-order.ts";

/** How a file is written. */
export interface S3WriteOptions {
  /** Only if there is no such file yet: of several writers exactly one succeeds. */
  createOnly?: boolean | undefined;
}

/**
 * A Deep Agents backend on Amazon S3. A file is one object, its key the prefix and the path; a folder is
 * whatever keys share a start.
 *
 * As the protocol says, failures are answered and not thrown, apart from the presigning methods, which are not
 * of the protocol. An error names what S3 calls the failure, the HTTP status and the request id.
 *
 * @example
 * ```ts
 * const backend = new S3Backend({ client: new S3Client({}), bucket: "agents", prefix: "tenants/a" });
 * const agent = createDeepAgent({ backend });
 * ```
 */
export class S3Backend implements BackendProtocolV2 {
  readonly #access: BucketAccess;
  readonly #keys: KeySpace;

  /** @throws S3PathError for a prefix with an empty, `.` or `..` segment, RangeError for a bound out of range. */
  constructor(options: S3BackendOptions) {
    this.#access = bucketAccess(options);
    this.#keys = new KeySpace(options.prefix);
  }

  /**
   * Lists one level of a folder, files and folders in the order of their UTF-8 bytes. A folder that holds
   * nothing does not exist and lists as empty.
   */
  async ls(path: string): Promise<LsResult> {
    try {
      return { files: await listFolder(this.#access, this.#keys, this.#keys.locate(path)) };
    } catch (error) {
      return { error: `Error listing '${path}': ${failureText(error)}` };
    }
  }

  /**
   * Reads a text file's lines, or a binary file whole.
   *
   * @param offset the first line, counted from 0
   * @param limit the most lines
   */
  async read(filePath: string, offset = 0, limit = 500): Promise<ReadResult> {
    try {
      const object = await this.#load(filePath, this.#access.maxReadBytes);
      if (object === undefined) return { error: `File '${filePath}' not found` };
      const mimeType = mimeTypeOf(filePath);
      if (!isTextType(mimeType)) return { content: object.bytes, mimeType };
      return lineWindow(decodeText(filePath, object.bytes), mimeType, offset, limit);
    } catch (error) {
      return { error: `Error reading file '${filePath}': ${failureText(error)}` };
    }
  }

  /** Reads a file whole, whatever its size. S3 keeps no time of creation: both times are the last change's. */
  async readRaw(filePath: string): Promise<ReadRawResult> {
    try {
      const object = await this.#load(filePath);
      if (object === undefined) return { error: `File '${filePath}' not found` };
      const mimeType = mimeTypeOf(filePath);
      const content = isTextType(mimeType) ? decodeText(filePath, object.bytes) : object.bytes;
      return {
        data: { content, mimeType, created_at: object.modifiedAt, modified_at: object.modifiedAt },
      };
    } catch (error) {
      return { error: `Error reading file '${filePath}': ${failureText(error)}` };
    }
  }

  /**
   * Stores a file, over whatever was there unless `createOnly`.
   *
   * @param content the text; for a file that is binary by its extension, base64 or a base64 `data:` URL
   */
  async write(filePath: string, content: string, options: S3WriteOptions = {}): Promise<WriteResult> {
    try {
      const object = {
        key: this.#keys.fileKey(filePath),
        bytes: bytesToWrite(filePath, content),
        contentType: writtenContentType(filePath),
      };
      if (options.createOnly !== true) await storeObject(this.#access, object);
      else if (!(await createObject(this.#access, object))) {
        return { error: `Error: File '${filePath}' already exists and was not overwritten` };
      }
      return { path: filePath, filesUpdate: null };
    } catch (error) {
      return { error: `Error writing file '${filePath}': ${failureText(error)}` };
    }
  }

  /**
   * Replaces a literal string in a text file. Of edits at the same time none is lost: each is made on what the
   * one before left.
   */
  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll = false,
  ): Promise<EditResult> {
    let answer: EditResult = {};
    const change = (current: StoredObject | undefined): Uint8Array | undefined => {
      if (current === undefined) {
        answer = { error: `Error: File '${filePath}' not found` };
        return undefined;
      }
      const replaced = replaceString(decodeText(filePath, current.bytes), oldString, newString, replaceAll);
      if ("error" in replaced) {
        answer = { error: replaced.error };
        return undefined;
      }
      answer = { path: filePath, filesUpdate: null, occurrences: replaced.occurrences };
      return encodeText(filePath, replaced.text);
    };
    try {
      await this.#update(filePath, change);
      return answer;
    } catch (error) {
      return { error: `Error editing file '${filePath}': ${failureText(error)}` };
    }
  }

  /**
   * Adds text at the end of a file, which is created if need be. Of appends at the same time none is lost. Not
   * of the protocol: Deep Agents itself appends by rewriting.
   */
  async append(filePath: string, text: string): Promise<WriteResult> {
    try {
      const added = encodeText(filePath, text);
      await this.#update(filePath, (current) => Buffer.concat([current?.bytes ?? new Uint8Array(), added]));
      return { path: filePath, filesUpdate: null };
    } catch (error) {
      return { error: `Error appending to file '${filePath}': ${failureText(error)}` };
    }
  }

  /**
   * Finds the lines that hold a literal text in the text files at or below a path, in the order of their paths.
   *
   * @param path the folder or file to search; everything unless given
   * @param glob which files to look into: without a slash it matches base names, with one paths relative to `path`
   * @param maxCount the most matches; the result is `truncated` where there are more
   */
  async grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<S3GrepResult> {
    try {
      return await grepFiles(this.#access, this.#keys, this.#keys.locate(path ?? "/"), {
        text: pattern,
        matches: glob ? compileGlob(glob) : () => true,
        maxCount: maxCount ?? Number.POSITIVE_INFINITY,
      });
    } catch (error) {
      return { error: `Error searching '${path ?? "/"}': ${failureText(error)}` };
    }
  }

  /** Finds the files below a path whose names match, in the order of their UTF-8 bytes; globs as in `grep`. */
  async glob(pattern: string, path = "/"): Promise<GlobResult> {
    try {
      const matches = compileGlob(pattern);
      const files: FileInfo[] = [];
      for await (const found of findFiles(this.#access, this.#keys, this.#keys.locate(path))) {
        if (!matches(found.relativePath)) continue;
        files.push({ path: found.path, is_dir: false, size: found.size, modified_at: found.modifiedAt });
      }
      return { files: files.sort((left, right) => compareUtf8(left.path, right.path)) };
    } catch (error) {
      return { error: `Error searching '${path}': ${failureText(error)}` };
    }
  }

  /**
   * Removes a file and everything in a folder of that name. A path that ends in a slash names the folder alone:
   * a file of the same name stays.
   */
  async delete(filePath: string): Promise<DeleteResult> {
    try {
      const removed = await removeTree(this.#access, this.#keys, this.#keys.locate(filePath));
      if (removed === 0) return { error: `Error: File '${filePath}' not found` };
      return { path: filePath, filesUpdate: null };
    } catch (error) {
      return { error: `Error deleting '${filePath}': ${failureText(error)}` };
    }
  }

  /** Stores bytes as they are, whatever the extension; above 8 MB in parts. */
  uploadFiles(files: Array<[string, Uint8Array]>): Promise<S3UploadResponse[]> {
    return uploadAll(this.#access, this.#keys, files);
  }

  /** Reads bytes as they are, whatever the extension and size. */
  downloadFiles(paths: string[]): Promise<S3DownloadResponse[]> {
    return downloadAll(this.#access, this.#keys, paths);
  }

  /**
   * A URL by which a file can be fetched without credentials, for five minutes unless said otherwise.
   *
   * @throws S3PathError for a path that names no file of the prefix, RangeError for a lifetime out of bounds.
   */
  presignDownload(filePath: string, options: PresignDownloadOptions = {}): Promise<PresignedRequest> {
    return presignDownload(this.#access, this.#keys, filePath, options);
  }

  /**
   * A URL by which a file of exactly this type and length can be stored without credentials, for five minutes
   * unless said otherwise.
   *
   * @throws S3PathError for a path that names no file of the prefix, RangeError for a lifetime or a length out
   * of bounds.
   */
  presignUpload(filePath: string, options: PresignUploadOptions): Promise<PresignedRequest> {
    return presignUpload(this.#access, this.#keys, filePath, options);
  }

  #load(filePath: string, maxBytes?: number): Promise<StoredObject | undefined> {
    return readObject(this.#access, this.#keys.fileKey(filePath), maxBytes);
  }

  #update(
    filePath: string,
    change: (current: StoredObject | undefined) => Uint8Array | undefined,
  ): Promise<void> {
    const mimeType = mimeTypeOf(filePath);
    if (!isTextType(mimeType)) throw new ContentError(`a ${mimeType} file cannot be changed as text`);
    const key = this.#keys.fileKey(filePath);
    return updateObject(this.#access, { key, contentType: writtenContentType(filePath), change });
  }
}
