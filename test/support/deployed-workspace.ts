/** The deployed functions as a host under test. */
import { paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { buildAll } from "../../scripts/build-all.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { type Deployment, type DeploymentOptions, deploy } from "../deployed/deployment.ts";
import { endedWithTheFile } from "./child-processes.ts";
import { exampleWorkspace } from "./example-workspace.ts";
import type { ServedWorkspace } from "./served-workspace.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { startTestModel } from "./test-model.ts";

export interface DeployedWorkspace extends ServedWorkspace {
  deployment: Deployment;
}

/** Deploys over a workspace of its own, the model pausing `modelLatencyMs` before each answer. */
export async function deployWorkspace(
  modelLatencyMs = 0,
  options: Partial<DeploymentOptions> = {},
): Promise<DeployedWorkspace> {
  await buildAll(ROOT);
  const workspace = await exampleWorkspace();
  const model = await startTestModel(modelLatencyMs);
  const deployment = await deploy({
    workspace,
    modelEnv: model.env,
    folder: await temporaryFolder(),
    onSpawn: endedWithTheFile,
    ...options,
  });
  const { url, names, clients } = deployment;
  const caller = async (...grant: Parameters<Deployment["key"]>) => ({
    url,
    apiKey: await deployment.key(...grant),
  });
  return {
    deployment,
    host: await caller("local"),
    workspace,
    model,
    other: "/workflows/other-approval",
    stranger: await caller("elsewhere", [
      "sessions:send",
      "sessions:read",
      "sessions:decide",
      "workflows:read",
    ]),
    sender: await caller("local", ["sessions:send", "sessions:read"]),
    secrets: [workspace, ROOT, ...Object.values(names), "127.0.0.1"],
    async storedFiles() {
      const keys: string[] = [];
      for await (const page of paginateListObjectsV2({ client: clients.s3 }, { Bucket: names.bucket }))
        keys.push(...(page.Contents ?? []).map(({ Key = "" }) => Key));
      return keys.sort();
    },
    redeploy: () => deployment.recycle(),
    async stop() {
      await deployment.stop();
      await model.stop();
    },
  };
}
