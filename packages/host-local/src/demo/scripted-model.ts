/**
 * A local OpenAI-compatible endpoint that plays the model of the example workflow.
 *
 * It speaks the real chat-completions wire, plain and streamed, on 127.0.0.1 and keeps no state of its own.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type ChatCompletionRequest, type FixtureResponse, LLMock } from "@copilotkit/aimock";
import { readConversation, type WireMessage } from "./conversation.ts";
import { answerInvoice, type ScriptedAnswer } from "./invoice-script.ts";

/** Model id the endpoint answers under. */
export const SCRIPTED_MODEL_ID = "scripted-demo-model";

export interface ScriptedModelOptions {
  /** Port on 127.0.0.1; 0 or absent takes a free one. */
  port?: number;
  /** Pause before each answer in ms, so that a person can follow; default 0. */
  latencyMs?: number;
  /** Id of one completion; every completion needs its own. Default: random. */
  completionId?: () => string;
  /** The answers; default those of the example workflow. */
  script?: (request: readonly WireMessage[]) => ScriptedAnswer | Promise<ScriptedAnswer>;
}

export interface ScriptedModel {
  /** Base URL for an OpenAI-compatible client, ending in `/v1`. */
  baseUrl: string;
  stop(): Promise<void>;
}

/** Starts the endpoint. Rejects when the port is taken. */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const { latencyMs = 0, completionId = () => `chatcmpl-${randomUUID()}` } = options;
  const script = options.script ?? ((messages) => answerInvoice(readConversation(messages)));
  const server = new LLMock({
    host: "127.0.0.1",
    port: options.port ?? 0,
    logLevel: "silent",
    journalMaxEntries: 20,
  });
  server.addFixture({
    match: { endpoint: "chat" },
    response: async (request) => {
      if (latencyMs > 0) await sleep(latencyMs);
      return completion(request, await script(request.messages), completionId());
    },
  });
  await server.start();
  return { baseUrl: `${server.url}/v1`, stop: () => server.stop() };
}

/**
 * An answer in the endpoint's form. Call ids are derived from the transcript: a request repeated after a
 * crash asks for the same calls under the same ids.
 */
function completion(request: ChatCompletionRequest, answer: ScriptedAnswer, id: string): FixtureResponse {
  if (answer.refusal !== undefined)
    return { error: { message: "The endpoint gives no answer." }, status: answer.refusal };
  const { digest } = readConversation(request.messages);
  const toolCalls = (answer.calls ?? []).map((call, index) => ({
    id: `call_${digest}_${index}`,
    name: call.name,
    arguments: JSON.stringify(call.args),
  }));
  const usage = {
    prompt_tokens: Math.ceil(JSON.stringify(request.messages).length / 4),
    completion_tokens: Math.ceil((JSON.stringify(toolCalls).length + (answer.text?.length ?? 0)) / 4),
  };
  if (toolCalls.length === 0) return { id, usage, content: answer.text ?? "" };
  if (answer.text === undefined) return { id, usage, toolCalls };
  return { id, usage, content: answer.text, toolCalls };
}
