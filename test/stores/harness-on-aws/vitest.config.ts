/**
 * Runs the harness's own tests of chapter 04 with its memory session store replaced by the S3 one and its own
 * checkpointer by the one on DynamoDB (AWS-028): wherever they make an agent without a checkpointer, it gets that.
 */
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import onS3, { allBut, OF_MEMORY_ALONE } from "../harness-on-s3/vitest.config.ts";

const REPLACED = /\/packages\/harness\/src\/create-agent\.ts$/;
const REPLACEMENT = fileURLToPath(new URL("checkpoints-in-dynamodb.ts", import.meta.url));

/** What looks into the harness's own checkpointer: at what it holds in memory, at its files in the session store. */
const OF_OWN_CHECKPOINTER_ALONE = [
  "frees the checkpoints an agent holds of a session",
  "WS-062 the reply is a line, the next request carries the image, the history never does",
];

export default mergeConfig(
  onS3,
  defineConfig({
    plugins: [
      {
        name: "checkpoints-in-dynamodb",
        enforce: "pre",
        async resolveId(source, importer, options) {
          if (importer === REPLACEMENT) return undefined;
          const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
          return resolved !== null && REPLACED.test(resolved.id) ? REPLACEMENT : undefined;
        },
      },
    ],
    test: { testNamePattern: allBut([...OF_MEMORY_ALONE, ...OF_OWN_CHECKPOINTER_ALONE]) },
  }),
);
