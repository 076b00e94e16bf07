import { binaryMimeTypeOf } from "../spec/binary-types.ts";
import { canonicalizePath } from "../spec/canonical-path.ts";
import { classifyWorkspacePath, type MountPrefixes } from "../spec/paths.ts";
import { formatByteSize } from "./byte-size.ts";
import { bytesOf, decodeUtf8, exactBytes, isAbsence, messageOf } from "./file-content.ts";
import type { WorkspaceBackend } from "./router.ts";

/** A refusal, as the one line the tool answers. */
class Refusal extends Error {
  override readonly name = "Refusal";
}

/** Copies one file byte for byte; answers one line. */
export function copyFile(
  backend: WorkspaceBackend,
  source: string,
  destination: string,
  overwrite: boolean,
): Promise<string> {
  return answered(async () => {
    const { from, to } = endsOf(source, destination);
    const bytes = await transfer(backend, from, to, overwrite);
    return `Copied '${from}' to '${to}' (${formatByteSize(bytes.length)}).`;
  });
}

/** Moves one file: a copy, then the source removed last. Authored files are not moved. */
export function moveFile(
  backend: WorkspaceBackend,
  mountPrefixes: MountPrefixes,
  source: string,
  destination: string,
  overwrite: boolean,
): Promise<string> {
  return answered(async () => {
    const { from, to } = endsOf(source, destination);
    if (classifyWorkspacePath(from, mountPrefixes) === "authored") {
      throw new Refusal(`'${from}' is in a read-only mount and cannot be moved. Use copy_file.`);
    }
    const bytes = await transfer(backend, from, to, overwrite);
    const removed = await attempted(() => backend.delete(`/${from}`));
    if (removed.error !== undefined) {
      throw new Refusal(
        `'${from}' was copied to '${to}' but could not be removed: ${reasonOf(removed.error)}. Both files are there.`,
      );
    }
    return `Moved '${from}' to '${to}' (${formatByteSize(bytes.length)}).`;
  });
}

/** Removes one file. */
export function removeFile(backend: WorkspaceBackend, path: string): Promise<string> {
  return answered(async () => {
    const target = fileNamed(path);
    await gate(backend, target);
    const removed = await attempted(() => backend.delete(`/${target}`));
    if (removed.error !== undefined)
      throw new Refusal(`'${target}' was not removed: ${reasonOf(removed.error)}.`);
    return `Removed '${target}'.`;
  });
}

async function answered(run: () => Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refusal) return `Error: ${error.message}`;
    throw error;
  }
}

function fileNamed(path: string): string {
  const { path: canonical, escapes } = canonicalizePath(path);
  if (escapes) throw new Refusal(`'${path}' leaves the workspace.`);
  if (canonical === "") throw new Refusal(`'${path}' is the workspace's root, not a file.`);
  return canonical;
}

function endsOf(source: string, destination: string): { from: string; to: string } {
  const from = fileNamed(source);
  const to = fileNamed(destination);
  if (from === to) throw new Refusal(`'${from}' and the destination are the same file.`);
  return { from, to };
}

/** Reads, writes, reads back and compares (spec 04 §9, steps 2 to 6). */
async function transfer(
  backend: WorkspaceBackend,
  from: string,
  to: string,
  overwrite: boolean,
): Promise<Uint8Array> {
  const existing = await attempted(() => backend.readRaw(`/${to}`));
  const occupied = existing.error === undefined && existing.data !== undefined;
  if (occupied && !overwrite) {
    throw new Refusal(`'${to}' already exists. Pass overwrite: true to replace it.`);
  }
  const bytes = await readExact(backend, from);
  await place(backend, to, bytes, occupied);
  return bytes;
}

/** The first read decides whether there is a file to take: missing, a folder, a link are refused here. */
async function gate(backend: WorkspaceBackend, path: string): Promise<unknown> {
  const read = await attempted(() => backend.readRaw(`/${path}`));
  if (read.error === undefined && read.data !== undefined) return read.data.content;
  const reason = read.error === undefined ? "it does not exist" : reasonOf(read.error);
  // Some stores say of a folder that there is no such file.
  const folder = reason === "it does not exist" && (await isFolder(backend, path));
  throw new Refusal(`'${path}' cannot be used: ${folder ? "it is a directory" : reason}.`);
}

async function isFolder(backend: WorkspaceBackend, path: string): Promise<boolean> {
  const listed = await attempted(() => backend.ls(`/${path}`));
  return listed.error === undefined && "files" in listed && (listed.files?.length ?? 0) > 0;
}

async function readExact(backend: WorkspaceBackend, path: string): Promise<Uint8Array> {
  const content = await gate(backend, path);
  const raw = bytesOf(content);
  if (raw !== undefined) return raw;
  // Text may have lost bytes in the store's decoding; the download of the same path has them.
  const downloaded = await downloadedBytes(backend, path);
  const bytes = downloaded ?? exactBytes(content);
  if (bytes === undefined) {
    throw new Refusal(`'${path}' is not UTF-8, and its store cannot hand over its bytes unchanged.`);
  }
  return bytes;
}

async function downloadedBytes(backend: WorkspaceBackend, path: string): Promise<Uint8Array | undefined> {
  try {
    const [answer] = await backend.downloadFiles([`/${path}`]);
    return answer?.content ?? undefined;
  } catch {
    return undefined;
  }
}

async function place(
  backend: WorkspaceBackend,
  to: string,
  bytes: Uint8Array,
  occupied: boolean,
): Promise<void> {
  const text = binaryMimeTypeOf(to) === undefined ? decodeUtf8(bytes) : Buffer.from(bytes).toString("base64");
  // Bytes that are no text claim the path with an empty write first, so that a link or a read-only mount refuses.
  const written = await attempted(() => backend.write(`/${to}`, text ?? ""));
  if (written.error !== undefined) throw new Refusal(`'${to}' was not written: ${reasonOf(written.error)}.`);
  if (text !== undefined && (await holds(backend, to, bytes))) return;
  if (backend.uploadFiles !== undefined) {
    const [uploaded] = await backend.uploadFiles([[`/${to}`, bytes]]);
    if (!uploaded?.error && (await holds(backend, to, bytes))) return;
  }
  if (occupied) {
    throw new Refusal(`the store does not keep '${to}' byte for byte; it was left as the store wrote it.`);
  }
  const removed = await attempted(() => backend.delete(`/${to}`));
  const left = removed.error === undefined ? "" : " It was left as the store wrote it.";
  throw new Refusal(`the store does not keep '${to}' byte for byte.${left}`);
}

async function holds(backend: WorkspaceBackend, path: string, bytes: Uint8Array): Promise<boolean> {
  const stored = await downloadedBytes(backend, path);
  return stored !== undefined && Buffer.compare(stored, bytes) === 0;
}

async function attempted<T extends { error?: string }>(
  run: () => T | Promise<T>,
): Promise<T | { error: string; data?: undefined }> {
  try {
    return await run();
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** A store's own text can hold host paths, so it is sorted into a reason and dropped. */
function reasonOf(message: string): string {
  if (/read-only/i.test(message)) return "it is in a read-only mount";
  if (/symlink|symbolic link|eloop/i.test(message)) return "it is a symbolic link";
  if (/is_directory|is a directory|eisdir|not a file/i.test(message)) return "it is a directory";
  if (isAbsence(message)) return "it does not exist";
  if (/permission|eacces|eperm/i.test(message)) return "permission denied";
  if (/not support|cannot/i.test(message)) return "the store cannot do that";
  return "the store refused";
}
