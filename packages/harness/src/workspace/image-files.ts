import type { BackendProtocolV2 } from "deepagents";
import { binaryMimeTypeOf } from "../spec/binary-types.ts";
import { bytesOf } from "./file-content.ts";
import { workspacePath } from "./workspace-path.ts";

/** The types chat endpoints take as images. */
const SHOWN_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** An image of the workspace. */
export interface ImageFile {
  /** Canonical path. */
  readonly path: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads an image a model can be shown: a PNG, JPEG, GIF or WebP by its route's type, else by its extension, that is
 * stored as bytes. `undefined` for anything else: a path that escapes, a missing file, text, a failing store. The
 * ordinary read says which of them it was.
 *
 * @param path workspace path in any spelling
 */
export async function readImage(
  backend: Pick<BackendProtocolV2, "readRaw">,
  path: string,
): Promise<ImageFile | undefined> {
  try {
    const relative = workspacePath(path);
    const { error, data } = await backend.readRaw(`/${relative}`);
    if (error !== undefined || data === undefined) return undefined;
    const told = "mimeType" in data ? data.mimeType : undefined;
    const type = told || binaryMimeTypeOf(relative);
    const bytes = bytesOf(data.content);
    if (type === undefined || !SHOWN_TYPES.has(type) || bytes === undefined || bytes.length === 0)
      return undefined;
    return { path: relative, type, bytes };
  } catch {
    return undefined;
  }
}
