/**
 * The default chat model: any OpenAI-compatible endpoint over chat completions (spec 04 §2.3).
 *
 * Two habits of the upstream class are put right here. It repairs nothing an endpoint answers, and on a streamed
 * answer it counts tokens with a tokenizer it downloads from a third party; an agent must not depend on a host
 * it was not told of, so tokens are estimated from the text's length. What is spent is never read from that
 * estimate but from the usage the endpoint reports.
 */
import type { MessageContent } from "@langchain/core/messages";
import { ChatOpenAI, ChatOpenAICompletions, type ChatOpenAIFields } from "@langchain/openai";
import { repairCompletion, repairedChunks } from "./endpoint-roles.ts";
import { type AgentEnv, readAgentEnv } from "./environment.ts";

/** The two overloads of upstream's one request method, taken apart: a streamed answer and a whole one. */
type Overloads = ChatOpenAICompletions["completionWithRetry"] extends {
  (request: infer StreamRequest, options?: infer Options): infer Chunks;
  (request: infer WholeRequest, options?: infer _Options): infer Whole;
}
  ? {
      streamRequest: StreamRequest;
      wholeRequest: WholeRequest;
      options: Options;
      chunks: Awaited<Chunks>;
      whole: Awaited<Whole>;
    }
  : never;
type StreamRequest = Overloads["streamRequest"];
type WholeRequest = Overloads["wholeRequest"];
type RequestOptions = Overloads["options"];
type Chunks = Overloads["chunks"];
type Whole = Overloads["whole"];

/** Characters a token has on average: the estimate upstream falls back to without its tokenizer. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * The chat model of an OpenAI-compatible endpoint: streaming unless `env.streaming` is `false`, usage requested
 * with every stream. Talks to `env.apiBaseUrl` and to no other host.
 *
 * @param env the settings; the environment's when left out.
 * @throws Error naming the `ARCHMAX_*` variable that is missing or malformed, when `env` is left out.
 */
export function createChatModel(env: AgentEnv = readAgentEnv()): ChatOpenAI {
  return new EndpointChatModel({
    model: env.model,
    apiKey: env.apiKey,
    configuration: { baseURL: env.apiBaseUrl },
    streaming: env.streaming !== false,
    streamUsage: true,
    ...(env.temperature === undefined ? {} : { temperature: env.temperature }),
    ...(env.maxTokens === undefined ? {} : { maxTokens: env.maxTokens }),
  });
}

class EndpointChatModel extends ChatOpenAI {
  constructor(fields: ChatOpenAIFields) {
    super({ ...fields, completions: fields.completions ?? new EndpointCompletions(fields) });
  }

  /** Compatible endpoints speak chat completions; upstream switches some model names to another API. */
  protected override _useResponsesApi(): boolean {
    return false;
  }

  /** Upstream returns its own class here, which every binding of tools goes through. */
  override withConfig(config: Parameters<ChatOpenAI["withConfig"]>[0]): EndpointChatModel {
    const configured = new EndpointChatModel(this.fields ?? {});
    configured.defaultOptions = { ...this.defaultOptions, ...config };
    return configured;
  }

  override async getNumTokens(content: MessageContent): Promise<number> {
    return estimatedTokens(content);
  }
}

class EndpointCompletions extends ChatOpenAICompletions {
  override async getNumTokens(content: MessageContent): Promise<number> {
    return estimatedTokens(content);
  }

  override completionWithRetry(request: StreamRequest, options?: RequestOptions): Promise<Chunks>;
  override completionWithRetry(request: WholeRequest, options?: RequestOptions): Promise<Whole>;
  override async completionWithRetry(
    request: StreamRequest | WholeRequest,
    options?: RequestOptions,
  ): Promise<Chunks | Whole> {
    if (request.stream === true) return repairedChunks(await super.completionWithRetry(request, options));
    const answer = await super.completionWithRetry(request, options);
    repairCompletion(answer);
    return answer;
  }
}

function estimatedTokens(content: MessageContent): number {
  const text =
    typeof content === "string"
      ? content
      : content.map((block) => ("text" in block ? block.text : "")).join("");
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
