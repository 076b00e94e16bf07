/** A host under test, over a workspace of its own, and the local host as one. */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Caller } from "./api-client.ts";
import { exampleWorkspace } from "./example-workspace.ts";
import { startHost } from "./host-process.ts";
import { filesBelow, temporaryFolder } from "./temporary-folder.ts";
import { startTestModel, type TestModel } from "./test-model.ts";

/** What the cases of `test/cases` are played on, whatever hosts the verbs. */
export interface ServedWorkspace {
  /** The host, called with a key of every scope. */
  host: Required<Caller>;
  workspace: string;
  model: TestModel;
  /** Routes of the second workflow, whose document is the example's. */
  other: string;
  /** A key of another tenant, and one of this tenant that may not decide. */
  stranger: Required<Caller>;
  sender: Required<Caller>;
  /** What must show in no answer: names of the machine, of tables and buckets. */
  secrets: string[];
  /** The files of all sessions, as sorted paths. */
  storedFiles(): Promise<string[]>;
  /** Has the host take up changed documents. */
  redeploy(): Promise<void>;
  stop(): Promise<void>;
}

const apiKey = (secret: string, tenant: string, scopes: string[]) => ({
  label: secret,
  sha256: createHash("sha256").update(secret).digest("hex"),
  tenant,
  scopes,
});

/** Starts the process that `npm start` runs, the model pausing `modelLatencyMs` before each answer. */
export async function serveWorkspace(modelLatencyMs: number): Promise<ServedWorkspace> {
  const dataDir = await temporaryFolder();
  const workspace = await exampleWorkspace();
  await writeFile(
    join(dataDir, "api-keys.json"),
    JSON.stringify([
      apiKey("stranger", "elsewhere", [
        "sessions:send",
        "sessions:read",
        "sessions:decide",
        "workflows:read",
      ]),
      apiKey("sender", "local", ["sessions:send", "sessions:read"]),
    ]),
  );
  const model = await startTestModel(modelLatencyMs);
  const { url, apiKey: key, stop } = await startHost({ dataDir, workspace, env: model.env });
  return {
    host: { url, apiKey: key },
    workspace,
    model,
    other: "/workflows/other-approval",
    stranger: { url, apiKey: "stranger" },
    sender: { url, apiKey: "sender" },
    secrets: [workspace, dataDir],
    storedFiles: async () => (await filesBelow(dataDir)).filter((path) => !path.startsWith("host.")),
    // Every turn reads the documents anew.
    redeploy: async () => {},
    async stop() {
      await stop();
      await model.stop();
    },
  };
}
