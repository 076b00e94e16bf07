import { createSocket, type Socket } from "node:dgram";
import type { AgentProvider, AgentRequest, HostedAgent } from "@archmax-ai/host";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

/** X-Ray's daemon, as far as it takes documents: one UDP packet each, a header line before. */
let daemon: Socket;
let documents: Record<string, unknown>[];

const LAMBDA = {
  LAMBDA_TASK_ROOT: "/var/task",
  AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
  AWS_LAMBDA_FUNCTION_NAME: "send",
  _X_AMZN_TRACE_ID: "Root=1-65f0c0de-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=1",
};

beforeAll(async () => {
  daemon = createSocket("udp4");
  daemon.on("message", (message) => documents.push(JSON.parse(message.toString().split("\n")[1] ?? "")));
  await new Promise<void>((resolve) => daemon.bind(0, "127.0.0.1", resolve));
});

afterAll(() => new Promise<void>((resolve) => daemon.close(() => resolve())));

beforeEach(() => {
  documents = [];
  vi.resetModules();
});

afterEach(() => vi.unstubAllEnvs());

/** The module as it is loaded in a place: the SDK looks at the environment once. */
async function tracedIn(place: Record<string, string>, provider: AgentProvider): Promise<AgentProvider> {
  for (const [name, value] of Object.entries(place)) vi.stubEnv(name, value);
  vi.stubEnv("AWS_XRAY_DAEMON_ADDRESS", `127.0.0.1:${daemon.address().port}`);
  vi.stubEnv("AWS_XRAY_LOG_LEVEL", "silent");
  const { traceAgents } = await import("./tracing.ts");
  return traceAgents(provider, { serviceName: "archmax-dev" });
}

/** An agent whose turn is what a test does with its request. */
function agents(turn: (request: AgentRequest) => void): AgentProvider & { requests: AgentRequest[] } {
  const requests: AgentRequest[] = [];
  return {
    requests,
    async agentFor(request) {
      requests.push(request);
      return {
        workflow: {
          send: async () => {
            turn(request);
            return {} as never;
          },
        },
        dispose() {},
      } as unknown as HostedAgent;
    },
  };
}

const request = (part: Partial<AgentRequest> = {}): AgentRequest => ({
  tenant: "acme",
  sessionId: "s1",
  workflow: "desk",
  fence: { token: 1, assertHeld: async () => {} },
  afterCheckpoint() {},
  onEvent() {},
  ...part,
});

const event = (fields: object) => ({ level: "info", ts: 0, seq: 0, sessionId: "s1", ...fields }) as never;
const called = (callId: string, tool: string) =>
  event({ type: "tool-called", state: "intake", tool, callId, args: { text: "the secret" } });
const result = (callId: string, tool: string, status = "ok") =>
  event({ type: "tool-result", state: "intake", tool, callId, status, output: "the secret", durationMs: 1 });

async function run(provider: AgentProvider, given = request()): Promise<void> {
  const agent = await provider.agentFor(given);
  await agent.workflow.send("s1", { message: "the secret" });
  agent.dispose("s1");
}

test("a turn's supersteps are spans, its tool calls spans within them", async () => {
  const provider = await tracedIn(
    LAMBDA,
    agents(({ onEvent, afterCheckpoint }) => {
      afterCheckpoint({ id: "c0", closesSuperstep: false });
      onEvent(called("1", "write_file"));
      onEvent(called("2", "odd«tool»"));
      onEvent(result("2", "odd«tool»", "error"));
      onEvent(result("1", "write_file"));
      afterCheckpoint({ id: "c1", closesSuperstep: true });
      afterCheckpoint({ id: "c2", closesSuperstep: true });
      onEvent(called("1", "cut_off"));
    }),
  );
  await run(provider);
  await vi.waitFor(() => expect(documents).toHaveLength(6));
  const byName = (name: string) => documents.filter((document) => document.name === name);
  const supersteps = byName("superstep");
  expect(supersteps).toHaveLength(3);
  for (const span of documents) {
    expect(span).toMatchObject({
      type: "subsegment",
      trace_id: "1-65f0c0de-0123456789abcdef01234567",
      start_time: expect.any(Number),
      end_time: expect.any(Number),
    });
  }
  expect(supersteps.every(({ parent_id }) => parent_id === "0123456789abcdef")).toBe(true);
  expect(supersteps[0]).toMatchObject({ annotations: { workflow: "desk" } });
  const parents = new Set(supersteps.map(({ id }) => id));
  for (const name of ["write_file", "odd_tool_", "cut_off"]) {
    expect(byName(name)).toMatchObject([{ annotations: { state: "intake" } }]);
    expect(parents.has(byName(name)[0]?.parent_id)).toBe(true);
  }
  expect(byName("odd_tool_")[0]).toMatchObject({ error: true });
  expect(byName("cut_off")[0]).toMatchObject({ fault: true });
  expect(JSON.stringify(documents)).not.toContain("the secret");
});

test("the turn goes on as it would: its events, its checkpoints and what they throw", async () => {
  const seen: string[] = [];
  const provider = await tracedIn(
    LAMBDA,
    agents(({ onEvent, afterCheckpoint }) => {
      onEvent(called("1", "x"));
      afterCheckpoint({ id: "c1", closesSuperstep: true });
    }),
  );
  const agent = await provider.agentFor(
    request({
      onEvent: ({ type }) => seen.push(type),
      afterCheckpoint({ id }) {
        seen.push(id);
        throw new Error("stop here");
      },
    }),
  );
  await expect(agent.workflow.send("s1", { message: "m" })).rejects.toThrow("stop here");
  agent.dispose("s1");
  expect(seen).toEqual(["tool-called", "c1"]);
  await vi.waitFor(() => expect(documents).toHaveLength(2));
});

test.each([
  ["outside Lambda", {}],
  ["where it is turned off", { ...LAMBDA, POWERTOOLS_TRACE_ENABLED: "false" }],
])("nothing is traced %s, and the request is handed on as it is", async (_, place) => {
  const inner = agents(() => {});
  const provider = await tracedIn(place, inner);
  const given = request();
  await run(provider, given);
  expect(inner.requests).toEqual([given]);
  expect(inner.requests[0]).toBe(given);
});

test("nothing is sent of a trace that is not sampled", async () => {
  const provider = await tracedIn(
    { ...LAMBDA, _X_AMZN_TRACE_ID: LAMBDA._X_AMZN_TRACE_ID.replace("Sampled=1", "Sampled=0") },
    agents(({ onEvent }) => {
      onEvent(called("1", "x"));
      onEvent(result("1", "x"));
    }),
  );
  await run(provider);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(documents).toEqual([]);
});
