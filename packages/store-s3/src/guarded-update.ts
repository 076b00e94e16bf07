import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { S3StoreError } from "./errors.ts";
import { headObject, readObject, type StoredObject } from "./object-read.ts";
import { type ObjectContent, putObject, type WriteCondition } from "./object-write.ts";
import type { BucketAccess } from "./options.ts";
import { isLostRace } from "./s3-failure.ts";

/** The metadata entry that holds the ids of an object's latest guarded writes, newest first. */
const WRITES = "writes";

/**
 * How many ids an object keeps. S3 allows 2 KB of metadata; a writer whose answer got lost still finds its id
 * unless so many others wrote in the meantime.
 */
const REMEMBERED_WRITES = 64;

const ATTEMPTS = 60;
const LONGEST_PAUSE_MS = 500;

/** Waits before the next attempt, counted from 1. */
export type Pause = (attempt: number) => Promise<void>;

/** How long, at random, racing writers wait, so that they do not meet again and again. */
const randomPause: Pause = (attempt) =>
  delay(Math.random() * Math.min(LONGEST_PAUSE_MS, 10 * 2 ** Math.min(attempt, 10)));

/** The object to be changed and how. */
export interface GuardedUpdate {
  readonly key: string;
  readonly contentType: string;
  /**
   * The new bytes, from the object as it is, or from `undefined` where there is none; `undefined` leaves
   * everything as it is. Called again whenever another writer was faster.
   */
  readonly change: (current: StoredObject | undefined) => Uint8Array | undefined;
}

/**
 * Reads an object, changes it and puts it back only if it is still the object that was read. No writer's
 * change is lost: who comes second reads again.
 *
 * A request whose answer got lost is sent again by the SDK and then refused, because its first sending
 * had already taken effect. So each write leaves an id in the object's metadata, by which the writer finds that
 * the object it lost to holds its own change.
 *
 * @throws S3StoreError when other writers were faster every time; otherwise what `change` or the SDK throws
 */
export async function updateObject(
  access: BucketAccess,
  { key, contentType, change }: GuardedUpdate,
  pause: Pause = randomPause,
): Promise<void> {
  const id = newWriteId();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const current = await readObject(access, key, access.maxReadBytes);
    const earlier = writesOf(current);
    if (earlier.includes(id)) return;
    const bytes = change(current);
    if (bytes === undefined) return;
    const metadata = { [WRITES]: [id, ...earlier].slice(0, REMEMBERED_WRITES).join(" ") };
    try {
      await putObject(access, { key, bytes, contentType, metadata }, conditionOf(current));
      return;
    } catch (error) {
      if (!isLostRace(error)) throw error;
      await pause(attempt);
    }
  }
  throw lostEveryRace();
}

/**
 * Stores an object only if there is none.
 *
 * @returns whether this call created it, also where the answer to its first sending got lost
 * @throws S3StoreError when others created and removed it every time; otherwise what the SDK throws
 */
export async function createObject(
  access: BucketAccess,
  content: ObjectContent,
  pause: Pause = randomPause,
): Promise<boolean> {
  const id = newWriteId();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      await putObject(access, { ...content, metadata: { [WRITES]: id } }, { IfNoneMatch: "*" });
      return true;
    } catch (error) {
      if (!isLostRace(error)) throw error;
      const winner = await headObject(access, content.key);
      if (winner !== undefined) return writesOf(winner).includes(id);
      await pause(attempt);
    }
  }
  throw lostEveryRace();
}

function newWriteId(): string {
  return randomBytes(6).toString("base64url");
}

function writesOf(object: { metadata: Readonly<Record<string, string>> } | undefined): string[] {
  return object?.metadata[WRITES]?.split(" ") ?? [];
}

function conditionOf(current: StoredObject | undefined): WriteCondition {
  if (current === undefined) return { IfNoneMatch: "*" };
  if (current.etag === undefined) throw new S3StoreError("S3 gave it no ETag, so no change can be guarded");
  return { IfMatch: current.etag };
}

function lostEveryRace(): S3StoreError {
  return new S3StoreError(`other writers changed it ${ATTEMPTS} times while this change was made; try again`);
}
