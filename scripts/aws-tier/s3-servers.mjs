/**
 * The tests of what is kept on S3, on servers that honour what S3 promises, conditional writes above all: moto,
 * and Ceph's gateway where it has been asked for. A server that `ARCHMAX_MOTO_ENDPOINT` or
 * `ARCHMAX_RGW_ENDPOINT` names is used as it is.
 */
import { runVitest } from "../vitest-run.mjs";
import { startMoto } from "./moto.mjs";
import { rgwUnavailable, startRgw } from "./rgw.mjs";

/** These servers and a machine that runs them beside the tests are slower than what `npm test` uses. */
const PATIENCE = "--testTimeout=60000";

const STORE = { title: "S3 backend and session store", args: ["packages/store-s3", "test/stores"] };
const HARNESS = {
  title: "The harness's own tests on the S3 session store and the DynamoDB checkpointer",
  args: ["--config", "test/stores/harness-on-aws/vitest.config.ts"],
};

/** Each server with the variable that names it to the tests, and the suites that run on it. */
const SERVERS = [
  {
    name: "moto",
    variable: "ARCHMAX_MOTO_ENDPOINT",
    start: startMoto,
    suites: [STORE, HARNESS],
  },
  {
    name: "Ceph's gateway",
    variable: "ARCHMAX_RGW_ENDPOINT",
    start: startRgw,
    unavailable: rgwUnavailable,
    suites: [STORE],
  },
];

/**
 * Runs each suite on its servers.
 * @param {string} root the repository's folder
 * @param {readonly string[]} args further arguments for vitest
 * @returns {Promise<{ passed: number, failed: number }>} tests; a server that does not start counts as one failure
 */
export async function runOnS3Servers(root, args) {
  const counts = { passed: 0, failed: 0 };
  for (const { name, variable, start, unavailable, suites } of SERVERS) {
    const given = process.env[variable];
    const reason = given === undefined ? await unavailable?.() : undefined;
    if (reason !== undefined) {
      console.log(`\nSkipped: ${name}; ${reason}.`);
      continue;
    }
    try {
      const server = given === undefined ? await start() : { endpoint: given, stop: async () => {} };
      try {
        for (const { title, args: chosen } of suites) {
          console.log(`\n== ${title}, on ${name} at ${server.endpoint}`);
          const others = SERVERS.map((each) => [each.variable, undefined]);
          const env = { ...Object.fromEntries(others), [variable]: server.endpoint };
          const { passed, failed } = runVitest(root, [...chosen, PATIENCE, ...args], env);
          counts.passed += passed;
          counts.failed += failed;
        }
      } finally {
        await server.stop();
      }
    } catch (error) {
      console.error(`${name}: ${error.message}`);
      counts.failed += 1;
    }
  }
  return counts;
}
