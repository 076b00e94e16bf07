import { FakeListChatModel } from "@langchain/core/utils/testing";
import { describe, expect, test } from "vitest";
import {
  type CacheStrategy,
  cacheControlFor,
  cacheStrategy,
  mixedCacheWarning,
  resolvePromptCache,
} from "./prompt-cache.ts";

const ON = { enabled: true, ttl: "5m" } as const;

class NamedModel extends FakeListChatModel {
  readonly #name: string;
  constructor(name: string, model: string) {
    super({ responses: ["ok"] });
    this.#name = name;
    Object.assign(this, { model });
  }
  override getName(): string {
    return this.#name;
  }
}

describe("resolvePromptCache", () => {
  test("is on with 5m by default", () => {
    expect(resolvePromptCache({ env: {} })).toEqual(ON);
  });

  test("prefers the option, then the workflow's settings, then the environment, key by key", () => {
    const env = { ARCHMAX_PROMPT_CACHE: "off", ARCHMAX_PROMPT_CACHE_TTL: "1h" };
    expect(resolvePromptCache({ env })).toEqual({ enabled: false, ttl: "1h" });
    expect(resolvePromptCache({ settings: { enabled: true }, env })).toEqual({ enabled: true, ttl: "1h" });
    expect(
      resolvePromptCache({
        option: { enabled: false, ttl: "5m" },
        settings: { enabled: true, ttl: "1h" },
        env,
      }),
    ).toEqual({
      enabled: false,
      ttl: "5m",
    });
  });

  test.each(["9m", "", "1H", "forever"])("reads the ttl %j as 5m", (ttl) => {
    expect(resolvePromptCache({ option: { ttl }, settings: { ttl: "1h" }, env: {} }).ttl).toBe("5m");
    expect(resolvePromptCache({ env: { ARCHMAX_PROMPT_CACHE_TTL: ttl } }).ttl).toBe("5m");
  });

  test("names a switch that is none, when it decides", () => {
    const env = { ARCHMAX_PROMPT_CACHE: "maybe" };
    expect(() => resolvePromptCache({ env })).toThrow("ARCHMAX_PROMPT_CACHE");
    expect(resolvePromptCache({ option: { enabled: true }, env }).enabled).toBe(true);
  });
});

describe("cacheStrategy", () => {
  test.each<[string, string, CacheStrategy]>([
    ["ChatAnthropic", "claude-x", "anthropic-native"],
    ["ChatBedrockConverse", "eu.anthropic.claude-x", "bedrock-native"],
    ["ChatBedrockConverse", "amazon.nova-pro", "bedrock-native"],
    ["ChatBedrockConverse", "meta.llama", "unsupported"],
    ["ChatOpenAI", "vendor/Claude-x", "anthropic-compat"],
    ["ChatOpenAI", "anthropic/x", "anthropic-compat"],
    ["ChatOpenAI", "gpt-x", "unsupported"],
  ])("of %s with %s is %s", (name, id, strategy) => {
    expect(cacheStrategy(new NamedModel(name, id), undefined, ON)).toBe(strategy);
    expect(cacheStrategy(new NamedModel(name, "other"), id, ON)).toBe(strategy);
    expect(cacheStrategy(new NamedModel(name, id), undefined, { enabled: false, ttl: "5m" })).toBe("off");
  });
});

test("only the compatible strategy sets a mark", () => {
  expect(cacheControlFor("anthropic-compat", "5m")).toEqual({ type: "ephemeral", ttl: "5m" });
  for (const strategy of ["anthropic-native", "bedrock-native", "unsupported", "off"] as const) {
    expect(cacheControlFor(strategy, "1h")).toBeUndefined();
  }
});

test("warns of states whose model is native to another mechanism, and of no others", () => {
  const states = new Map<string, CacheStrategy>([
    ["a", "anthropic-native"],
    ["b", "bedrock-native"],
    ["c", "anthropic-compat"],
  ]);
  const warning = mixedCacheWarning("anthropic-native", states);
  expect(warning).toContain("b (bedrock-native)");
  expect(warning).not.toContain("a (");
  expect(warning).not.toContain("c (");
  expect(mixedCacheWarning("off", new Map([["a", "off"]]))).toBeUndefined();
});
