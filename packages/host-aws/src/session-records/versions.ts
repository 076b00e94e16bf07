/**
 * Versions of a record. Each names the write that made it and the writes before, newest first, so that a writer
 * whose answer was lost can tell that its write was stored, even when others have written on top since.
 */
import { randomBytes } from "node:crypto";

/** How many writes a version names. A lost answer is told from a lost race unless that many came in between. */
const REMEMBERED = 16;

/** The id of one write, never used again. */
export function newWriteId(): string {
  return randomBytes(12).toString("base64url");
}

/** The version that a write makes of the one it replaces. */
export function versionAfter(writeId: string, replaced?: string): string {
  const before = replaced === undefined ? [] : replaced.split(".");
  return [writeId, ...before].slice(0, REMEMBERED).join(".");
}

/** Whether a version was made by this write or on top of it. */
export function descendsFrom(version: string, writeId: string): boolean {
  return version.split(".").includes(writeId);
}
