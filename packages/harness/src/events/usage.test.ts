import { describe, expect, test } from "vitest";
import { createEventStream } from "./stream.ts";
import type { WorkflowLifecycleEvent } from "./types.ts";
import { addUsage, costOf, createUsageTracker, formatUsage, readCallUsage, readPricing } from "./usage.ts";

const CALL = { inputTokens: 1000, outputTokens: 100, cacheReadTokens: 400, cacheCreationTokens: 0 };
const RATES = { input: 3, output: 15, cacheRead: 0.3 };

describe("cost", () => {
  test("RUN-089 input 1,000, read 400, output 100, rates 3/15/cacheRead 0.3 cost 0.00342", () => {
    expect(costOf(CALL, { default: RATES })).toBe(0.00342);
  });

  test("RUN-089 no rates, no cost", () => {
    expect(costOf(CALL, {})).toBeUndefined();
    expect(costOf(CALL, { default: { cacheRead: 1 } })).toBeUndefined();
  });

  test("cache rates default to the input rate", () => {
    expect(costOf({ ...CALL, cacheCreationTokens: 100 }, { default: { input: 1 } })).toBe(0.001);
  });

  test("never counts fewer than no fresh tokens", () => {
    expect(costOf({ ...CALL, inputTokens: 100 }, { default: { input: 1, cacheRead: 0 } })).toBe(0);
  });

  test.each([
    ["the exact id", "big-1", 3],
    ["the longest key contained in it", "vendor/big-2024", 2],
    ["a shorter one", "vendor/bi", 1],
    ["default", "small", 9],
  ])("prices by %s", (_name, model, input) => {
    const pricing = { bi: { input: 1 }, big: { input: 2 }, "big-1": { input: 3 }, default: { input: 9 } };
    const usage = { inputTokens: 1e6, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0, model };
    expect(costOf(usage, pricing)).toBe(input);
  });

  test("an inherited name is no price", () => {
    expect(costOf({ ...CALL, model: "constructor" }, {})).toBeUndefined();
  });
});

describe("readPricing", () => {
  test("the option outranks the environment", () => {
    expect(readPricing({ m: RATES }, { ARCHMAX_PRICE_INPUT: "nonsense" })).toEqual({ m: RATES });
  });

  test("reads the environment as default", () => {
    const env = {
      ARCHMAX_PRICE_INPUT: "3",
      ARCHMAX_PRICE_OUTPUT: "15",
      ARCHMAX_PRICE_CACHE_READ: " ",
      ARCHMAX_PRICE_CACHE_WRITE: "0",
    };
    expect(readPricing(undefined, env)).toEqual({ default: { input: 3, output: 15, cacheWrite: 0 } });
    expect(readPricing(undefined, {})).toEqual({});
  });

  test("names a variable that is no number, and its value", () => {
    expect(() => readPricing(undefined, { ARCHMAX_PRICE_OUTPUT: "cheap" })).toThrow(
      /ARCHMAX_PRICE_OUTPUT.*"cheap"/,
    );
  });
});

describe("readCallUsage", () => {
  const openai = {
    prompt_tokens: 10,
    completion_tokens: 2,
    prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
  };
  const anthropic = {
    input_tokens: 5,
    output_tokens: 2,
    cache_read_input_tokens: 4,
    cache_creation_input_tokens: 1,
  };
  const expected = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4, cacheCreationTokens: 1 };

  test("reads usage_metadata first", () => {
    const message = {
      usage_metadata: {
        input_tokens: 10,
        output_tokens: 2,
        total_tokens: 12,
        input_token_details: { cache_read: 4, cache_creation: 1 },
      },
      response_metadata: { tokenUsage: { promptTokens: 99 }, model_name: "m" },
    };
    expect(readCallUsage(message, "configured")).toEqual({ ...expected, model: "m" });
  });

  test.each([
    ["raw OpenAI counts", { usage: openai }],
    ["raw Anthropic counts, cache added back", { usage: anthropic }],
  ])("reads %s", (_name, metadata) => {
    expect(readCallUsage({ response_metadata: metadata })).toEqual(expected);
  });

  test("reads LangChain's camel-cased counts", () => {
    const message = { response_metadata: { tokenUsage: { promptTokens: 3, completionTokens: 1 } } };
    expect(readCallUsage(message)).toMatchObject({ inputTokens: 3, outputTokens: 1 });
  });

  test.each([
    ["no metadata", {}],
    ["nothing at all", null],
    [
      "empty reports",
      {
        usage_metadata: { input_token_details: { cache_read: undefined } },
        response_metadata: { usage: {} },
      },
    ],
    ["an estimate", { response_metadata: { estimatedTokenUsage: { promptTokens: 3 } } }],
  ])("has no usage for %s", (_name, message) => {
    expect(readCallUsage(message, "m")).toBeUndefined();
  });

  test("names the configured model when the answer names none", () => {
    expect(readCallUsage({ response_metadata: { usage: openai } }, "configured")?.model).toBe("configured");
    expect(readCallUsage({ response_metadata: { usage: openai, model: "own" } }, "configured")?.model).toBe(
      "own",
    );
  });
});

test("addUsage sums, and keeps a cost as soon as there is one", () => {
  const once = addUsage(undefined, CALL);
  expect(once).toEqual(CALL);
  expect(once).not.toHaveProperty("costUsd");
  const priced = addUsage(once, { ...CALL, costUsd: 0.1 });
  expect(addUsage(priced, { ...CALL, costUsd: 0.2 }).costUsd).toBe(0.3);
});

test.each([
  [undefined, "in 12,004 · out 318 · cache r 9,801/w 0"],
  [0.04211, "in 12,004 · out 318 · cache r 9,801/w 0 · $0.0421"],
  [0.00342, "in 12,004 · out 318 · cache r 9,801/w 0 · $0.003420"],
  [0.01, "in 12,004 · out 318 · cache r 9,801/w 0 · $0.0100"],
])("formatUsage with the cost %s", (costUsd, line) => {
  const usage = { inputTokens: 12004, outputTokens: 318, cacheReadTokens: 9801, cacheCreationTokens: 0 };
  expect(formatUsage(costUsd === undefined ? usage : { ...usage, costUsd })).toBe(line);
});

describe("createUsageTracker", () => {
  test("totals per session and over all, and passes events on", () => {
    const passed: WorkflowLifecycleEvent[] = [];
    const tracker = createUsageTracker({ onEvent: (event) => passed.push(event) });
    const stream = createEventStream({ onEvent: tracker.handler, sessionId: () => undefined });
    stream.emit({ type: "model-usage", state: "a", ...CALL, model: "m", costUsd: 0.1 }, { sessionId: "s1" });
    stream.emit({ type: "model-usage", state: "a", ...CALL }, { sessionId: "s2" });
    stream.emit({ type: "state-enter", state: "a" }, { sessionId: "s3" });
    stream.emit({ type: "model-usage", state: "a", ...CALL });
    expect(tracker.totals("s1")).toStrictEqual({ ...CALL, costUsd: 0.1 });
    expect([...tracker.bySession().keys()]).toEqual(["s1", "s2"]);
    expect(tracker.totals()).toMatchObject({ inputTokens: 3000, costUsd: 0.1 });
    expect(tracker.totals("unknown")).toStrictEqual({
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheCreationTokens: 0,
    });
    expect(passed).toHaveLength(4);
    tracker.reset();
    expect(tracker.totals().inputTokens).toBe(0);
    expect(tracker.bySession().size).toBe(0);
  });
});
