/**
 * `npm run bench:checkpoint`: what keeping a checkpoint in DynamoDB costs (spec 08 A7).
 *
 * Fifty checkpoints with two pending writes each, on one dynalite server in this process, by the public peer
 * saver, by a Postgres-style layout and by ours, taking turns. Prints stored KB and write units per checkpoint and
 * the medians of each call; then what the peer cannot run, ours alone: 500 steps to 5 MB of history, as curves.
 * Latencies are loopback on this machine: compare them with each other, not with AWS.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DynamoDBSaver } from "@archmax-ai/checkpoint-dynamodb";
import { CreateTableCommand, DescribeTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type Checkpoint, emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import {
  type Database,
  startDatabase,
} from "../../packages/checkpoint-dynamodb/src/testing-fixtures/database.ts";
import { prose, seeded } from "../../packages/checkpoint-dynamodb/src/testing-fixtures/prose.ts";
import {
  countTraffic,
  sizeOf,
  type Traffic,
} from "../../packages/checkpoint-dynamodb/src/testing-fixtures/traffic.ts";
import { PostgresLayout } from "./postgres-layout.ts";

const { values: flags } = parseArgs({ options: { rounds: { type: "string", default: "10" } } });
const STEPS = 50;
const ROUNDS = Number(flags.rounds);

type Config = { configurable: Record<string, string> };
type Values = Record<string, unknown>;

/** The part of a saver that is measured. */
interface Saver {
  put(config: Config, checkpoint: Checkpoint, metadata: object, newVersions: object): Promise<unknown>;
  putWrites(config: Config, writes: [string, unknown][], taskId: string): Promise<void>;
  getTuple(config: Config): Promise<unknown>;
}

interface Contestant {
  readonly name: string;
  readonly saver: Saver;
  readonly tables: string[];
  readonly traffic: Traffic;
}

/** The channels a step changes, and their new values. */
type Workload = (random: () => number) => (step: number) => Values;

const message = (random: () => number, step: number, bytes: number) => ({
  id: `message-${step}-${Math.floor(random() * 1e9)}`,
  type: step % 2 === 0 ? "human" : "ai",
  content: prose(random, bytes),
});

const WORKLOADS: Record<string, Workload> = {
  "36 KB cold channel + small hot one": (random) => {
    const cold = prose(random, 36_000);
    return (step) => (step === 0 ? { cold, counter: { step } } : { counter: { step } });
  },
  "history growing 0.8 to 41 KB": (random) => {
    const messages: unknown[] = [];
    return (step) => {
      messages.push(message(random, step, 740));
      return { messages: [...messages] };
    };
  },
  "hot 40 KB text, replaced each step": (random) => () => ({ draft: prose(random, 40_000) }),
  "hot 40 KB text, from the project's docs": () => {
    const docs = new URL("../../docs", import.meta.url).pathname;
    const text = readdirSync(docs, { recursive: true })
      .filter((name) => String(name).endsWith(".md"))
      .map((name) => readFileSync(join(docs, String(name)), "utf8"))
      .join("\n")
      .repeat(4);
    return (step) => ({ draft: text.slice(step * 500, step * 500 + 40_000) });
  },
};

const percentile = (times: number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  times.push(performance.now() - start);
  return result;
}

interface Times {
  put: number[];
  putWrites: number[];
  getTuple: number[];
}

/** Runs a workload on a thread of its own. */
async function run(
  saver: Saver,
  workload: Workload,
  steps: number,
  times: Times,
  everyStep?: (step: number) => Promise<void>,
) {
  const random = seeded(7);
  const next = workload(random);
  const thread_id = `thread-${uuid6(0)}`;
  let config: Config = { configurable: { thread_id, checkpoint_ns: "" } };
  const values: Values = {};
  const versions: Record<string, number> = {};
  for (let step = 0; step < steps; step += 1) {
    const changed = next(step);
    for (const channel of Object.keys(changed)) versions[channel] = step + 1;
    Object.assign(values, changed);
    const checkpoint: Checkpoint = {
      ...emptyCheckpoint(),
      id: uuid6(step),
      channel_values: { ...values },
      channel_versions: { ...versions },
      versions_seen: { agent: { ...versions }, tools: { ...versions } },
    };
    const newVersions = Object.fromEntries(Object.keys(changed).map((channel) => [channel, step + 1]));
    const metadata = { source: "loop", step, parents: {} };
    await timed(times.put, () => saver.put(config, checkpoint, metadata, newVersions));
    config = { configurable: { thread_id, checkpoint_ns: "", checkpoint_id: checkpoint.id } };
    const writes: [string, unknown][] = [
      ["messages", { step, text: prose(random, 120) }],
      ["branch:to:tools", null],
    ];
    await timed(times.putWrites, () => saver.putWrites(config, writes, `task-${step}`));
    await timed(times.getTuple, () => saver.getTuple({ configurable: { thread_id, checkpoint_ns: "" } }));
    await everyStep?.(step);
  }
}

async function plainTable(
  client: DynamoDBClient,
  name: string,
  hash: string,
  range: string,
): Promise<string> {
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [hash, range].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      KeySchema: [
        { AttributeName: hash, KeyType: "HASH" },
        { AttributeName: range, KeyType: "RANGE" },
      ],
    }),
  );
  for (;;) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    if (Table?.TableStatus === "ACTIVE") return name;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function contestants(database: Database): Promise<Contestant[]> {
  const { client } = database;
  // The peer's ES module build cannot be imported by Node; its CommonJS build can.
  const { DynamoDBSaver: Peer } = createRequire(import.meta.url)("@rwai/langgraphjs-checkpoint-dynamodb");
  const checkpointsTableName = await plainTable(client, "peer-checkpoints", "thread_id", "checkpoint_id");
  const writesTableName = await plainTable(
    client,
    "peer-writes",
    "thread_id_checkpoint_id_checkpoint_ns",
    "task_id_idx",
  );
  const peer = new Peer({
    clientConfig: {
      endpoint: await client.config.endpoint?.(),
      region: "us-east-1",
      credentials: client.config.credentials,
    },
    checkpointsTableName,
    writesTableName,
  });
  const peerClient: DynamoDBClient = peer.client;
  const postgresClient = database.newClient();
  const postgresTable = await plainTable(client, "postgres-layout", "pk", "sk");
  const ourClient = database.newClient();
  const ourTable = await database.newTable();
  return [
    {
      name: "peer",
      saver: peer,
      tables: [checkpointsTableName, writesTableName],
      traffic: countTraffic(peerClient),
    },
    {
      name: "Postgres layout",
      saver: new PostgresLayout(postgresClient, postgresTable) as Saver,
      tables: [postgresTable],
      traffic: countTraffic(postgresClient),
    },
    {
      name: "ours",
      saver: new DynamoDBSaver({ client: ourClient, tableName: ourTable }) as unknown as Saver,
      tables: [ourTable],
      traffic: countTraffic(ourClient),
    },
  ];
}

const cell = (value: number | string, digits = 1) =>
  (typeof value === "number" ? value.toFixed(digits) : value).padStart(10);

async function storedBytes(database: Database, tables: string[]): Promise<number> {
  const items = (await Promise.all(tables.map((table) => database.scan(table)))).flat();
  return items.reduce((sum, item) => sum + sizeOf(item), 0);
}

async function comparison(database: Database): Promise<void> {
  const all = await contestants(database);
  const none = () => ({ put: [], putWrites: [], getTuple: [] });
  for (const [title, workload] of Object.entries(WORKLOADS)) {
    console.log(`\n${title}, ${STEPS} checkpoints with 2 pending writes, ${ROUNDS} rounds`);
    console.log(
      ["", "KB", "units", "requests", "put ms", "putWrites", "getTuple"]
        .map((head, at) => (at === 0 ? head.padEnd(16) : cell(head)))
        .join(""),
    );
    for (const { saver } of all) await run(saver, workload, STEPS, none());
    const times = all.map((): Times => none());
    const before = await Promise.all(all.map(({ tables }) => storedBytes(database, tables)));
    for (const { traffic } of all) traffic.reset();
    const writeRequests = all.map(() => 0);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [at, { saver }] of all.entries()) await run(saver, workload, STEPS, times[at] as Times);
    for (const [at, { name, tables, traffic }] of all.entries()) {
      const { put, putWrites, getTuple } = times[at] as Times;
      const checkpoints = ROUNDS * STEPS;
      const kilobytes = ((await storedBytes(database, tables)) - (before[at] ?? 0)) / 1024 / checkpoints;
      writeRequests[at] =
        traffic.requests.filter((each) => /Put|Write|Update/.test(each)).length / checkpoints;
      const p50 = [put, putWrites, getTuple].map((each) => cell(percentile(each, 0.5), 2)).join("");
      console.log(
        name.padEnd(16) +
          cell(kilobytes) +
          cell(traffic.writeUnits / checkpoints) +
          cell(writeRequests[at] ?? 0) +
          p50,
      );
    }
    const ratio = (call: keyof Times) =>
      percentile(times[2]?.[call] ?? [], 0.5) / percentile(times[0]?.[call] ?? [], 0.5);
    console.log(
      `ours / peer: put ${ratio("put").toFixed(2)}, putWrites ${ratio("putWrites").toFixed(2)}, getTuple ${ratio("getTuple").toFixed(2)}`,
    );
  }
}

/** 500 steps to 5 MB of history, ours alone. */
async function curve(database: Database): Promise<void> {
  const client = database.newClient();
  const traffic = countTraffic(client);
  const tableName = await database.newTable();
  const saver = new DynamoDBSaver({ client, tableName });
  const times: Times = { put: [], putWrites: [], getTuple: [] };
  const growing: Workload = (random) => {
    const messages: unknown[] = [];
    return (step) => {
      messages.push(message(random, step, 10_400));
      return { messages: [...messages] };
    };
  };
  console.log("\nours alone: 500 steps of 10.4 KB to 5.2 MB of history; per step, averaged over 50 steps");
  console.log(
    ["steps", "written KB", "units", "put ms", "getTuple", "items read"].map((each) => cell(each)).join(""),
  );
  await run(saver as unknown as Saver, growing, 500, times, async (step) => {
    if ((step + 1) % 50 !== 0) return;
    const last = (all: number[]) => percentile(all.slice(-50), 0.5);
    const reads = traffic.requests.filter((each) => /Get|Query/.test(each)).length / 50;
    console.log(
      cell(String(step + 1)) +
        cell(traffic.writtenBytes / 1024 / 50) +
        cell(traffic.writeUnits / 50) +
        cell(last(times.put), 2) +
        cell(last(times.getTuple), 2) +
        cell(reads),
    );
    traffic.reset();
  });
}

const database = await startDatabase();
try {
  await comparison(database);
  await curve(database);
} finally {
  await database.stop();
}
