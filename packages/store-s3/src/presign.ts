import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { KeySpace } from "./key-space.ts";
import { mimeTypeOf } from "./mime-types.ts";
import type { BucketAccess } from "./options.ts";

const EXPIRES_IN_SECONDS = 300;
const LONGEST_SECONDS = 604_800;

const ENCRYPTION = "x-amz-server-side-encryption";

/** What an upload is held to; the SDK leaves the type out unless it is named here. */
const SIGNED_HEADERS = new Set([
  "host",
  "content-type",
  "content-length",
  ENCRYPTION,
  `${ENCRYPTION}-aws-kms-key-id`,
  `${ENCRYPTION}-bucket-key-enabled`,
  `${ENCRYPTION}-context`,
]);

/** A URL that lets whoever holds it do one thing with one file for a while. */
export interface PresignedRequest {
  readonly url: string;
  readonly method: "GET" | "PUT";
  /** The headers to send with it, exactly; they are part of what is signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** When it stops working, ISO 8601; earlier where the credentials that signed it end. */
  readonly expiresAt: string;
}

/** A download to hand out. */
export interface PresignDownloadOptions {
  /** How long the URL works, in seconds: 300 unless given, 604,800 at most. */
  expiresInSeconds?: number | undefined;
  /** The type the file is served as; by the extension unless given. */
  contentType?: string | undefined;
  /** The name the file is saved under; shown in place, under no name, unless given. */
  downloadName?: string | undefined;
}

/** An upload to hand out. */
export interface PresignUploadOptions {
  /** How long the URL works, in seconds: 300 unless given, 604,800 at most. */
  expiresInSeconds?: number | undefined;
  /** The type the upload must have. */
  contentType: string;
  /** How many bytes the upload must have. */
  contentLength: number;
}

/**
 * A URL to get a file by. It is signed without asking whether the file is there.
 *
 * @throws S3PathError for a path that names no file of the prefix, RangeError for a lifetime out of bounds.
 */
export async function presignDownload(
  access: BucketAccess,
  keys: KeySpace,
  path: string,
  options: PresignDownloadOptions,
): Promise<PresignedRequest> {
  const { contentType = mimeTypeOf(path), downloadName } = options;
  const expiresIn = lifetime(options.expiresInSeconds);
  const command = new GetObjectCommand({
    Bucket: access.bucket,
    Key: keys.fileKey(path),
    ResponseContentType: contentType,
    ...(downloadName !== undefined && { ResponseContentDisposition: attachment(downloadName) }),
  });
  const signingDate = new Date();
  const url = await getSignedUrl(access.client, command, { expiresIn, signingDate });
  return { url, method: "GET", headers: {}, expiresAt: end(signingDate, expiresIn) };
}

/**
 * A URL to put a file by: one whose type and length are those signed, or S3 refuses it.
 *
 * @throws S3PathError for a path that names no file of the prefix, RangeError for a lifetime or a length out of
 * bounds.
 */
export async function presignUpload(
  access: BucketAccess,
  keys: KeySpace,
  path: string,
  options: PresignUploadOptions,
): Promise<PresignedRequest> {
  const { contentType, contentLength } = options;
  if (!Number.isSafeInteger(contentLength) || contentLength < 0) {
    throw new RangeError(`'contentLength' must be a whole number of bytes, not ${contentLength}`);
  }
  const expiresIn = lifetime(options.expiresInSeconds);
  const command = new PutObjectCommand({
    ...access.sse,
    Bucket: access.bucket,
    Key: keys.fileKey(path),
    ContentType: contentType,
    ContentLength: contentLength,
  });
  const headers: Record<string, string> = {};
  command.middlewareStack.add(
    (next) => (args) => {
      const { request } = args;
      if (hasHeaders(request)) {
        // The SDK adds the checksum of the body it has, an empty one, and S3 would hold the upload to that.
        for (const [name, value] of Object.entries(request.headers)) {
          if (/^x-amz-(?:sdk-)?checksum/.test(name)) delete request.headers[name];
          if (name !== "host" && SIGNED_HEADERS.has(name)) headers[name] = value;
        }
      }
      return next(args);
    },
    { step: "build", priority: "low", name: "uploadHeaders" },
  );
  const signingDate = new Date();
  const url = await getSignedUrl(access.client, command, {
    expiresIn,
    signingDate,
    signableHeaders: SIGNED_HEADERS,
  });
  return { url, method: "PUT", headers, expiresAt: end(signingDate, expiresIn) };
}

function hasHeaders(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === "object" && request !== null && "headers" in request;
}

function lifetime(seconds = EXPIRES_IN_SECONDS): number {
  if (!Number.isSafeInteger(seconds) || seconds < 1 || seconds > LONGEST_SECONDS) {
    throw new RangeError(
      `'expiresInSeconds' must be a whole number from 1 to ${LONGEST_SECONDS}, not ${seconds}`,
    );
  }
  return seconds;
}

/** S3 counts from the signing date, which has whole seconds. */
function end(signingDate: Date, expiresIn: number): string {
  return new Date((Math.floor(signingDate.getTime() / 1000) + expiresIn) * 1000).toISOString();
}

/** RFC 6266: the name in UTF-8, percent-encoded, so that no character of it is syntax. */
function attachment(name: string): string {
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}
