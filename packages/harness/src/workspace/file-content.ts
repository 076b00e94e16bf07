import type { FileData } from "deepagents";

/** Error texts with which a store says that a file or folder is not there (spec 04 §3). */
const ABSENCE = /not found|no such file|does not exist|missing|enoent/i;

/** Whether an error text says that the file or folder is absent, as against a store that could not answer. */
export function isAbsence(message: string): boolean {
  return ABSENCE.test(message);
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The bytes of a content that is not text: a byte array, or the object with numeric keys that one becomes
 * when it is serialized as JSON. `undefined` for anything else.
 */
export function bytesOf(content: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(content)) {
    return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) return undefined;
  const keys = Object.keys(content);
  const values = Object.values(content);
  const isByteList = keys.every((key, index) => key === String(index)) && values.every(isByte);
  return isByteList ? Uint8Array.from(values) : undefined;
}

/** The text of a content held as text: a string, or the list of lines of the older file format. */
export function heldText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.join("\n") : undefined;
}

/**
 * A file's text: held as text, or bytes that are valid UTF-8. `undefined` for bytes that are not, which are
 * never decoded with replacement characters. A byte-order mark is kept.
 */
export function fileText(data: FileData): string | undefined {
  const held = heldText(data.content);
  if (held !== undefined) return held;
  const bytes = bytesOf(data.content);
  return bytes === undefined ? undefined : decodeUtf8(bytes);
}

/**
 * The exact bytes behind a content, or `undefined` where they cannot be told: text in which a store's decoding
 * replaced bytes (U+FFFD) or that is no well-formed Unicode has lost them.
 */
export function exactBytes(content: unknown): Uint8Array | undefined {
  const text = heldText(content);
  if (text === undefined) return bytesOf(content);
  return text.includes("\uFFFD") || !text.isWellFormed() ? undefined : new TextEncoder().encode(text);
}

/** The text of valid UTF-8, its byte-order mark kept; `undefined` for any other bytes. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isByte(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}
