/** Runs vitest and counts what came of it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withLocalTools } from "./node-24.mjs";

/** A report's counts; a file that cannot be loaded has no tests and counts as one failure. */
function reportedCounts(reportFile, succeeded) {
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

/**
 * Runs tests with their output on the terminal.
 * @param {string} root the repository's folder
 * @param {readonly string[]} args options, and filters of the files to run
 * @param {Record<string, string | undefined>} env further variables for the tests
 * @returns {{ passed: number, failed: number }} tests; a run that failed otherwise has one failure at least
 */
export function runVitest(root, args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), "archmax-test-"));
  const reportFile = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  try {
    const result = spawnSync(
      process.execPath,
      [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...reporters, ...args],
      { cwd: root, env: { ...withLocalTools(root), ...env }, stdio: "inherit" },
    );
    if (result.error !== undefined) console.error(`vitest could not be started: ${result.error.message}`);
    return reportedCounts(reportFile, result.status === 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The line every tier of tests ends with, and continuous integration reads. */
export function countsLine({ passed, failed }) {
  return `${passed} passed, ${failed} failed`;
}
