/**
 * `npm run bench:host`: what hosting a session costs. AWS requests per turn of the example, in dollars per 1,000 sessions
 * at list prices; each function's cold start to its first byte, with its bundle; and what the host takes around a turn
 * beside the agent itself. Prints figures and never fails. `--runs 10`.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildAll } from "../../scripts/build-all.mjs";
import { bundleSizes } from "../../scripts/bundle-functions.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { clientProgram } from "../../scripts/runtime-interface-client.mjs";
import { type Deployment, deploy } from "../deployed/deployment.ts";
import { arrival, call, session } from "../support/api-client.ts";
import { startTestModel } from "../support/test-model.ts";
import { coldStarts } from "./cold-starts.ts";
import { hostOverhead } from "./host-overhead.ts";
import { oneStepWorkspace } from "./one-step-workspace.ts";
import { dollarsOf, type Requests, requestsOf, sumOf } from "./requests-per-turn.ts";

const { values } = parseArgs({ options: { runs: { type: "string", default: "10" } } });
const runs = Number(values.runs);

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join("  "),
    )
    .join("\n");
}

const COLUMNS = [
  ["DynamoDB reads", "dynamoReads"],
  ["units", "readUnits"],
  ["writes", "dynamoWrites"],
  ["units", "writeUnits"],
  ["S3 reads", "s3Reads"],
  ["puts", "s3Writes"],
  ["SQS", "sqs"],
  ["events", "events"],
  ["schedules", "schedules"],
] as const satisfies readonly (readonly [string, keyof Requests])[];

async function requests(deployment: Deployment): Promise<void> {
  const host = { url: deployment.url, apiKey: await deployment.key("local") };
  const verb = (path: string, body: unknown) => async () => {
    const { status, text } = await call(host, path, { body });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 500)}`);
  };
  const status = async (id: string, workflow?: string) =>
    (await call(host, session(id, workflow))).json.status;
  // A first session warms the instances: what is counted is a turn, not a start.
  await verb(`${session("warm")}/send`, arrival("warm", "atlas-freight"))();
  await verb(`${session("warm")}/decide`, { target: "rejected" })();
  const id = "counted";
  const measured: [string, Requests][] = [
    [
      "send, parks for a person",
      await requestsOf(deployment, verb(`${session(id)}/send`, arrival(id, "atlas-freight"))),
    ],
    [
      "decide, waits for its day",
      await requestsOf(deployment, verb(`${session(id)}/decide`, { target: "scheduled" })),
    ],
    [
      "resume by its schedule",
      await requestsOf(deployment, async () => {
        deployment.clock.move(91_000);
        while ((await status(id)) !== "completed") await new Promise((resolve) => setTimeout(resolve, 500));
      }),
    ],
  ];
  const whole = sumOf(measured.map(([, each]) => each));
  const oneStep = "/workflows/one-step";
  await verb(`${session("one", oneStep)}/send`, { message: "Draft it." })();
  const single = await requestsOf(deployment, verb(`${session("one", oneStep)}/decide`, { target: "done" }));
  const cells = (name: string, each: Requests) => [
    name,
    ...COLUMNS.map(([, key]) => String(Math.round(each[key] * 10) / 10)),
    (dollarsOf(each) * 1_000).toFixed(3),
  ];
  console.log("\nRequests per turn of the example, dollars per 1,000 sessions at list prices\n");
  console.log(
    table([
      ["turn", ...COLUMNS.map(([title]) => title), "$"],
      ...measured.map(([name, each]) => cells(name, each)),
      cells("the whole session", whole),
      cells("decide, one superstep", single),
    ]),
  );
  console.log(
    "\nThe resume's reads include those of the reading route that waits for it: a few each half second.",
  );
  console.log(
    `DynamoDB requests of a one-superstep decide: ${single.dynamoReads + single.dynamoWrites} (aim: 12)`,
  );
}

const folder = await mkdtemp(join(tmpdir(), "archmax-bench-host-"));
await buildAll(ROOT);
const model = await startTestModel();
const workspace = await oneStepWorkspace(folder, model);
const deployment = await deploy({ workspace, modelEnv: model.env, folder, instances: 1 });
try {
  await requests(deployment);
  await deployment.recycle();
  const client = existsSync(clientProgram(ROOT)) ? "aws" : "small";
  console.log(
    `\nCold start to the first byte, median of ${runs}, in ${
      client === "aws" ? "AWS's own runtime client" : "the tests' own client; AWS's is not installed"
    }\n`,
  );
  const sizes = new Map(bundleSizes(ROOT).map((size) => [size.name, size]));
  const starts = await coldStarts(deployment, client, runs);
  const kilobytes = (bytes = 0) => (bytes / 1_024).toFixed(0);
  const send = starts.find(({ name }) => name === "send")?.firstByteMs ?? Number.NaN;
  console.log(
    table([
      ["function", "module loaded ms", "first byte ms", "of send's", "bundle KB", "loaded at start KB"],
      ...starts.map(({ name, initMs, firstByteMs }) => [
        name,
        initMs.toFixed(0),
        firstByteMs.toFixed(0),
        (firstByteMs / send).toFixed(2),
        kilobytes(sizes.get(name)?.minified),
        kilobytes(sizes.get(name)?.starting),
      ]),
    ]),
  );
  console.log("Aims: read functions 300 KB and a third of send's start; send 3,300 KB.");
  const { agentMs, hostMs } = await hostOverhead(deployment, runs);
  console.log(
    `\nA zero-latency turn on dynalite, warm, median of ${runs}: the agent alone ${agentMs.toFixed(1)} ms, through the ` +
      `host ${hostMs.toFixed(1)} ms, ${((hostMs / agentMs - 1) * 100).toFixed(1)} % more (aim: 10 %)`,
  );
} finally {
  await deployment.stop();
  await model.stop();
  await rm(folder, { recursive: true, force: true });
}
