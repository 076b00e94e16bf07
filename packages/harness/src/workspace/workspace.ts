import type { BackendProtocolV2, FileInfo } from "deepagents";
import { fileText, isAbsence, messageOf } from "./file-content.ts";
import { workspacePath } from "./workspace-path.ts";

/**
 * The runtime's own view of a backend (spec 04 §3). The plain readers turn every failure into nothing, the
 * strict ones only an absence, the writers throw on a reported error. Paths are workspace paths in any
 * spelling; the backend is given the canonical one with a leading slash.
 */
export class Workspace {
  readonly backend: BackendProtocolV2;

  constructor(backend: BackendProtocolV2) {
    this.backend = backend;
  }

  /** The file's text, or `null` when it is absent, unreadable or not text. */
  async readText(path: string): Promise<string | null> {
    try {
      return await this.#readStrict(path);
    } catch {
      return null;
    }
  }

  /** The file's content as JSON, or `null` when it is absent, unreadable or no JSON. */
  async readJson(path: string): Promise<unknown> {
    try {
      return await this.readJsonStrict(path);
    } catch {
      return null;
    }
  }

  /** Whether a file can be read there. */
  async exists(path: string): Promise<boolean> {
    try {
      const result = await this.backend.readRaw(absolute(path));
      return result.error === undefined && result.data !== undefined;
    } catch {
      return false;
    }
  }

  /** The entries of a folder as its backend names them, folders ending in `/`; `[]` when it cannot be listed. */
  async listDir(path: string): Promise<FileInfo[]> {
    try {
      return await this.listDirStrict(path);
    } catch {
      return [];
    }
  }

  /**
   * The entries of a folder; a missing folder is `[]`.
   *
   * @throws when the backend cannot answer for any other reason.
   */
  async listDirStrict(path: string): Promise<FileInfo[]> {
    const { result, error, cause } = await attempt(() => this.backend.ls(absolute(path)));
    if (error === undefined) return result?.files ?? [];
    if (isAbsence(error)) return [];
    throw new Error(`The folder '${path}' could not be listed: ${error}`, { cause });
  }

  /**
   * The file's content as JSON; `null` when the file is absent.
   *
   * @throws when the backend cannot answer for any other reason, or the content is no JSON.
   */
  async readJsonStrict(path: string): Promise<unknown> {
    const text = await this.#readStrict(path);
    if (text === null) return null;
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new Error(`The file '${path}' holds no valid JSON: ${messageOf(cause)}`, { cause });
    }
  }

  /**
   * Creates or overwrites a file.
   *
   * @throws when the backend reports an error.
   */
  async writeText(path: string, text: string): Promise<void> {
    const result = await this.backend.write(absolute(path), text);
    if (result.error !== undefined)
      throw new Error(`The file '${path}' could not be written: ${result.error}`);
  }

  /** Writes a value as JSON with two-space indentation and a final line break. Throws as {@link writeText}. */
  async writeJson(path: string, value: unknown): Promise<void> {
    await this.writeText(path, `${JSON.stringify(value, null, 2)}\n`);
  }

  /**
   * Replaces a string that occurs once in a file.
   *
   * @throws when the backend reports an error.
   */
  async editText(path: string, oldText: string, newText: string): Promise<void> {
    const result = await this.backend.edit(absolute(path), oldText, newText);
    if (result.error !== undefined)
      throw new Error(`The file '${path}' could not be edited: ${result.error}`);
  }

  async #readStrict(path: string): Promise<string | null> {
    const { result, error, cause } = await attempt(() => this.backend.readRaw(absolute(path)));
    if (error !== undefined) {
      if (isAbsence(error)) return null;
      throw new Error(`The file '${path}' could not be read: ${error}`, { cause });
    }
    if (result?.data === undefined) return null;
    const text = fileText(result.data);
    if (text === undefined) throw new Error(`The file '${path}' holds no text`);
    return text;
  }
}

function absolute(path: string): string {
  return `/${workspacePath(path)}`;
}

interface Attempt<T> {
  /** The answer, where one was given without an error. */
  readonly result?: T;
  readonly error?: string;
  readonly cause?: unknown;
}

/** A thrown error counts as a reported one: backends differ in how they say that a file is missing. */
async function attempt<T extends { error?: string }>(call: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    const result = await call();
    return result.error === undefined ? { result } : { error: result.error };
  } catch (cause) {
    return { error: messageOf(cause), cause };
  }
}
