import type { BackendProtocolV2 } from "deepagents";
import { InvalidTurnFileError } from "../errors.ts";
import { binaryMimeTypeOf } from "../spec/binary-types.ts";
import { isVariableName, TITLE_VARIABLE, TRIGGER_VARIABLE } from "../spec/variables.ts";
import { bytesOf, decodeUtf8, heldText } from "../workspace/file-content.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { numberedName } from "./numbered-name.ts";
import type { TurnFile } from "./shapes.ts";

/** Where files handed to a turn are placed, as the agent names it. */
const ATTACHMENTS = "scratchpad/attachments";

/** The files of one turn or delivery, and what they are checked against. */
export interface TurnFilesRequest {
  sessionId: string;
  /** Variable to file; `undefined` is none. */
  files: Readonly<Record<string, TurnFile>> | undefined;
  /** The variables of the same turn: one name cannot be both. */
  variables?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Checks the files of a turn before anything is read or written (spec 04 §12): the variable's name and that
 * nothing else sets it, a plain file name, bytes, and a store that can hold them exactly. What is no valid
 * UTF-8, and what the backends hold as bytes, needs a store with `uploadFiles`.
 *
 * @param store the session store's own backend.
 * @throws InvalidTurnFileError naming the first file that cannot be taken.
 */
export function assertTurnFiles(store: Workspace, request: TurnFilesRequest): void {
  const uploads = store.backend.uploadFiles !== undefined;
  for (const [variable, file] of Object.entries(request.files ?? {})) {
    const reason = refusal(variable, file, request.variables ?? {}, uploads);
    if (reason !== undefined) {
      throw new InvalidTurnFileError(request.sessionId, variable, String(file?.name), reason);
    }
  }
}

/**
 * Refuses the files of a message to a session a person holds: a reply is words alone (spec 04 §12).
 *
 * @throws InvalidTurnFileError naming the first file, where there is one.
 */
export function refuseFilesInReply(request: TurnFilesRequest): void {
  for (const [variable, file] of Object.entries(request.files ?? {})) {
    throw new InvalidTurnFileError(
      request.sessionId,
      variable,
      String(file?.name),
      "the session waits for a person's decision, and a reply to it carries no files",
    );
  }
}

/**
 * Places checked files in the session's `scratchpad/attachments/`, in key order, and answers each variable's
 * path as the agent names it. A taken name gets `-1`, `-2`, … before its extension; nothing is overwritten.
 * Every file is read back.
 *
 * @param store the session store's own backend.
 * @throws InvalidTurnFileError when the store refused a file or did not keep its bytes. What this call placed
 *   is removed first, where the store can delete. A failure to list or read is passed on.
 */
export async function placeTurnFiles(
  store: Workspace,
  request: TurnFilesRequest,
): Promise<Record<string, string>> {
  const entries = Object.entries(request.files ?? {});
  if (entries.length === 0) return {};
  const folder = `${request.sessionId}/${ATTACHMENTS}`;
  const taken = new Set((await store.listDirStrict(folder)).map((entry) => lastSegment(entry.path)));
  const seeds: [string, string][] = [];
  const placed: string[] = [];
  try {
    for (const [variable, file] of entries) {
      const name = numberedName(file.name, taken);
      taken.add(name);
      placed.push(`${folder}/${name}`);
      const problem = await place(store, `${folder}/${name}`, file.content);
      if (problem !== undefined) {
        throw new InvalidTurnFileError(request.sessionId, variable, file.name, problem);
      }
      seeds.push([variable, `${ATTACHMENTS}/${name}`]);
    }
  } catch (error) {
    await removeFiles(store, placed);
    throw error;
  }
  return Object.fromEntries(seeds);
}

function refusal(
  variable: string,
  file: TurnFile | undefined,
  variables: Readonly<Record<string, unknown>>,
  uploads: boolean,
): string | undefined {
  if (!isVariableName(variable)) {
    return "the variable's name must start with a lower-case letter and hold lower-case letters, digits and underscores only";
  }
  if (variable === TRIGGER_VARIABLE || variable === TITLE_VARIABLE) {
    return `the variable ${variable} is reserved and cannot hold a file`;
  }
  if (Object.hasOwn(variables, variable)) {
    return "the same variable is also given in variables; give it once";
  }
  const name: unknown = file?.name;
  if (typeof name !== "string" || !isPlainName(name)) {
    return "the name must be one plain file name, without a path";
  }
  const content: unknown = file?.content;
  if (!(content instanceof Uint8Array)) return "the content must be the file's bytes, as a Uint8Array";
  if (!uploads && !travelsAsText(name, content)) {
    return "the session store has no uploadFiles, so it can hold text files only";
  }
  return undefined;
}

function isPlainName(name: string): boolean {
  return name !== "" && name !== "." && !name.includes("..") && !/[/\\\0]/.test(name);
}

function travelsAsText(name: string, content: Uint8Array): boolean {
  return binaryMimeTypeOf(name) === undefined && decodeUtf8(content) !== undefined;
}

/** Writes one file and reads it back; answers what went wrong. */
async function place(store: Workspace, path: string, content: Uint8Array): Promise<string | undefined> {
  const { backend } = store;
  const text = decodeUtf8(content);
  if (backend.uploadFiles !== undefined) {
    const [answer] = await backend.uploadFiles([[`/${path}`, content]]);
    if (answer?.error !== null) return `the session store refused it (${answer?.error ?? "no answer"})`;
  } else {
    await store.writeText(path, text ?? "");
  }
  const kept = await readBack(backend, path);
  const held = heldText(kept);
  const same = held === undefined ? sameBytes(bytesOf(kept), content) : held === text;
  return same ? undefined : "the session store did not keep its bytes";
}

/** The content a store holds: bytes where it hands them out, else the text or bytes as it keeps them. */
async function readBack(backend: BackendProtocolV2, path: string): Promise<unknown> {
  if (backend.downloadFiles === undefined) return (await backend.readRaw(`/${path}`)).data?.content;
  const [answer] = await backend.downloadFiles([`/${path}`]);
  return answer?.content;
}

function sameBytes(left: Uint8Array | undefined, right: Uint8Array): boolean {
  return left !== undefined && Buffer.from(left).equals(right);
}

/** A failed removal hides nothing: the caller is about to report why the files had to go. */
async function removeFiles(store: Workspace, paths: readonly string[]): Promise<void> {
  for (const path of paths) await Promise.resolve(store.backend.delete?.(`/${path}`)).catch(() => undefined);
}

function lastSegment(path: string): string {
  return path.replace(/\/+$/, "").replace(/^.*\//s, "");
}
