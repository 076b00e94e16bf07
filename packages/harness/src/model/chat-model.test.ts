import { LLMock } from "@copilotkit/aimock";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createChatModel } from "./chat-model.ts";
import type { AgentEnv } from "./environment.ts";

const endpoint = new LLMock({ port: 0 });
const realFetch = globalThis.fetch;
const asked: string[] = [];

beforeAll(async () => {
  endpoint.onMessage("hello", { content: "Hi there" });
  endpoint.onMessage("weather", {
    toolCalls: [
      { name: "forecast", arguments: JSON.stringify({ city: "Oslo" }) },
      { name: "forecast", arguments: JSON.stringify({ city: "Rome" }) },
    ],
  });
  await endpoint.start();
  vi.stubGlobal("fetch", (input: string | URL | Request, init?: RequestInit) => {
    asked.push(new URL(input instanceof Request ? input.url : String(input)).origin);
    return realFetch(input, init);
  });
});
afterEach(() => {
  asked.length = 0;
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await endpoint.stop();
});

const forecast = { name: "forecast", description: "Weather", schema: z.object({ city: z.string() }) };

function env(changes: Partial<AgentEnv> = {}): AgentEnv {
  return { apiBaseUrl: `${endpoint.url}/v1`, apiKey: "key", model: "gpt-4o", ...changes };
}

describe.each([
  ["streaming", true],
  ["whole answers", false],
])("createChatModel, %s", (_name, streaming) => {
  test("answers a message and asks no host but the endpoint", async () => {
    const answer = await createChatModel(env({ streaming })).invoke([new HumanMessage("hello")]);
    expect(answer.text).toBe("Hi there");
    expect(new Set(asked)).toEqual(new Set([new URL(endpoint.url).origin]));
  });

  test("reports the endpoint's usage", async () => {
    const answer = await createChatModel(env({ streaming })).invoke([new HumanMessage("hello")]);
    expect(answer.usage_metadata).toMatchObject({
      input_tokens: expect.any(Number),
      output_tokens: expect.any(Number),
    });
  });

  test("calls two bound tools at once and still asks no other host", async () => {
    const answer = await createChatModel(env({ streaming }))
      .bindTools([forecast])
      .invoke([new HumanMessage("weather")]);
    expect(answer.tool_calls?.map((call) => call.args)).toEqual([{ city: "Oslo" }, { city: "Rome" }]);
    expect(new Set(asked)).toEqual(new Set([new URL(endpoint.url).origin]));
  });

  test("sends a model that upstream would take elsewhere to chat completions", async () => {
    const answer = await createChatModel(env({ streaming, model: "gpt-5-codex" }))
      .bindTools([forecast])
      .invoke([new HumanMessage("hello")]);
    expect(answer.text).toBe("Hi there");
  });
});

test("a stream yields the text in chunks", async () => {
  const texts: string[] = [];
  for await (const chunk of await createChatModel(env()).stream([new HumanMessage("hello")]))
    texts.push(chunk.text);
  expect(texts.join("")).toBe("Hi there");
});

test("sends temperature, token bound and the request for usage", () => {
  const params = createChatModel(env({ temperature: 0.2, maxTokens: 40 })).invocationParams();
  expect(params).toMatchObject({
    temperature: 0.2,
    max_tokens: 40,
    stream: true,
    stream_options: { include_usage: true },
  });
});

test("a cache mark reaches the endpoint on the block it was set on", async () => {
  endpoint.clearRequests();
  const system = new SystemMessage({
    content: [
      { type: "text", text: "static", cache_control: { type: "ephemeral", ttl: "5m" } },
      { type: "text", text: "volatile" },
    ],
  });
  await createChatModel(env({ model: "claude-x" })).invoke([system, new HumanMessage("hello")]);
  expect(endpoint.getLastRequest()?.body).toMatchObject({
    messages: [
      {
        role: "system",
        content: [
          { type: "text", text: "static", cache_control: { type: "ephemeral", ttl: "5m" } },
          { type: "text", text: "volatile" },
        ],
      },
      { role: "user", content: "hello" },
    ],
  });
});

test("is upstream's model by name, bound or not", () => {
  const model = createChatModel(env());
  expect(model.getName()).toBe("ChatOpenAI");
  expect(model.withConfig({ tags: ["a"] }).getName()).toBe("ChatOpenAI");
});

test("reads the environment when no settings are given", () => {
  vi.stubEnv("ARCHMAX_API_BASE_URL", "");
  expect(() => createChatModel()).toThrow("ARCHMAX_API_BASE_URL");
  vi.unstubAllEnvs();
});

describe("the role of an answer", () => {
  const event = (delta: object) => `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta }] })}\n\n`;
  const answering = (body: string, type: string) => {
    vi.stubGlobal("fetch", async () => new Response(body, { headers: { "content-type": type } }));
  };
  afterEach(() => {
    vi.stubGlobal("fetch", realFetch);
  });

  test.each([
    ["none", {}],
    ["an invented one", { role: "model" }],
    ["null", { role: null }],
  ])("is the assistant's with %s, whole", async (_name, role) => {
    const call = { id: "t1", type: "function", function: { name: "forecast", arguments: "{}" } };
    const message = { ...role, content: "ok", tool_calls: [call] };
    answering(JSON.stringify({ id: "c", choices: [{ index: 0, message }] }), "application/json");
    const answer = await createChatModel(env({ streaming: false })).invoke("x");
    expect(AIMessage.isInstance(answer)).toBe(true);
    expect(answer.tool_calls).toMatchObject([{ name: "forecast" }]);
  });

  test.each([
    ["none", {}],
    ["an invented one", { role: "bot" }],
  ])("is the assistant's with %s, streamed", async (_name, role) => {
    const body = `${event({ ...role, content: "o" })}${event({ content: "k" })}data: [DONE]\n\n`;
    answering(body, "text/event-stream");
    const answer = await createChatModel(env()).invoke("x");
    expect(AIMessage.isInstance(answer)).toBe(true);
    expect(answer.text).toBe("ok");
  });
});
