/** The deployed functions without an account: their bundles, what they run on, and what calls them. */

import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { DynamoDBSaver } from "@archmax-ai/checkpoint-dynamodb";
import { SCOPES, type Scope } from "@archmax-ai/host";
import {
  createDynamoApiKeys,
  createHostTable,
  createSessionRecordsTable,
  createSqsTurnQueue,
} from "@archmax-ai/host-aws";
import type { RuntimeClient } from "../support/lambda-process.ts";
import type { InvocationResult } from "../support/runtime-api.ts";
import { type MovedClock, movedClock } from "./clock.ts";
import { startFront } from "./front/front.ts";
import { HTTP_FUNCTIONS } from "./front/routes.ts";
import { type DeployedFunction, deployedFunction } from "./lambda/deployed-function.ts";
import { embeddedServices } from "./services/embedded-services.ts";
import { motoServices } from "./services/moto-services.ts";
import { type ServiceProxy, startProxy } from "./services/proxy.ts";
import {
  CREDENTIALS_ENV,
  createBucket,
  SERVICES,
  type ServiceClients,
  type ServiceName,
  type Services,
  serviceClients,
} from "./services/services.ts";
import { inputsOf } from "./sources/event-rules.ts";
import { type QueuePoller, startQueuePoller } from "./sources/queue-poller.ts";

/** Every function of a deployment that runs on Lambda in its region. */
export const FUNCTIONS = [...HTTP_FUNCTIONS, "worker", "ingest", "sweep"] as const;

export type FunctionName = (typeof FUNCTIONS)[number];

export interface DeploymentOptions {
  /** The workspace: `workflows/`, `skills/` and `AGENTS.md`. */
  workspace: string;
  /** What the functions find the model by. */
  modelEnv: Readonly<Record<string, string>>;
  /** A folder for the deployment's own. */
  folder: string;
  /** How every caller is known; by API key where nothing is said. */
  auth?: unknown;
  /** How long an invocation may take, in ms; 120 s where nothing is said. */
  timeoutsMs?: Partial<Record<FunctionName, number>>;
  /** Instances of each function at most. */
  instances?: number;
  /** How long the queue hides a message that is being carried out, in seconds. */
  visibilitySeconds?: number;
  /** Takes every queued message to the worker twice. */
  messagesTwice?: boolean;
  /** Hands every event of the bus to `ingest` twice. */
  eventsTwice?: boolean;
  /** Called with each process that is started. */
  onSpawn?: (child: ChildProcess) => void;
}

export interface Deployment {
  /** `http://127.0.0.1:<port>`, the front. */
  url: string;
  services: Services;
  clients: ServiceClients;
  clock: MovedClock;
  /** What stands between the functions and each service. */
  proxies: Record<ServiceName, ServiceProxy>;
  functions: Record<FunctionName, DeployedFunction>;
  poller: QueuePoller;
  /** What every function is started with. */
  env: Record<string, string>;
  /** Names of tables, bucket and queues, as the functions have them. */
  names: { recordsTable: string; checkpointsTable: string; hostTable: string; bucket: string };
  /** Makes an API key; every scope where none are named. */
  key(tenant: string, scopes?: readonly Scope[]): Promise<string>;
  /** Runs the sweep once, as its timer does. Rejects where it failed. */
  sweep(): Promise<void>;
  /** Puts every dead letter back, as an operator does; says how many. */
  redrive(): Promise<number>;
  /** Ends the instances that wait: the next events start new ones. */
  recycle(): Promise<void>;
  /** Everything all functions have logged. */
  log(): string;
  stop(): Promise<void>;
}

/** The client the bundles run in, and where moto is: what `npm run test:aws` sets. */
const CLIENT = (process.env.ARCHMAX_RUNTIME_CLIENT ?? "small") as RuntimeClient;
const MOTO = process.env.ARCHMAX_MOTO_ENDPOINT;

/** Whether the services are moto's, each of whose requests takes some ten milliseconds. */
export const ON_MOTO = MOTO !== undefined;

/** Whose the events of the bus are. */
const EVENT_TENANT = "local";
const TIMEOUT_MS = 120_000;
const INSTANCES = 4;
/** Shorter than a turn may take: a message that shows again meanwhile finds its session busy. */
const VISIBILITY_SECONDS = 10;

async function tablesAndBucket({ dynamo, s3 }: ServiceClients): Promise<Deployment["names"]> {
  const id = randomUUID().slice(0, 8);
  const names = {
    recordsTable: `records-${id}`,
    checkpointsTable: `checkpoints-${id}`,
    hostTable: `host-${id}`,
    bucket: `archmax-${id}`,
  };
  await createSessionRecordsTable(dynamo, { tableName: names.recordsTable });
  await DynamoDBSaver.createTable(dynamo, { tableName: names.checkpointsTable });
  await createHostTable(dynamo, { tableName: names.hostTable });
  await createBucket(s3, names.bucket);
  return names;
}

/** Every variable a function may ask for. On AWS each gets its own alone, which the tests of `infra/` show. */
function environment(
  { workspace, modelEnv, auth = { kind: "apiKey" } }: DeploymentOptions,
  services: Services,
  names: Deployment["names"],
  proxies: Deployment["proxies"],
): Record<string, string> {
  return {
    ...CREDENTIALS_ENV,
    ...Object.fromEntries(SERVICES.map((name) => [`AWS_ENDPOINT_URL_${name}`, proxies[name].url])),
    ARCHMAX_STAGE: "test",
    ARCHMAX_WORKSPACE_DIR: workspace,
    ARCHMAX_RECORDS_TABLE: names.recordsTable,
    ARCHMAX_CHECKPOINTS_TABLE: names.checkpointsTable,
    ARCHMAX_HOST_TABLE: names.hostTable,
    ARCHMAX_BUCKET: names.bucket,
    ARCHMAX_QUEUE_URL: throughProxy(services.queue.url, proxies.SQS),
    ARCHMAX_QUEUE_ARN: services.queue.arn,
    ARCHMAX_DEAD_LETTER_QUEUE_URL: throughProxy(services.deadLetters.url, proxies.SQS),
    ARCHMAX_SCHEDULE_DEAD_LETTER_QUEUE_ARN: services.scheduleDeadLetters.arn,
    ARCHMAX_BUS_NAME: services.busName,
    ARCHMAX_SCHEDULE_GROUP: services.scheduleGroup,
    ARCHMAX_SCHEDULE_ROLE_ARN: "arn:aws:iam::000000000000:role/archmax-test-schedules",
    ARCHMAX_AUTH: JSON.stringify(auth),
    ARCHMAX_S3_PATH_STYLE: "1",
    ...modelEnv,
  };
}

function throughProxy(queueUrl: string, proxy: ServiceProxy): string {
  return `${proxy.url}${new URL(queueUrl).pathname}`;
}

async function startProxies({ addresses }: Services): Promise<Deployment["proxies"]> {
  const started = SERVICES.map(async (name) => [name, await startProxy(addresses[name])] as const);
  return Object.fromEntries(await Promise.all(started)) as Deployment["proxies"];
}

function expectDone(result: InvocationResult, name: string): void {
  if (!result.ok) throw new Error(`${name} failed: ${result.error.errorType}: ${result.error.errorMessage}`);
}

/** Deploys. The bundles have to be there. */
export async function deploy(options: DeploymentOptions): Promise<Deployment> {
  const { folder, instances = INSTANCES, timeoutsMs = {}, onSpawn } = options;
  const clock = movedClock(folder);
  const queueSettings = { visibilitySeconds: options.visibilitySeconds ?? VISIBILITY_SECONDS };
  const services =
    MOTO === undefined
      ? await embeddedServices(clock, queueSettings)
      : await motoServices(MOTO, clock, queueSettings);
  const clients = serviceClients(services);
  const names = await tablesAndBucket(clients);
  const proxies = await startProxies(services);
  const env = { ...environment(options, services, names, proxies), ...clock.env };
  const functions = Object.fromEntries(
    FUNCTIONS.map((name) => [
      name,
      deployedFunction(name, {
        client: CLIENT,
        env,
        instances,
        freezes: true,
        memoryMb: 1_024,
        timeoutMs: timeoutsMs[name] ?? TIMEOUT_MS,
        now: clock.now,
        ...(onSpawn !== undefined && { onSpawn }),
      }),
    ]),
  ) as Deployment["functions"];
  const poller = startQueuePoller({
    client: clients.sqs,
    queueUrl: services.queue.url,
    queueArn: services.queue.arn,
    invoke: (event) => functions.worker.invoke(event),
    concurrency: instances,
    twice: options.messagesTwice ?? false,
  });
  services.bus.subscribe(async (event) => {
    for (const input of await inputsOf(options.workspace, EVENT_TENANT, event)) {
      for (let times = options.eventsTwice ? 2 : 1; times > 0; times -= 1)
        expectDone(await functions.ingest.invoke(input), "ingest");
    }
  });
  const front = await startFront((name, event) => functions[name].invoke(event));
  const apiKeys = createDynamoApiKeys({ client: clients.dynamo, tableName: names.hostTable });
  return {
    url: front.url,
    services,
    clients,
    clock,
    proxies,
    functions,
    poller,
    env,
    names,
    key: async (tenant, scopes = SCOPES) => (await apiKeys.create({ tenant, scopes, label: "test" })).key,
    async sweep() {
      const event = { source: "aws.scheduler", "detail-type": "Scheduled Event", detail: {} };
      expectDone(await functions.sweep.invoke(event), "sweep");
    },
    redrive: () =>
      createSqsTurnQueue({
        client: clients.sqs,
        queueUrl: services.queue.url,
        deadLetterQueueUrl: services.deadLetters.url,
        overflow: { client: clients.s3, bucket: names.bucket },
      }).redrive(1_000),
    async recycle() {
      await Promise.all(Object.values(functions).map((each) => each.recycle()));
    },
    log: () =>
      Object.values(functions)
        .map((each) => each.log())
        .join(""),
    async stop() {
      await front.close();
      await Promise.all(Object.values(functions).map((each) => each.stop()));
      await poller.stop();
      await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
      clients.destroy();
      await services.close();
    },
  };
}
