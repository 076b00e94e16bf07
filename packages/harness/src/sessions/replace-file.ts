import { binaryMimeTypeOf } from "../spec/binary-types.ts";
import type { Workspace } from "../workspace/workspace.ts";

/**
 * Puts a text at a path of the session store, whether or not a file is there. A backend of the older
 * convention refuses a `write` onto an existing file; its differing content is then replaced by an edit. A path
 * the backends hold as bytes is handed its base64, which they decode, so the file holds the text itself.
 *
 * @throws when the store reports an error other than that the file exists.
 */
export async function replaceFile(store: Workspace, path: string, text: string): Promise<void> {
  const isBinary = binaryMimeTypeOf(path) !== undefined;
  try {
    await store.writeText(path, isBinary ? Buffer.from(text, "utf8").toString("base64") : text);
  } catch (error) {
    const held = await store.readText(path);
    if (held === text) return;
    if (held === null || isBinary) throw error;
    await store.editText(path, held, text);
  }
}
