/**
 * Runs the harness's own tests of chapter 04 with its memory session store replaced by the S3 one (AWS-028):
 * wherever they make the former they get the latter, below a prefix of its own.
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const REPLACED = /\/packages\/harness\/src\/workspace\/memory-session-store\.ts$/;
const REPLACEMENT = fileURLToPath(new URL("s3-in-place-of-memory.ts", import.meta.url));

/** What holds for a store in memory alone: its kind, and that it cannot keep the bytes of a document. */
export const OF_MEMORY_ALONE = [
  "in memory.*says what it is and can do",
  "WS-071 a memory store refuses a document",
  "an overwritten file the store garbles is left as it wrote it",
  "a store that changes the bytes: everything placed is removed",
];

/** Matches the full names of all tests but those that hold one of these. */
export const allBut = (names: readonly string[]): RegExp => new RegExp(`^(?!.*(?:${names.join("|")}))`);

export default defineConfig({
  root: fileURLToPath(new URL("../../..", import.meta.url)),
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source", "node"] } },
  plugins: [
    {
      name: "s3-in-place-of-memory",
      enforce: "pre",
      async resolveId(source, importer, options) {
        const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
        return resolved !== null && REPLACED.test(resolved.id) ? REPLACEMENT : resolved;
      },
    },
  ],
  test: {
    include: [
      "packages/harness/src/{workspace,sessions,runtime}/**/*.test.ts",
      "packages/harness/src/create-agent.test.ts",
    ],
    testNamePattern: allBut(OF_MEMORY_ALONE),
    exclude: ["**/node_modules/**", "**/dist/**"],
    setupFiles: [fileURLToPath(new URL("../../support/property-seed.ts", import.meta.url))],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
