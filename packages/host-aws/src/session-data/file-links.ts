import { sessionFolder } from "@archmax-ai/harness/internal/sessions";
import { type FileAddress, type FileLinks, RequestError } from "@archmax-ai/host";
import { S3Backend, S3PathError } from "@archmax-ai/store-s3";
import { HeadObjectCommand, NotFound, type S3Client } from "@aws-sdk/client-s3";
import { runsPrefix } from "./tenant-storage.ts";

/** Where the session files are. */
export interface S3FileLinksOptions {
  readonly client: S3Client;
  readonly bucket: string;
}

/**
 * Presigned links to session files, good for five minutes: a download is served as an attachment, an upload must have
 * the type and the length it was signed for.
 *
 * Throws `SessionStoreIdError` for a session id that names none, `RequestError` with status 400 for a path no key can
 * be made of, `RangeError` for a length that is none, and what the SDK throws where S3 cannot be asked.
 */
export function createS3FileLinks({ client, bucket }: S3FileLinksOptions): FileLinks {
  const backendOf = (tenant: string) => new S3Backend({ client, bucket, prefix: runsPrefix(tenant) });
  return {
    async download(file) {
      const path = pathOf(file);
      const downloadName = file.path.split("/").at(-1) ?? "file";
      // Signed first, which refuses a path that is none before anything is asked of S3.
      const { url } = await orBadPath(() => backendOf(file.tenant).presignDownload(path, { downloadName }));
      return (await isThere(client, bucket, `${runsPrefix(file.tenant)}${path}`)) ? url : null;
    },

    async upload(file, content) {
      const { url } = await orBadPath(() => backendOf(file.tenant).presignUpload(pathOf(file), content));
      return url;
    },
  };
}

/** @throws RequestError 400 for a path that could name another session's file */
function pathOf({ sessionId, path }: FileAddress): string {
  if (path.split("/").some((segment) => segment === "." || segment === ".." || segment === ""))
    throw badPath();
  return `/${sessionFolder(sessionId)}/${path}`;
}

async function orBadPath<T>(sign: () => Promise<T>): Promise<T> {
  try {
    return await sign();
  } catch (cause) {
    if (!(cause instanceof S3PathError)) throw cause;
    throw badPath(cause);
  }
}

function badPath(cause?: unknown): RequestError {
  const detail =
    "No file can be kept under this path: it is not canonical, too long, or holds a control character.";
  return new RequestError("InvalidFilePathError", 400, "Invalid path", detail, { cause });
}

async function isThere(client: S3Client, bucket: string, key: string): Promise<boolean> {
  try {
    await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}
