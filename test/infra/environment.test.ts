/** Each bundle starts with exactly the environment it is deployed with: what infra sets is what the functions read. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/root.mjs";
import { type Graph, graphOf, prepare } from "./support/graph.ts";

const NAMES = [
  ...["catalog", "decide", "deliver", "ingest", "reply"],
  ...["resolve", "send", "sessions", "sweep", "worker"],
];

let own: Graph;
let full: Graph;

beforeAll(async () => {
  await prepare();
  own = await graphOf({ stage: "production" });
  full = await graphOf({ stage: "production", deployment: "full" });
}, 240_000);

/** What Lambda's runtime gives a function that streams its answer. */
const RUNTIME =
  "globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: { from: (stream) => stream } };";

/** The variables of a function. */
function variablesOf(graph: Graph, name: string): Record<string, string> {
  const component = name.charAt(0).toUpperCase() + name.slice(1);
  const made = graph.one("aws:lambda/function:Function", `${component}Function`);
  return (made.environment as { variables: Record<string, string> }).variables;
}

/** Loads a bundle as Lambda does when it starts one, and says what it exports. */
async function start(variables: Record<string, string>, name: string): Promise<string> {
  const bundle = pathToFileURL(join(ROOT, "functions", "dist", name, "index.mjs")).href;
  const program = `${RUNTIME} const { handler } = await import(${JSON.stringify(bundle)}); console.log(typeof handler); process.exit();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: tmpdir(),
    env: {
      ...variables,
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
      AWS_LAMBDA_FUNCTION_NAME: name,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
    });
  }
  await new Promise((resolve) => child.once("close", resolve));
  return said.trim();
}

test.each(NAMES)(
  "%s is built, and starts",
  async (name) => {
    expect(existsSync(join(ROOT, "functions", "dist", name, "index.mjs"))).toBe(true);
    for (const graph of [own, full]) expect(await start(variablesOf(graph, name), name)).toBe("function");
  },
  60_000,
);

test("and one whose environment is not complete says what is missing", async () => {
  const { ARCHMAX_RECORDS_TABLE, ...lacking } = variablesOf(own, "send");
  expect(ARCHMAX_RECORDS_TABLE).toBeDefined();
  expect(await start(lacking, "send")).toContain("ARCHMAX_RECORDS_TABLE is not set");
}, 60_000);
