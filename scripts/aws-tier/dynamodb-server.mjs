/**
 * The tests of what is kept in DynamoDB, on moto's: checkpoints and the ports on AWS, with what goes to S3 on moto's.
 * A server that `ARCHMAX_MOTO_ENDPOINT` names is used as it is.
 */
import { runVitest } from "../vitest-run.mjs";
import { startMoto } from "./moto.mjs";
import { QUEUE_SUITES } from "./queue-server.mjs";

/** This server is slower than what `npm test` uses. */
const PATIENCE = "--testTimeout=120000";

/**
 * Runs the suite.
 * @param {string} root the repository's folder
 * @param {readonly string[]} args further arguments for vitest
 * @returns {Promise<{ passed: number, failed: number }>} tests; a server that does not start counts as one failure
 */
export async function runOnDynamoDB(root, args) {
  const given = process.env.ARCHMAX_MOTO_ENDPOINT;
  try {
    const server = given === undefined ? await startMoto() : { endpoint: given, stop: async () => {} };
    try {
      console.log(`\n== DynamoDB checkpointer and the ports on AWS, on moto at ${server.endpoint}`);
      const suites = ["packages/checkpoint-dynamodb", "packages/host-aws", "test/checkpoint-dynamodb"];
      const others = QUEUE_SUITES.map((suite) => `--exclude=${suite}/**`);
      return runVitest(root, [...suites, ...others, PATIENCE, ...args], {
        ARCHMAX_MOTO_ENDPOINT: server.endpoint,
      });
    } finally {
      await server.stop();
    }
  } catch (error) {
    console.error(`moto: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}
