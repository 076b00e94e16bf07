/** The deployed functions as a host under test. */
import { paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { buildAll } from "../../scripts/build-all.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { type Deployment, type DeploymentOptions, deploy } from "../deployed/deployment.ts";
import { endedWithTheFile } from "./child-processes.ts";
import { exampleWorkspace } from "./example-workspace.ts";
import type { ServedWorkspace } from "./served-workspace.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { startTestModel } from "./test-model.ts";

/** What was put aside: a command, or an event that came to none. */
export interface DeadLetter {
  reason: string;
  command?: Record<string, unknown>;
  letter?: unknown;
}

export interface DeployedWorkspace extends ServedWorkspace {
  deployment: Deployment;
  /** What has been put aside so far. It stays there, and shows again after a second. */
  deadLetters(): Promise<DeadLetter[]>;
}

/** Takes every message there is in hand for a second. */
async function deadLettersOf({ clients, services }: Deployment): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  for (;;) {
    const { Messages = [] } = await clients.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: services.deadLetters.url,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 1,
        MessageAttributeNames: ["All"],
      }),
    );
    if (Messages.length === 0) return found;
    for (const { Body = "{}", MessageAttributes } of Messages) {
      const reason = MessageAttributes?.reason?.StringValue ?? "";
      const { command, letter } = JSON.parse(Body) as Omit<DeadLetter, "reason">;
      found.push({
        reason,
        ...(command !== undefined && { command }),
        ...(letter !== undefined && { letter }),
      });
    }
  }
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
    deadLetters: () => deadLettersOf(deployment),
    redeploy: () => deployment.recycle(),
    async stop() {
      await deployment.stop();
      await model.stop();
    },
  };
}
