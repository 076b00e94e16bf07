/**
 * `npm run test:load`: many sessions at once through the deployed functions, and many faults. Takes minutes. Ends with
 * `N passed, N failed` alone on the last line. Arguments after `--` go to vitest.
 */
import { buildAll } from "./build-all.mjs";
import { ensureInstalled } from "./install.mjs";
import { underNode24 } from "./node-24.mjs";
import { ROOT } from "./root.mjs";
import { countsLine, runVitest } from "./vitest-run.mjs";

ensureInstalled(ROOT);
await underNode24(ROOT);
await buildAll(ROOT);
const counts = runVitest(ROOT, ["--config", "test/load/vitest.config.ts", ...process.argv.slice(2)]);
console.log(`\n${countsLine(counts)}`);
process.exitCode = counts.failed === 0 ? 0 : 1;
