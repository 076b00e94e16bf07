/**
 * Provider prompt caching: whether it is on, by which mechanism, and the mark it puts on the stable prefix
 * (spec 03 §13).
 */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type Environment, readSwitch, readText } from "./environment-values.ts";

/** How long a provider keeps a cached prefix. */
export type CacheTtl = "5m" | "1h";

/** What a host or a workflow may say about prompt caching. A ttl other than `1h` reads as `5m`. */
export interface PromptCacheOptions {
  enabled?: boolean | undefined;
  ttl?: string | undefined;
}

/** Prompt caching as it is in force. */
export interface ResolvedPromptCache {
  enabled: boolean;
  ttl: CacheTtl;
}

/**
 * How a model's prompt is cached: by Deep Agents for the two classes it knows (`anthropic-native`,
 * `bedrock-native`), by a mark on the static block for a Claude behind another class (`anthropic-compat`), not at
 * all (`unsupported`), or switched `off`.
 */
export type CacheStrategy =
  | "anthropic-native"
  | "bedrock-native"
  | "anthropic-compat"
  | "unsupported"
  | "off";

/** The mark on a content block up to which the provider may cache. */
export interface CacheControl {
  type: "ephemeral";
  ttl: CacheTtl;
}

/**
 * Settles prompt caching, each key by itself: the assembly's option, else the workflow's `settings.prompt_cache`,
 * else `ARCHMAX_PROMPT_CACHE` and `ARCHMAX_PROMPT_CACHE_TTL`, else on with `5m`.
 *
 * @throws Error naming `ARCHMAX_PROMPT_CACHE` when it decides and is no switch.
 */
export function resolvePromptCache(sources: {
  option?: PromptCacheOptions | undefined;
  settings?: PromptCacheOptions | undefined;
  env: Environment;
}): ResolvedPromptCache {
  const { option, settings, env } = sources;
  const ttl = option?.ttl ?? settings?.ttl ?? readText(env, "ARCHMAX_PROMPT_CACHE_TTL");
  return {
    enabled: option?.enabled ?? settings?.enabled ?? readSwitch(env, "ARCHMAX_PROMPT_CACHE") ?? true,
    ttl: ttl === "1h" ? "1h" : "5m",
  };
}

/**
 * The strategy for a model.
 *
 * @param modelId the id the model is called with, where it was declared; the model's own otherwise.
 */
export function cacheStrategy(
  model: BaseChatModel,
  modelId: string | undefined,
  resolved: ResolvedPromptCache,
): CacheStrategy {
  if (!resolved.enabled) return "off";
  const id = modelId ?? idOf(model) ?? "";
  const className = model.getName();
  if (className === "ChatAnthropic") return "anthropic-native";
  if (className === "ChatBedrockConverse") return /claude|nova/iu.test(id) ? "bedrock-native" : "unsupported";
  return /claude|anthropic/iu.test(id) ? "anthropic-compat" : "unsupported";
}

/** The mark for the static block, or `undefined` where the strategy sets none itself. */
export function cacheControlFor(strategy: CacheStrategy, ttl: CacheTtl): CacheControl | undefined {
  return strategy === "anthropic-compat" ? { type: "ephemeral", ttl } : undefined;
}

/**
 * The states whose model Deep Agents would cache, but by another mechanism than the one it installed for the
 * agent's own model: their prompts are not cached.
 *
 * @param own the strategy of the agent's own model.
 * @param states the strategy of each state's model.
 * @returns the warning to give at assembly, or `undefined` when there is none.
 */
export function mixedCacheWarning(
  own: CacheStrategy,
  states: ReadonlyMap<string, CacheStrategy>,
): string | undefined {
  const odd = [...states].filter(([, strategy]) => strategy.endsWith("-native") && strategy !== own);
  if (odd.length === 0) return undefined;
  const named = odd.map(([state, strategy]) => `${state} (${strategy})`).join(", ");
  return (
    `Prompt caching is set up for the agent's own model (${own}), ` +
    `so the models of these states run without it: ${named}.`
  );
}

function idOf(model: BaseChatModel): string | undefined {
  for (const key of ["model", "modelName", "modelId"] as const) {
    const value: unknown = Reflect.get(model, key);
    if (typeof value === "string") return value;
  }
  return undefined;
}
