/**
 * One build at a time: test files run side by side, and each may find that something is to be built first.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** How often a waiting process looks again, in ms. */
const LOOK_AGAIN_MS = 100;

/** The process that holds the lock, or undefined where it let go meanwhile. */
function holder(path) {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch (cause) {
    if (cause.code === "ENOENT") return undefined;
    throw cause;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause.code === "EPERM";
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (cause) {
    if (cause.code === "EEXIST") return false;
    throw cause;
  }
}

/**
 * Does some work while no other process does any under the same root. A lock whose process is gone is taken over.
 * @template T
 * @param {string} root the repository's folder
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function underBuildLock(root, work) {
  const folder = join(root, "node_modules", ".cache");
  const path = join(folder, "archmax-build.lock");
  mkdirSync(folder, { recursive: true });
  while (!take(path)) {
    const pid = holder(path);
    if (pid !== undefined && pid > 0 && !isAlive(pid)) rmSync(path, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}
