/** What the contract's tests write, and how they look at what comes back. */
import type { FileInfo } from "deepagents";
import { expect } from "vitest";
import type { BackendCase } from "./quirks.ts";

export const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);
export const BASE64 = Buffer.from(PNG).toString("base64");
export const LATIN1 = Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x0a]);

export const paths = (result: { files?: FileInfo[] | undefined }) => result.files?.map(({ path }) => path);
export const bytes = (content: unknown) =>
  ArrayBuffer.isView(content) ? [...Buffer.from(content as Uint8Array)] : content;

/** Makes a backend that holds these texts. */
export const filling = (make: BackendCase["make"]) => async (files: Record<string, string>) => {
  const backend = await make();
  for (const [path, text] of Object.entries(files)) {
    expect(await backend.write(path, text)).toEqual({ path, filesUpdate: null });
  }
  return backend;
};
