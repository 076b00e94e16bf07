import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { expect, test } from "vitest";
import { desk, f1, ScriptedModel } from "./turn-fixture.ts";

/** A model that streams its text in two chunks. */
class StreamingModel extends ScriptedModel {
  override bindTools(): this {
    return this;
  }
  override async *_streamResponseChunks(
    _messages: unknown,
    _options: unknown,
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for (const text of ["hel", "lo"]) {
      const chunk = new ChatGenerationChunk({
        text,
        message: new AIMessageChunk({ content: text, id: "m1" }),
      });
      yield chunk;
      await run?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

test.each([
  ["without callbacks of the caller's", undefined],
  ["beside the caller's", { callbacks: [{ handleLLMEnd: () => {} }] }],
])("a streaming model's text is told chunk by chunk under send, %s", async (_what, config) => {
  const held = await desk(f1(), [], { model: new StreamingModel([]) });
  const outcome = await held.workflow.send("s1", { message: "m" }, config);
  expect(outcome.reply).toBe("hello");
  expect(held.of("agent-text-delta").map(({ text }) => text)).toEqual(["hel", "lo"]);
  const ids = [...held.of("agent-text-delta"), ...held.of("agent-text")].map(({ messageId }) => messageId);
  expect(new Set(ids).size).toBe(1);
  expect(held.of("agent-text-delta").every(({ state }) => state === "intake")).toBe(true);
});
