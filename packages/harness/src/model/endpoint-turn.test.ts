/** A whole turn of the default assembly against an OpenAI-compatible endpoint on this machine. */
import { LLMock } from "@copilotkit/aimock";
import { dump } from "js-yaml";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createAgent } from "../create-agent.ts";
import type { WorkflowLifecycleEvent } from "../events/types.ts";
import { createUsageTracker } from "../events/usage.ts";
import { f1 } from "../runtime/turn-fixture.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";

const endpoint = new LLMock({ port: 0 });
const realFetch = globalThis.fetch;
const asked = new Set<string>();

beforeAll(async () => {
  endpoint.on(
    { userMessage: "refund", sequenceIndex: 0 },
    { toolCalls: [{ name: "archmax_advance", arguments: JSON.stringify({ to: "done", reason: "r" }) }] },
  );
  endpoint.on({ userMessage: "refund", sequenceIndex: 1 }, { content: "All done." });
  await endpoint.start();
  vi.stubGlobal("fetch", (input: string | URL | Request, init?: RequestInit) => {
    asked.add(new URL(input instanceof Request ? input.url : String(input)).origin);
    return realFetch(input, init);
  });
});
afterEach(() => {
  endpoint.resetMatchCounts();
  asked.clear();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await endpoint.stop();
});

test.each([
  ["streaming", "on"],
  ["whole answers", "off"],
])("runs a turn with a tool call, %s, and asks no host but the endpoint", async (_name, streaming) => {
  vi.stubEnv("ARCHMAX_API_BASE_URL", `${endpoint.url}/v1`);
  vi.stubEnv("ARCHMAX_API_KEY", "k");
  vi.stubEnv("ARCHMAX_MODEL", "gpt-4o");
  vi.stubEnv("ARCHMAX_STREAMING", streaming);
  const authoring = createMemorySessionStore().backend;
  await authoring.write("/workflows/desk/workflow.yaml", dump(f1()));
  const events: WorkflowLifecycleEvent[] = [];
  const usage = createUsageTracker({ onEvent: (event) => events.push(event) });
  const agent = await createAgent({
    workflow: "desk",
    authoring,
    mounts: {},
    workspace: { sessionStore: createMemorySessionStore() },
    onEvent: usage.handler,
    pricing: { default: { input: 3, output: 15 } },
  });
  const outcome = await agent.workflow?.send("s", { message: "refund" });
  expect(outcome).toMatchObject({ kind: "completed", state: "done", reply: "All done." });
  expect([...asked]).toEqual([new URL(endpoint.url).origin]);
  expect(outcome?.usage?.inputTokens).toBeGreaterThan(0);
  expect(outcome?.usage).toEqual(usage.totals("s"));
  const said = events.filter((event) => event.type === "agent-text-delta").map(({ text }) => text);
  expect(said.join("")).toBe("All done.");
  if (streaming === "off") expect(said).toHaveLength(1);
});
