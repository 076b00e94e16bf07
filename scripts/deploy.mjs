/**
 * `npm run deploy -- --stage <stage>`: builds everything and hands it to `sst deploy`, with whatever else is given.
 * What is deployed is `functions/dist`, which SST itself would take as it lies there.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled } from "./install.mjs";
import { underNode24, withLocalTools } from "./node-24.mjs";
import { ROOT } from "./root.mjs";

ensureInstalled(ROOT);
await underNode24(ROOT);

const args = process.argv.slice(2);
if (!args.some((arg) => arg === "--stage" || arg.startsWith("--stage="))) {
  console.error("Say what is to be deployed: npm run deploy -- --stage <stage>");
  process.exit(2);
}
const { buildAll } = await import("./build-all.mjs");
await buildAll(ROOT);
const sst = join(ROOT, "node_modules", "sst", "bin", "sst.mjs");
const { status, error } = spawnSync(process.execPath, [sst, "deploy", ...args], {
  cwd: ROOT,
  env: withLocalTools(ROOT),
  stdio: "inherit",
});
if (error !== undefined) console.error(`sst could not be started: ${error.message}`);
process.exitCode = status ?? 1;
