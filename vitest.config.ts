import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source", "node"] } },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "functions/**/*.test.ts",
      "scripts/**/*.test.ts",
      "test/**/*.test.ts",
    ],
    // What is below test/aws needs AWS's runtime client, what is below test/load takes minutes: each has a
    // configuration of its own.
    exclude: ["**/node_modules/**", "**/dist/**", "test/aws/**", "test/load/**"],
    setupFiles: [fileURLToPath(new URL("test/support/property-seed.ts", import.meta.url))],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
