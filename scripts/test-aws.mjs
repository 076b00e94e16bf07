/**
 * `npm run test:aws`: checkpoints on moto's DynamoDB; queue, schedules and events on its SQS, Scheduler and
 * EventBridge; what is kept on S3, on servers that honour what S3 promises;
 * and the bundles of Lambda functions in AWS's own runtime client, over a Runtime API server of the tests'. Ends with
 * `N passed, N failed` alone on the last line. Arguments after `--` go to vitest.
 *
 * The client is compiled, on Linux alone: on another system, or without the tools that takes, the tier is skipped and
 * says so. A build that fails is a failure.
 */
import { runDeployed } from "./aws-tier/deployed.mjs";
import { runOnDynamoDB } from "./aws-tier/dynamodb-server.mjs";
import { runOnQueueServer } from "./aws-tier/queue-server.mjs";
import { runOnS3Servers } from "./aws-tier/s3-servers.mjs";
import { ensureInstalled } from "./install.mjs";
import { underNode24 } from "./node-24.mjs";
import { ROOT } from "./root.mjs";
import { ensureClient, missingTools } from "./runtime-interface-client.mjs";
import { countsLine, runVitest } from "./vitest-run.mjs";

ensureInstalled(ROOT);
await underNode24(ROOT);

/** What came of the tests in the runtime client. */
async function runInRuntimeClient() {
  if (process.platform !== "linux") {
    console.log(`\nSkipped: aws-lambda-ric builds on Linux alone, and this is ${process.platform}.`);
    return { passed: 0, failed: 0 };
  }
  const missing = missingTools();
  if (missing.length > 0) {
    console.log(
      `\nSkipped: aws-lambda-ric is compiled when it is installed, and this machine lacks what that takes. On Debian: apt-get install ${missing.join(" ")}`,
    );
    return { passed: 0, failed: 0 };
  }
  try {
    console.log("\n== AWS's runtime client");
    console.log(ensureClient(ROOT) ? "Built." : "Is there already.");
    console.log("\n== Build");
    const { buildAll } = await import("./build-all.mjs");
    await buildAll(ROOT);
  } catch (error) {
    console.error(error.message);
    return { passed: 0, failed: 1 };
  }
  console.log("\n== Tests in AWS's runtime client");
  const args = process.argv.slice(2);
  const edge = runVitest(ROOT, ["--config", "test/aws/vitest.config.ts", ...args]);
  const deployed = await runDeployed(ROOT, args);
  return { passed: edge.passed + deployed.passed, failed: edge.failed + deployed.failed };
}

const tiers = [
  await runOnDynamoDB(ROOT, process.argv.slice(2)),
  await runOnQueueServer(ROOT, process.argv.slice(2)),
  await runOnS3Servers(ROOT, process.argv.slice(2)),
  await runInRuntimeClient(),
];
const counts = {
  passed: tiers.reduce((sum, { passed }) => sum + passed, 0),
  failed: tiers.reduce((sum, { failed }) => sum + failed, 0),
};
console.log(`\n${countsLine(counts)}`);
process.exitCode = counts.failed === 0 ? 0 : 1;
