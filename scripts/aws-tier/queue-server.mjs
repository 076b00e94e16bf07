/**
 * The tests of the queue, the schedules and the events, on moto's SQS, Scheduler and EventBridge. They move the
 * server's clock, so they have a server of their own, and run one file after another.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runVitest } from "../vitest-run.mjs";
import { startMoto } from "./moto.mjs";

/** The suites that move the clock. */
export const QUEUE_SUITES = ["queue", "schedules", "events"].map((room) => `packages/host-aws/src/${room}`);

const SETTINGS = ["--no-file-parallelism", "--testTimeout=120000"];

/**
 * Runs the suites.
 * @param {string} root the repository's folder
 * @param {readonly string[]} args further arguments for vitest
 * @returns {Promise<{ passed: number, failed: number }>} tests; a server that does not start counts as one failure
 */
export async function runOnQueueServer(root, args) {
  const folder = mkdtempSync(join(tmpdir(), "archmax-moto-clock-"));
  const clockFile = join(folder, "seconds-ahead");
  writeFileSync(clockFile, "0");
  try {
    const server = await startMoto(clockFile);
    try {
      console.log(`\n== Queue, schedules and events, on moto at ${server.endpoint}`);
      return runVitest(root, [...QUEUE_SUITES, ...SETTINGS, ...args], {
        ARCHMAX_MOTO_ENDPOINT: server.endpoint,
        ARCHMAX_MOTO_CLOCK: clockFile,
      });
    } finally {
      await server.stop();
    }
  } catch (error) {
    console.error(`moto: ${error.message}`);
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
