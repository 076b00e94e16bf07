/**
 * What a session spends: reading one model call's usage, pricing it, adding it up and saying it
 * (spec 03 §12, 06 §B5).
 */
import { type Environment, readNumber } from "../model/environment-values.ts";
import { isMapping, ownValue } from "../spec/shapes.ts";
import type { WorkflowEventHandler } from "./types.ts";

/** Token totals; `costUsd` in US dollars, only where pricing is configured. */
export interface UsageSummary {
  /** Everything the model read, tokens served from or written to the provider's cache included. */
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
  costUsd?: number;
}

/** The usage of one model call; `model` is the id that answered, where known. */
export interface CallUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
  model?: string;
}

/** Rates of one model in US dollars per million tokens. A cache rate left out is the input rate. */
export interface ModelRates {
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** Rates by model id, or by a part of one; `default` holds for every other model. */
export type PricingTable = Record<string, ModelRates>;

const DEFAULT_RATES = "default";

/**
 * The usage a provider reported on an answer, or `undefined` when it reported none. Read from LangChain's
 * `usage_metadata`, else from raw OpenAI counts, else from raw Anthropic counts, whose input leaves cached tokens
 * out.
 *
 * @param message the model's answer.
 * @param configuredModel the id the call was made with, for an answer that names none.
 */
export function readCallUsage(message: unknown, configuredModel?: string): CallUsage | undefined {
  const metadata = ownValue(message, "response_metadata");
  const counts = fromUsageMetadata(ownValue(message, "usage_metadata")) ?? fromRawCounts(metadata);
  if (counts === undefined) return undefined;
  const model =
    text(ownValue(metadata, "model_name")) ?? text(ownValue(metadata, "model")) ?? configuredModel;
  return model === undefined ? counts : { ...counts, model };
}

/**
 * What a call cost in US dollars, to 6 decimals, or `undefined` when no input or output rate covers its model.
 * The rates are those of the exact id, else of the longest key the id contains, else `default`.
 */
export function costOf(usage: CallUsage, pricing: PricingTable): number | undefined {
  const rates = ratesFor(usage.model, pricing);
  if (rates === undefined || (rates.input === undefined && rates.output === undefined)) return undefined;
  const input = rates.input ?? 0;
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = usage;
  const microDollars =
    input * Math.max(0, inputTokens - cacheReadTokens - cacheCreationTokens) +
    (rates.output ?? 0) * outputTokens +
    (rates.cacheRead ?? input) * cacheReadTokens +
    (rates.cacheWrite ?? input) * cacheCreationTokens;
  return Math.round(microDollars) / 1e6;
}

/** Adds what was spent to a total. A cost is kept as soon as one of the two has one. */
export function addUsage(total: UsageSummary | undefined, spent: UsageSummary): UsageSummary {
  const sum = total ?? { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };
  return {
    inputTokens: sum.inputTokens + spent.inputTokens,
    outputTokens: sum.outputTokens + spent.outputTokens,
    cacheReadTokens: sum.cacheReadTokens + spent.cacheReadTokens,
    cacheCreationTokens: sum.cacheCreationTokens + spent.cacheCreationTokens,
    ...(sum.costUsd === undefined && spent.costUsd === undefined
      ? {}
      : { costUsd: Math.round(((sum.costUsd ?? 0) + (spent.costUsd ?? 0)) * 1e6) / 1e6 }),
  };
}

/**
 * The rates in force: the option, else the environment's `ARCHMAX_PRICE_INPUT`, `_OUTPUT`, `_CACHE_READ` and
 * `_CACHE_WRITE` as `default`, else none (`{}`).
 *
 * @throws Error naming the variable and its value when one is no number.
 */
export function readPricing(option: PricingTable | undefined, env: Environment): PricingTable {
  if (option !== undefined) return option;
  const read: [keyof ModelRates, number | undefined][] = [
    ["input", readNumber(env, "ARCHMAX_PRICE_INPUT")],
    ["output", readNumber(env, "ARCHMAX_PRICE_OUTPUT")],
    ["cacheRead", readNumber(env, "ARCHMAX_PRICE_CACHE_READ")],
    ["cacheWrite", readNumber(env, "ARCHMAX_PRICE_CACHE_WRITE")],
  ];
  const rates: ModelRates = {};
  for (const [name, rate] of read) if (rate !== undefined) rates[name] = rate;
  return Object.keys(rates).length === 0 ? {} : { [DEFAULT_RATES]: rates };
}

/** The usage line: `in 12,004 · out 318 · cache r 9,801/w 0 · $0.0421`, the price only where there is one. */
export function formatUsage(usage: UsageSummary): string {
  const tokens =
    `in ${grouped(usage.inputTokens)} · out ${grouped(usage.outputTokens)} · ` +
    `cache r ${grouped(usage.cacheReadTokens)}/w ${grouped(usage.cacheCreationTokens)}`;
  if (usage.costUsd === undefined) return tokens;
  return `${tokens} · $${usage.costUsd.toFixed(usage.costUsd < 0.01 ? 6 : 4)}`;
}

/** Adds up the `model-usage` events of a stream, per session and over all of them. */
export interface UsageTracker {
  /** To be passed as `onEvent`. */
  readonly handler: WorkflowEventHandler;
  /** The total of one session, or of everything seen when no id is given. */
  totals(sessionId?: string): UsageSummary;
  /** The total of every session seen, as of now. */
  bySession(): ReadonlyMap<string, UsageSummary>;
  /** Forgets everything seen so far. */
  reset(): void;
}

/**
 * Builds a tracker.
 *
 * @param options.onEvent receives every event after it was counted.
 */
export function createUsageTracker(options: { onEvent?: WorkflowEventHandler } = {}): UsageTracker {
  const sessions = new Map<string, UsageSummary>();
  let all = NOTHING_SPENT;
  return {
    handler(event) {
      if (event.type === "model-usage") {
        all = addUsage(all, event);
        if (event.sessionId !== undefined) {
          sessions.set(event.sessionId, addUsage(sessions.get(event.sessionId), event));
        }
      }
      // Returned, so that the stream sees a promise an asynchronous consumer left behind.
      return options.onEvent?.(event);
    },
    totals: (sessionId) => ({
      ...(sessionId === undefined ? all : (sessions.get(sessionId) ?? NOTHING_SPENT)),
    }),
    bySession: () => new Map(sessions),
    reset() {
      sessions.clear();
      all = NOTHING_SPENT;
    },
  };
}

const NOTHING_SPENT: UsageSummary = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
};

function fromUsageMetadata(usage: unknown): CallUsage | undefined {
  const details = ownValue(usage, "input_token_details");
  return reported(
    count(ownValue(usage, "input_tokens")),
    count(ownValue(usage, "output_tokens")),
    count(ownValue(details, "cache_read")),
    count(ownValue(details, "cache_creation")),
  );
}

function fromRawCounts(metadata: unknown): CallUsage | undefined {
  const raw = ["usage", "tokenUsage"].map((key) => ownValue(metadata, key)).filter(isMapping);
  for (const read of [fromOpenAiCounts, fromAnthropicCounts]) {
    for (const usage of raw) {
      const found = read(usage);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function fromOpenAiCounts(usage: Record<string, unknown>): CallUsage | undefined {
  const details = usage.prompt_tokens_details;
  return reported(
    count(usage.prompt_tokens) ?? count(usage.promptTokens),
    count(usage.completion_tokens) ?? count(usage.completionTokens),
    count(ownValue(details, "cached_tokens")),
    count(ownValue(details, "cache_write_tokens")),
  );
}

function fromAnthropicCounts(usage: Record<string, unknown>): CallUsage | undefined {
  const read = count(usage.cache_read_input_tokens);
  const created = count(usage.cache_creation_input_tokens);
  const fresh = count(usage.input_tokens);
  return reported(
    fresh === undefined ? undefined : fresh + (read ?? 0) + (created ?? 0),
    count(usage.output_tokens),
    read,
    created,
  );
}

/** An endpoint that reports nothing leaves empty objects behind: only a count makes a report. */
function reported(
  input: number | undefined,
  output: number | undefined,
  read: number | undefined,
  created: number | undefined,
): CallUsage | undefined {
  if (input === undefined && output === undefined) return undefined;
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    cacheReadTokens: read ?? 0,
    cacheCreationTokens: created ?? 0,
  };
}

function ratesFor(model: string | undefined, pricing: PricingTable): ModelRates | undefined {
  if (model !== undefined) {
    if (Object.hasOwn(pricing, model)) return pricing[model];
    const contained = Object.keys(pricing)
      .filter((key) => key !== "" && key !== DEFAULT_RATES && model.includes(key))
      .sort((a, b) => b.length - a.length);
    if (contained[0] !== undefined) return pricing[contained[0]];
  }
  return Object.hasOwn(pricing, DEFAULT_RATES) ? pricing[DEFAULT_RATES] : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function grouped(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
