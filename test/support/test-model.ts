/** The model of a host under test: the example's script, which a test can hold, count or replace. */
import { type Conversation, readConversation } from "../../packages/host-local/src/demo/conversation.ts";
import { answerInvoice, type ScriptedAnswer } from "../../packages/host-local/src/demo/invoice-script.ts";
import { startScriptedModel } from "../../packages/host-local/src/demo/scripted-model.ts";

export type Script = (conversation: Conversation) => ScriptedAnswer | Promise<ScriptedAnswer>;

export interface TestModel {
  /** Base URL for an OpenAI-compatible client. */
  baseUrl: string;
  /** What a host finds it by. */
  env: Record<string, string>;
  /** How often it has been asked so far. */
  asked(): number;
  /** Fulfils when it is asked the next time. */
  nextAsked(): Promise<void>;
  /** Lets every request wait until the returned function is called. */
  hold(): () => void;
  /** Answers by another script from now on; none is the example's. */
  answerBy(script?: Script): void;
  stop(): Promise<void>;
}

/** Starts it on a free port. `latencyMs` is the pause before each answer. */
export async function startTestModel(latencyMs = 0): Promise<TestModel> {
  let asked = 0;
  let held: Promise<void> | undefined;
  let script: Script = answerInvoice;
  let waiting = Promise.withResolvers<void>();
  const model = await startScriptedModel({
    latencyMs,
    script: async (messages) => {
      asked += 1;
      waiting.resolve();
      waiting = Promise.withResolvers();
      await held;
      return script(readConversation(messages));
    },
  });
  return {
    baseUrl: model.baseUrl,
    env: {
      ARCHMAX_API_BASE_URL: model.baseUrl,
      ARCHMAX_API_KEY: "scripted",
      ARCHMAX_MODEL: "scripted",
    },
    asked: () => asked,
    nextAsked: () => waiting.promise,
    hold() {
      const gate = Promise.withResolvers<void>();
      held = gate.promise;
      return () => {
        held = undefined;
        gate.resolve();
      };
    },
    answerBy: (other = answerInvoice) => {
      script = other;
    },
    stop: () => model.stop(),
  };
}
