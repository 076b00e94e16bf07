import { S3ServiceException } from "@aws-sdk/client-s3";
import { S3PathError, S3StoreError } from "./errors.ts";
import { ContentError } from "./file-content.ts";
import { GlobError } from "./glob-pattern.ts";

/** Whether S3 says that a key is not there. A bucket that is not there is a failure, not an absence. */
export function isAbsent(error: unknown): boolean {
  return statusOf(error) === 404 && ["NoSuchKey", "NotFound"].includes(nameOf(error));
}

/** Whether a conditional write was refused because the object is not, or no longer, what the condition says. */
export function isLostRace(error: unknown): boolean {
  return statusOf(error) === 412 || nameOf(error) === "ConditionalRequestConflict" || isAbsent(error);
}

/** Whether S3 refused for want of a permission or of valid credentials. */
export function isDenied(error: unknown): boolean {
  const status = statusOf(error);
  return status === 401 || status === 403;
}

/**
 * What went wrong, fit to be shown to a model: what S3 calls it, the HTTP status and the request id, by which
 * the owner of the bucket finds the rest. Never S3's own message, which may quote policies and principals.
 */
export function failureText(error: unknown): string {
  if (error instanceof S3PathError || error instanceof ContentError || error instanceof GlobError) {
    return error.message;
  }
  if (error instanceof S3StoreError) return error.message;
  const status = statusOf(error);
  const details = [
    identifier(nameOf(error)),
    status === undefined ? undefined : `HTTP ${status}`,
    requestId(error),
  ];
  return `${kindOf(error, status)} (${details.filter((each) => each !== undefined).join(", ")})`;
}

/** An error to throw where the protocol leaves room for one. */
export function toStoreError(doing: string, error: unknown): Error {
  if (error instanceof S3PathError || error instanceof S3StoreError) return error;
  return new S3StoreError(`${doing}: ${failureText(error)}`, { cause: error });
}

function kindOf(error: unknown, status: number | undefined): string {
  if (nameOf(error) === "NoSuchBucket") return "the bucket is not there";
  if (status === undefined) return "S3 could not be reached or its answer was cut off";
  if (isDenied(error)) return "access denied by S3";
  if (status === 429 || status === 503) return "S3 is throttling requests";
  return status >= 500 ? "S3 failed" : "S3 refused the request";
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return error instanceof S3ServiceException ? error.name : (code ?? error.name);
}

function identifier(name: string): string {
  return /^[A-Za-z][A-Za-z0-9_.]{0,63}$/.test(name) ? name : "unknown";
}

interface ResponseMetadata {
  httpStatusCode?: unknown;
  requestId?: unknown;
  attempts?: unknown;
}

function metadataOf(error: unknown): ResponseMetadata | undefined {
  if (!(error instanceof Error) || !("$metadata" in error)) return undefined;
  const metadata: unknown = error.$metadata;
  return typeof metadata === "object" && metadata !== null ? metadata : undefined;
}

function statusOf(error: unknown): number | undefined {
  const status = metadataOf(error)?.httpStatusCode;
  return typeof status === "number" ? status : undefined;
}

function requestId(error: unknown): string | undefined {
  const id = metadataOf(error)?.requestId;
  return typeof id === "string" && /^[\w+/=-]{1,100}$/.test(id) ? `request id ${id}` : undefined;
}
