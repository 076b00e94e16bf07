/**
 * Installs the dependencies when they are missing or differ from the lock. Built-ins only: this runs first.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runNpm } from "./npm.mjs";

/** @returns {Record<string, { version?: string, optional?: boolean, link?: boolean }> | undefined} */
function lockedPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch (cause) {
    if (cause.code === "ENOENT") return undefined;
    throw new Error(`${path} cannot be read: ${cause.message}`, { cause });
  }
}

/**
 * Whether `node_modules` holds what the lock asks for. npm writes its own copy of the lock into
 * `node_modules` as the last thing it does, so an interrupted install counts as none.
 * @param {string} root the repository's folder
 */
export function isInstalled(root) {
  const wanted = lockedPackages(join(root, "package-lock.json"));
  const present = lockedPackages(join(root, "node_modules", ".package-lock.json"));
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || !path.startsWith("node_modules/")) return true;
    const found = present[path];
    if (found === undefined) return entry.optional === true;
    return found.version === entry.version;
  });
}

/**
 * Runs `npm ci` unless the dependencies are there already.
 * @param {string} root the repository's folder
 */
export function ensureInstalled(root) {
  if (isInstalled(root)) return;
  console.log("Installing dependencies (npm ci) …");
  const result = runNpm(["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
  });
  if (result.status !== 0) {
    console.error(
      `npm ci ended with ${result.status ?? result.signal}. See its message above, then run the command again.`,
    );
    process.exit(1);
  }
}
