import { sessionFolder } from "@archmax-ai/harness/internal/sessions";
import type { FileAddress, FileLinks } from "@archmax-ai/host";
import { S3Backend } from "@archmax-ai/store-s3";
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
 * Throws `SessionStoreIdError` for a session id that names none, `S3PathError` for a path that is none, `RangeError`
 * for a length that is none, and what the SDK throws where S3 cannot be asked.
 */
export function createS3FileLinks({ client, bucket }: S3FileLinksOptions): FileLinks {
  const backendOf = (tenant: string) => new S3Backend({ client, bucket, prefix: runsPrefix(tenant) });
  return {
    async download(file) {
      const path = pathOf(file);
      // Signed first, which refuses a path that is none before anything is asked of S3.
      const { url } = await backendOf(file.tenant).presignDownload(path, {
        downloadName: file.path.split("/").at(-1) ?? "file",
      });
      return (await isThere(client, bucket, `${runsPrefix(file.tenant)}${path}`)) ? url : null;
    },

    async upload(file, { contentType, contentLength }) {
      const { url } = await backendOf(file.tenant).presignUpload(pathOf(file), {
        contentType,
        contentLength,
      });
      return url;
    },
  };
}

function pathOf({ sessionId, path }: FileAddress): string {
  return `/${sessionFolder(sessionId)}/${path}`;
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
