/** How npm is started, whatever started this. Built-ins only: an install needs it. */
import { spawnSync } from "node:child_process";

/**
 * Runs npm and waits for it.
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} options
 * @throws {Error} where npm cannot be started
 */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath;
  const [command, first] =
    npm !== undefined && /\.c?js$/.test(npm)
      ? [process.execPath, [npm]]
      : [process.platform === "win32" ? "npm.cmd" : "npm", []];
  const result = spawnSync(command, [...first, ...args], {
    shell: process.platform === "win32" && first.length === 0,
    ...options,
  });
  if (result.error !== undefined)
    throw new Error(`npm could not be started: ${result.error.message}`, { cause: result.error });
  return result;
}
