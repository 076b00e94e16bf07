import { isTextType, mimeTypeOf } from "./mime-types.ts";

/** A content that cannot be stored or shown unaltered. The message is the answer to the caller. */
export class ContentError extends Error {
  override readonly name = "ContentError";
}

/**
 * The bytes `write` stores: UTF-8 of text, or what base64 (bare, or the payload of a `data:` URL) stands for
 * where the extension says that the file is binary.
 *
 * @throws ContentError for what would not come back the same.
 */
export function bytesToWrite(path: string, content: string): Uint8Array {
  return isTextType(mimeTypeOf(path)) ? encodeText(path, content) : decodeBase64(path, content);
}

/** @throws ContentError for lone surrogates, which UTF-8 cannot hold. */
export function encodeText(path: string, text: string): Uint8Array {
  if (!text.isWellFormed()) {
    throw new ContentError(
      `The text for '${path}' is not valid Unicode (a lone surrogate) and was not stored`,
    );
  }
  return new TextEncoder().encode(text);
}

/**
 * The text of a file, its byte-order mark kept.
 *
 * @throws ContentError for bytes that are not UTF-8; they are never shown with replacement characters.
 */
export function decodeText(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ContentError(
      `'${path}' is a binary file (application/octet-stream, ${bytes.byteLength} bytes): its bytes are not ` +
        "UTF-8 text, so it was not read; only text files are. Download it to get the bytes.",
      { cause },
    );
  }
}

function decodeBase64(path: string, content: string): Uint8Array {
  const text = content.trim();
  const dataUrl = /^data:([^,]*),/i.exec(text);
  if (dataUrl !== null && !/;\s*base64\s*$/i.test(dataUrl[1] ?? "")) throw notBase64(path);
  const payload = text.slice(dataUrl?.[0].length ?? 0).replace(/\s+/g, "");
  const unpadded = payload.replace(/={1,2}$/, "");
  const bytes = Buffer.from(payload, "base64");
  // Node decodes what it can and drops the rest, so only a text that encodes back to itself was base64.
  if (bytes.toString("base64").replace(/=+$/, "") !== unpadded) throw notBase64(path);
  return bytes;
}

function notBase64(path: string): ContentError {
  return new ContentError(
    `The content for '${path}' is not base64, which a ${mimeTypeOf(path)} file is written as; nothing was stored`,
  );
}
