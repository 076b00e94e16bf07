/** `npm run soak:checkpoint`: the checkpointer's soak test in full, 10,000 checkpoints over 200 threads. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled } from "./install.mjs";
import { underNode24, withLocalTools } from "./node-24.mjs";
import { ROOT } from "./root.mjs";

ensureInstalled(ROOT);
await underNode24(ROOT);

const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
const result = spawnSync(process.execPath, [vitest, "run", "packages/checkpoint-dynamodb/src/soak.test.ts"], {
  cwd: ROOT,
  env: { ARCHMAX_SOAK_CHECKPOINTS: "10000", ...withLocalTools(ROOT) },
  stdio: "inherit",
});
process.exitCode = result.status ?? 1;
