/**
 * `npm test`: everything that must hold before a change is done. Runs every step even when an earlier one fails,
 * and ends with `N passed, N failed` alone on the last line: vitest's counts, each other failed step counting as
 * one failure. Arguments after `--` go to vitest, to run some files only.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled } from "./install.mjs";
import { underNode24, withLocalTools } from "./node-24.mjs";
import { ROOT } from "./root.mjs";

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

/** vitest's counts; a file that cannot be loaded has no tests and counts as one failure. */
function vitestCounts(reportFile, succeeded) {
  let report;
  try {
    report = JSON.parse(readFileSync(reportFile, "utf8"));
  } catch (error) {
    console.error(`vitest left no report: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
  const unloadable = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((each) => each.status === "failed"),
  ).length;
  const failed = report.numFailedTests + unloadable;
  return { passed: report.numPassedTests, failed: failed === 0 && !succeeded ? 1 : failed };
}

const steps = [
  ["Lint and format", module("@biomejs", "biome", "bin", "biome"), ["check", "."]],
  ["Floors", join(ROOT, "scripts", "check-floors.mjs"), []],
  ["Types", module("typescript", "bin", "tsc"), ["-p", "tsconfig.json"]],
  ["Build", join(ROOT, "scripts", "build.mjs"), []],
];
const failedSteps = steps
  .filter(([title, program, args]) => !run(title, program, args))
  .map(([title]) => title);

const folder = mkdtempSync(join(tmpdir(), "archmax-test-"));
const reportFile = join(folder, "report.json");
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
const succeeded = run("Tests", module("vitest", "vitest.mjs"), [
  "run",
  ...reporters,
  ...process.argv.slice(2),
]);
const counts = vitestCounts(reportFile, succeeded);
rmSync(folder, { recursive: true, force: true });

const failed = counts.failed + failedSteps.length;
if (failedSteps.length > 0) console.log(`\nFailed before the tests: ${failedSteps.join(", ")}`);
console.log(`\n${counts.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
