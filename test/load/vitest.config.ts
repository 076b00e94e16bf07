/** Many sessions at once through the deployed functions, and many faults: `npm run test:load`, which takes minutes. */
import { defineConfig } from "vitest/config";
import base from "../../vitest.config.ts";

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/load/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    // Each file has the machine for itself.
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
  },
});
