import type { ReadResult } from "deepagents";
import { binaryMimeTypeOf } from "../spec/binary-types.ts";
import { formatByteSize } from "./byte-size.ts";
import { bytesOf } from "./file-content.ts";

/** Types beside `text/*` whose content is text. */
const TEXT_TYPES = new Set(["application/json", "application/javascript", "image/svg+xml"]);

/** The type of content that is not text though nothing but the content said so. */
const UNKNOWN_TYPE = "application/octet-stream";

/**
 * A read's result as the workspace serves it, which is text (spec 04 §8): a binary file becomes a notice naming
 * its type and size; text and a route's own error pass unchanged.
 *
 * @param path canonical workspace path
 */
export function servedAsText(path: string, result: ReadResult): ReadResult {
  if (typeof result !== "object" || result.error !== undefined || result.content === undefined) return result;
  const type = binaryTypeOf(path, result);
  if (type === undefined) return result;
  const bytes = typeof result.content === "string" ? undefined : bytesOf(result.content);
  return { error: binaryNotice(path, type, bytes?.byteLength) };
}

/** The answer to a text read of a binary file. */
export function binaryNotice(path: string, type: string, size?: number): string {
  const facts = size === undefined ? type : `${type}, ${formatByteSize(size)}`;
  return `'${path}' is a binary file (${facts}). It was not read: only text files can be read.`;
}

function binaryTypeOf(path: string, result: ReadResult): string | undefined {
  const type = result.mimeType || binaryMimeTypeOf(path) || "text/plain";
  if (!isTextType(type)) return type;
  const isText = typeof result.content === "string" && !result.content.includes("\u0000");
  return isText ? undefined : UNKNOWN_TYPE;
}

function isTextType(type: string): boolean {
  const bare = (type.split(";", 1)[0] ?? "").trim().toLowerCase();
  return bare.startsWith("text/") || TEXT_TYPES.has(bare);
}
