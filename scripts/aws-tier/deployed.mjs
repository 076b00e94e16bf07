/**
 * The cases of the deployed functions once more: their bundles in AWS's own runtime client, which has to be there, and
 * every service by moto. A server that `ARCHMAX_MOTO_ENDPOINT` names is used as it is.
 */
import { runVitest } from "../vitest-run.mjs";
import { startMoto } from "./moto.mjs";

/**
 * All of them, or, where continuous integration has minutes alone, a session's whole way; `npm test` plays every one on
 * its own servers.
 */
const PLAYED = process.env.CI === "true" ? "test/deployed/whole-session" : "test/deployed";

/** This server is slower than what `npm test` uses, and serves one request at a time. */
const PATIENCE = "--testTimeout=180000";

/**
 * Runs them.
 * @param {string} root the repository's folder
 * @param {readonly string[]} args further arguments for vitest
 * @returns {Promise<{ passed: number, failed: number }>} tests; a server that does not start counts as one failure
 */
export async function runDeployed(root, args) {
  const given = process.env.ARCHMAX_MOTO_ENDPOINT;
  try {
    const server = given === undefined ? await startMoto() : { endpoint: given, stop: async () => {} };
    try {
      console.log(`\n== The deployed functions, in AWS's runtime client, on moto at ${server.endpoint}`);
      return runVitest(root, [PLAYED, PATIENCE, ...args], {
        ARCHMAX_MOTO_ENDPOINT: server.endpoint,
        ARCHMAX_RUNTIME_CLIENT: "aws",
      });
    } finally {
      await server.stop();
    }
  } catch (error) {
    console.error(`moto: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}
