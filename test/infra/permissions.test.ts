/** What the bundled code may ask of AWS is what its role allows: a new request in the code needs a new grant. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/root.mjs";
import { type Graph, graphOf, prepare } from "./support/graph.ts";
import { statementsOf } from "./support/readable.ts";

let graph: Graph;

beforeAll(async () => {
  await prepare();
  graph = await graphOf({ stage: "production" });
}, 240_000);

/** The actions that a request of the SDK needs, where they are not called as it is. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  HeadObject: ["s3:GetObject"],
  CopyObject: ["s3:GetObject", "s3:PutObject"],
  DeleteObjects: ["s3:DeleteObject"],
  ListObjectsV2: ["s3:ListBucket"],
  UploadPart: ["s3:PutObject", "s3:AbortMultipartUpload"],
};

/** The service of each request that has the action's name. */
const SERVICES: readonly (readonly [RegExp, string])[] = [
  [/^(?:Batch(?:Get|Write)|Get|Put|Update|Delete)Item$|^Query$/, "dynamodb"],
  [/^(?:Get|Put|Delete)Object$/, "s3"],
  [/^(?:Send|Receive|Delete)Message$|^ChangeMessageVisibility$/, "sqs"],
  [/^(?:Create|Delete|Get)Schedule$|^ListSchedules$/, "scheduler"],
  [/^PutEvents$/, "events"],
];

const TURNS = ["decide", "deliver", "reply", "send", "worker"];

/** In the code of functions that never come to it. */
const NOT_CALLED: Readonly<Record<string, (name: string) => boolean>> = {
  // Development and tests make their own tables.
  CreateTable: () => true,
  UpdateTimeToLive: () => true,
  // A host that polls the queue; here Lambda does, for the worker.
  ReceiveMessage: (name) => name !== "worker",
  DeleteMessage: (name) => name !== "worker",
  ChangeMessageVisibility: (name) => name !== "worker",
  // Whoever receives a command fetches and removes what was put aside of it; ingest only puts aside.
  GetObject: (name) => name === "ingest",
  DeleteObject: (name) => name === "ingest",
  // `ResumeScheduler.list` is there for tests.
  GetSchedule: () => true,
  ListSchedules: () => true,
  // Whoever reads and deletes sessions calls their timed resumes off, and arms and queues none.
  CreateSchedule: (name) => name === "sessions",
  SendMessage: (name) => name === "sessions",
  // The checkpointer's for a thread's head, which turns alone move.
  UpdateItem: (name) => !TURNS.includes(name),
  // These only look things up by their key; API keys are managed by `npm run keys`.
  ...Object.fromEntries(
    ["PutItem", "DeleteItem", "BatchWriteItem", "Query"].map((request) => [
      request,
      (name: string) => ["catalog", "ingest", "resolve"].includes(name),
    ]),
  ),
};

function requestsIn(name: string): string[] {
  const metafiles = JSON.parse(readFileSync(join(ROOT, "functions", "dist", "meta.json"), "utf8"));
  const outputs = Object.values(metafiles[name].outputs) as {
    inputs: Record<string, { bytesInOutput: number }>;
  }[];
  const sources = outputs
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([file, { bytesInOutput }]) => bytesInOutput > 0 && /^(?:packages|functions)\//.test(file))
    .map(([file]) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
  const commands = [...sources.matchAll(/\bnew ([A-Z][A-Za-z0-9]+)Command\(/g)].map(
    ([, request]) => request ?? "",
  );
  const pages = [...sources.matchAll(/\bpaginate([A-Z][A-Za-z0-9]+)\(/g)].map(([, request]) => request ?? "");
  const uploads = /\bnew Upload\(/.test(sources) ? ["UploadPart"] : [];
  return [...new Set([...commands, ...pages, ...uploads])].sort();
}

function actionsOf(request: string): readonly string[] {
  const named = NEEDED[request];
  if (named !== undefined) return named;
  const service = SERVICES.find(([pattern]) => pattern.test(request))?.[1];
  if (service === undefined) throw new Error(`Say here which actions the request ${request} needs.`);
  return [`${service}:${request}`];
}

test.each([
  ...["catalog", "decide", "deliver", "ingest", "reply", "resolve", "send", "sessions", "sweep", "worker"],
])("%s", (name) => {
  const component = name.charAt(0).toUpperCase() + name.slice(1);
  const granted = statementsOf(graph.one("aws:iam/role:Role", `${component}Role`)).flatMap(
    ({ Action }) => Action,
  );
  const requests = requestsIn(name).filter((request) => NOT_CALLED[request]?.(name) !== true);
  expect(requests).not.toEqual([]);
  const missing = requests.flatMap(actionsOf).filter((action) => !granted.includes(action));
  expect(missing).toEqual([]);
});
