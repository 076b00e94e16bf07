/**
 * Runs the harness's own tests of chapter 04 with its memory session store replaced by the S3 one and its own
 * checkpointer by the one on DynamoDB (AWS-028): wherever they make an agent without a checkpointer, it gets that.
 */
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import onS3, { allBut, OF_MEMORY_ALONE } from "../harness-on-s3/vitest.config.ts";

const CREATE_AGENT = /\/packages\/harness\/src\/create-agent\.ts$/;
const CHECKPOINTS = fileURLToPath(new URL("checkpoints-in-dynamodb.ts", import.meta.url));

/** `createAgent` around what the module holds under that name, which stays as it is. */
const WRAPPER = `
import { withCheckpointer } from ${JSON.stringify(CHECKPOINTS)};
export const createAgent = async (params: CreateAgentParams = {}) => createHarnessAgent(withCheckpointer(params));
`;

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
        transform(code, id) {
          if (!CREATE_AGENT.test(id)) return undefined;
          const renamed = code.replace(
            "export async function createAgent(",
            "async function createHarnessAgent(",
          );
          if (renamed === code) throw new Error(`${id} has no createAgent to put a checkpointer into.`);
          return { code: renamed + WRAPPER, map: null };
        },
      },
    ],
    test: { testNamePattern: allBut([...OF_MEMORY_ALONE, ...OF_OWN_CHECKPOINTER_ALONE]) },
  }),
);
