/** A turn through the host beside the same turn by the agent alone, in one process, over the same stores. */
import { randomUUID } from "node:crypto";
import {
  createSendApp,
  createTurnRunner,
  createWorkspaceCatalog,
  silentLogger,
  systemClock,
} from "@archmax-ai/host";
import {
  createDynamoIdempotencyStore,
  createDynamoSessionEventLog,
  createDynamoSessionRecords,
  createEventBridgePublisher,
  createResumeSchedules,
  createSqsTurnQueue,
} from "@archmax-ai/host-aws";
import { createAwsAgentProvider } from "@archmax-ai/host-aws/agents";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { SchedulerClient } from "@aws-sdk/client-scheduler";
import type { Deployment } from "../deployed/deployment.ts";
import { CLIENT } from "../deployed/services/services.ts";
import { arrival } from "../support/api-client.ts";
import { median } from "./cold-starts.ts";

/** Medians in ms. */
export interface Overhead {
  agentMs: number;
  hostMs: number;
}

export async function hostOverhead(deployment: Deployment, runs: number): Promise<Overhead> {
  const { clients, names, services, env } = deployment;
  const { dynamo, s3 } = clients;
  const { bucket, checkpointsTable, recordsTable, hostTable } = names;
  for (const [name, value] of Object.entries(env))
    if (/^ARCHMAX_(?:API|MODEL)/.test(name)) process.env[name] = value;
  const workspaceDir = env.ARCHMAX_WORKSPACE_DIR ?? "";
  const agents = createAwsAgentProvider({ workspaceDir, dynamo, checkpointsTable, s3, bucket });
  const queue = createSqsTurnQueue({
    client: clients.sqs,
    queueUrl: services.queue.url,
    deadLetterQueueUrl: services.deadLetters.url,
    overflow: { client: s3, bucket },
  });
  const eventBridge = new EventBridgeClient({ ...CLIENT, endpoint: services.addresses.EVENTBRIDGE });
  const scheduler = new SchedulerClient({ ...CLIENT, endpoint: services.addresses.SCHEDULER });
  const ports = {
    records: createDynamoSessionRecords({ client: dynamo, tableName: recordsTable }),
    eventLog: createDynamoSessionEventLog({ client: dynamo, tableName: hostTable }),
    queue,
    scheduler: createResumeSchedules({
      client: scheduler,
      group: services.scheduleGroup,
      roleArn: "arn:aws:iam::000000000000:role/bench",
      queueArn: services.queue.arn,
      deadLetterQueueArn: services.scheduleDeadLetters.arn,
      queue,
    }),
    publisher: createEventBridgePublisher({ client: eventBridge, busName: services.busName }),
    clock: systemClock,
    logger: silentLogger,
    newId: randomUUID,
  };
  const app = createSendApp({
    ...ports,
    runner: createTurnRunner({ ...ports, agents }),
    catalog: createWorkspaceCatalog(workspaceDir),
    idempotency: createDynamoIdempotencyStore({
      client: dynamo,
      tableName: hostTable,
      overflow: { client: s3, bucket },
    }),
    authenticator: {
      authenticate: async () => ({ tenant: "bench", subject: "bench", scopes: ["sessions:send"] }),
    },
  });

  async function byHost(id: string): Promise<number> {
    const from = performance.now();
    const answer = await app.fetch(
      new Request(`http://bench/workflows/invoice-approval/sessions/${id}/send`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(arrival(id)),
      }),
    );
    await answer.text();
    if (answer.status !== 200) throw new Error(`The host answered ${answer.status}.`);
    return performance.now() - from;
  }

  async function byAgent(id: string): Promise<number> {
    const from = performance.now();
    const agent = await agents.agentFor({
      tenant: "bench-agent",
      sessionId: id,
      workflow: "invoice-approval",
      fence: { token: 1, assertHeld: async () => {} },
      afterCheckpoint: () => {},
      onEvent: () => {},
    });
    const config = { durability: "sync" as const, configurable: { thread_id: id } };
    const outcome = await agent.workflow.send(id, arrival(id), config);
    JSON.stringify(outcome);
    agent.dispose(id);
    return performance.now() - from;
  }

  const host: number[] = [];
  const agent: number[] = [];
  for (let run = -2; run < runs; run += 1) {
    const [agentMs, hostMs] = [
      await byAgent(`a${run}-${randomUUID()}`),
      await byHost(`h${run}-${randomUUID()}`),
    ];
    if (run < 0) continue;
    agent.push(agentMs);
    host.push(hostMs);
  }
  eventBridge.destroy();
  scheduler.destroy();
  return { agentMs: median(agent), hostMs: median(host) };
}
