/**
 * `npm test`: everything that must hold before a change is done. Runs every step even when an earlier one fails,
 * and ends with `N passed, N failed` alone on the last line: vitest's counts, each other failed step counting as
 * one failure. Arguments after `--` go to vitest, to run some files only.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled } from "./install.mjs";
import { underNode24, withLocalTools } from "./node-24.mjs";
import { ROOT } from "./root.mjs";
import { countsLine, runVitest } from "./vitest-run.mjs";

ensureInstalled(ROOT);
await underNode24(ROOT);

const module = (...parts) => join(ROOT, "node_modules", ...parts);

/** Runs one Node program with its output on the terminal. */
function run(title, program, args) {
  console.log(`\n== ${title}`);
  const result = spawnSync(process.execPath, [program, ...args], {
    cwd: ROOT,
    env: withLocalTools(ROOT),
    stdio: "inherit",
  });
  if (result.error !== undefined) console.error(`${title} could not be started: ${result.error.message}`);
  return result.status === 0;
}

const steps = [
  ["Lint and format", module("@biomejs", "biome", "bin", "biome"), ["check", "."]],
  ["Floors", join(ROOT, "scripts", "check-floors.mjs"), []],
  ["Types", module("typescript", "bin", "tsc"), ["-p", "tsconfig.json"]],
  // SST bundles the configuration, which reads the workflows with the packages as they are built.
  ["Build", join(ROOT, "scripts", "build.mjs"), []],
  ["SST's components", join(ROOT, "scripts", "sst-platform.mjs"), []],
  ["Types of the infrastructure", module("typescript", "bin", "tsc"), ["-p", join("infra", "tsconfig.json")]],
];
const failedSteps = steps
  .filter(([title, program, args]) => !run(title, program, args))
  .map(([title]) => title);

console.log("\n== Tests");
const counts = runVitest(ROOT, process.argv.slice(2));

const failed = counts.failed + failedSteps.length;
if (failedSteps.length > 0) console.log(`\nFailed before the tests: ${failedSteps.join(", ")}`);
console.log(`\n${countsLine({ passed: counts.passed, failed })}`);
process.exitCode = failed === 0 ? 0 : 1;
