import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metafile } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startScriptedModel } from "../packages/host-local/src/demo/scripted-model.ts";
import { buildAll } from "../scripts/build-all.mjs";
import { functionNames } from "../scripts/bundle-functions.mjs";
import { ROOT } from "../scripts/root.mjs";

const RUNTIME = fileURLToPath(new URL("./testing-fixtures/lambda-runtime.ts", import.meta.url));
const WORKFLOW = "/workflows/invoice-approval";
const INVOICE = {
  message: "Invoice INV-7 has arrived.",
  trigger: { id: "invoice_received" },
  variables: {
    invoice_id: "INV-7",
    supplier: "nordwind-office",
    amount: 1240.5,
    currency: "EUR",
    due: "2026-03-31",
  },
};

/** What a turn runs on, and no function that runs none may carry. */
const MODEL_RUNTIME = [
  /node_modules\/@langchain\/langgraph\//,
  /node_modules\/deepagents\//,
  /node_modules\/langchain\//,
  /node_modules\/@langchain\/openai\//,
  /node_modules\/openai\//,
  /quickjs/,
];
const LIGHT = ["catalog", "resolve", "sessions"];
const HEAVY = ["decide", "deliver", "reply", "send"];
/** The validator is no verb of a session: one app, made for two edges. */
const EDGES = ["validate.edge", "validate.worker"];
/** What signs bodies where the validator is elsewhere. */
const SIGNER = "sign.edge";

interface Answer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  streamed: boolean;
}

let dataDir: string;
let key: string;
let model: Awaited<ReturnType<typeof startScriptedModel>>;

beforeAll(async () => {
  await buildAll(ROOT);
  dataDir = await mkdtemp(join(tmpdir(), "archmax-bundles-"));
  model = await startScriptedModel({ latencyMs: 0 });
  await invoke("catalog", "GET", "/workflows");
  key = (await readFile(join(dataDir, "development-key"), "utf8")).trim();
}, 120_000);

afterAll(async () => {
  await model?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** An event as a function URL sends it, payload format 2.0. */
function functionUrlEvent(method: string, path: string, body: unknown, headers: Record<string, string>) {
  const [rawPath = "", rawQueryString = ""] = path.split("?");
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath,
    rawQueryString,
    headers: {
      host: "abc123.lambda-url.eu-central-1.on.aws",
      "x-forwarded-proto": "https",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(rawQueryString !== "" && {
      queryStringParameters: Object.fromEntries(new URLSearchParams(rawQueryString)),
    }),
    requestContext: {
      accountId: "anonymous",
      apiId: "abc123",
      domainName: "abc123.lambda-url.eu-central-1.on.aws",
      domainPrefix: "abc123",
      http: { method, path: rawPath, protocol: "HTTP/1.1", sourceIp: "203.0.113.7", userAgent: "test" },
      requestId: "7e3b2b0e-3c7e-4f0a-9b1a-1f4f7f9c0d11",
      routeKey: "$default",
      stage: "$default",
      time: "01/Jan/2026:00:00:00 +0000",
      timeEpoch: 1_767_225_600_000,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}

/** Cold-starts a bundle in a process of its own and sends it one request. */
async function invoke(
  name: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const inherited = Object.entries(process.env).filter(([variable]) => !variable.startsWith("ARCHMAX_"));
  const child = spawn(process.execPath, [RUNTIME, join(ROOT, "functions", "dist", name, "index.mjs")], {
    cwd: tmpdir(),
    env: {
      ...Object.fromEntries(inherited),
      ARCHMAX_DATA_DIR: dataDir,
      ARCHMAX_WORKSPACE_DIR: ROOT,
      ARCHMAX_API_BASE_URL: model.baseUrl,
      ARCHMAX_API_KEY: "scripted",
      ARCHMAX_MODEL: "scripted",
    },
    stdio: ["pipe", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  child.stdin.end(JSON.stringify(functionUrlEvent(method, path, body, headers)));
  await new Promise((resolve) => child.once("close", resolve));
  try {
    return JSON.parse(output) as Answer;
  } catch {
    throw new Error(`The bundle ${name} gave no answer: ${output}`);
  }
}

function jsonOf({ body }: Answer) {
  return JSON.parse(body);
}

async function bundledFiles(name: string): Promise<string[]> {
  const metafiles: Record<string, Metafile> = JSON.parse(
    await readFile(join(ROOT, "functions", "dist", "meta.json"), "utf8"),
  );
  return Object.values(metafiles[name]?.outputs ?? {}).flatMap((output) => Object.keys(output.inputs));
}

test("each verb is one function, and the validator is one for each edge", () => {
  expect(functionNames(ROOT)).toEqual([...LIGHT, ...HEAVY, ...EDGES, SIGNER].sort());
});

test.each([...LIGHT, ...EDGES])("HOST-020 the bundle of %s contains no model runtime", async (name) => {
  const files = await bundledFiles(name);
  expect(files.some((file) => file.includes("packages/host/"))).toBe(true);
  expect(files.filter((file) => MODEL_RUNTIME.some((part) => part.test(file)))).toEqual([]);
});

test("the bundles that run turns do contain it, so the check above means something", async () => {
  const files = await bundledFiles("send");
  expect(files.some((file) => /node_modules\/@langchain\/langgraph\//.test(file))).toBe(true);
  expect(files.some((file) => /node_modules\/deepagents\//.test(file))).toBe(true);
});

test.each([...LIGHT, ...HEAVY, ...EDGES])(
  "the bundle of %s carries zod's English messages alone",
  async (name) => {
    const sizes: Record<string, Metafile> = JSON.parse(
      await readFile(join(ROOT, "functions", "dist", "meta.json"), "utf8"),
    );
    const locales = Object.values(sizes[name]?.outputs ?? {})
      .flatMap((output) => Object.entries(output.inputs))
      .filter(([file]) => /zod\/v4\/locales\//.test(file));
    expect(locales.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0)).toBeLessThan(20_000);
  },
);

describe("an invoice's way through the bundled functions", () => {
  const session = `${WORKFLOW}/sessions/inv-7`;

  test("send opens the session, which stops for a person", async () => {
    const answer = await invoke("send", "POST", `${session}/send`, INVOICE);
    expect(answer).toMatchObject({ statusCode: 200, streamed: true });
    expect(jsonOf(answer)).toMatchObject({ kind: "parked", parkedChannel: "decision" });
  });

  test("sessions lists it as parked and gives its transcript", async () => {
    const listed = await invoke("sessions", "GET", `${WORKFLOW}/sessions?status=parked`);
    expect(jsonOf(listed).sessions).toMatchObject([{ sessionId: "inv-7", status: "awaiting_decision" }]);
    expect(jsonOf(await invoke("sessions", "GET", session))).toMatchObject({ state: "approve-payment" });
    expect(jsonOf(await invoke("sessions", "GET", `${session}/messages`)).count).toBeGreaterThan(5);
  });

  test("resolve tells that a message would be a reply", async () => {
    const answer = await invoke("resolve", "POST", `${WORKFLOW}/resolve`, { sessionId: "inv-7" });
    expect(answer).toMatchObject({ statusCode: 200, streamed: false });
    expect(jsonOf(answer)).toMatchObject({ sessionId: "inv-7", disposition: "reply" });
  });

  test("reply is answered within the park, as an event stream where the caller asks for one", async () => {
    const answer = await invoke(
      "reply",
      "POST",
      `${session}/reply`,
      { message: "Why?" },
      { accept: "text/event-stream" },
    );
    expect(answer.headers["content-type"]).toContain("text/event-stream");
    expect(answer.body).toMatch(/event: outcome\ndata: \{.*"disposition":"reply"/);
  });

  test("decide takes the edge; an edge that is none is refused", async () => {
    const refused = await invoke("decide", "POST", `${session}/decide`, { target: "nowhere" });
    expect(refused.statusCode).toBe(422);
    expect(refused.headers["content-type"]).toContain("application/problem+json");
    const answer = await invoke("decide", "POST", `${session}/decide`, { target: "scheduled" });
    expect(jsonOf(answer)).toMatchObject({ kind: "parked", parkedChannel: "input", state: "scheduled" });
  });

  test("deliver wakes it before its time, and it is paid", async () => {
    const answer = await invoke("deliver", "POST", `${session}/deliver`, { trigger: { id: "pay-now" } });
    expect(jsonOf(answer)).toMatchObject({ kind: "completed", state: "paid" });
  });

  test("sessions deletes it", async () => {
    expect((await invoke("sessions", "DELETE", session)).statusCode).toBe(204);
    expect((await invoke("sessions", "GET", session)).statusCode).toBe(404);
  });

  test("catalog names the workflow and describes the routes", async () => {
    const listed = jsonOf(await invoke("catalog", "GET", "/workflows"));
    expect(listed.workflows).toContainEqual(expect.objectContaining({ slug: "invoice-approval" }));
    expect(jsonOf(await invoke("catalog", "GET", "/openapi.json"))).toMatchObject({
      openapi: expect.stringMatching(/^3\./),
    });
  });

  test.each([...LIGHT, ...HEAVY])("%s lets nobody in without a key", async (name) => {
    const path = { catalog: "/workflows", resolve: `${WORKFLOW}/resolve`, sessions: `${WORKFLOW}/sessions` }[
      name
    ];
    const method = name === "catalog" || name === "sessions" ? "GET" : "POST";
    const answer = await invoke(
      name,
      method,
      path ?? `${session}/${name}`,
      method === "POST" ? {} : undefined,
      {
        authorization: "Bearer wrong",
      },
    );
    expect(answer.statusCode).toBe(401);
  });
});
