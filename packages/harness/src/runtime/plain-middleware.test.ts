import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { type AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { describe, expect, test } from "vitest";
import { createAgent } from "../create-agent.ts";
import type { CreateAgentParams } from "../create-agent-params.ts";
import type { WorkflowLifecycleEvent } from "../events/types.ts";
import { createUsageTracker } from "../events/usage.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { type Answer, calling, hostTool, ScriptedModel, speaking } from "./turn-fixture.ts";

const SESSION = { configurable: { thread_id: "p1" } };

/** A plain agent over memory, and what its tests look at. */
async function plain(answers: Answer[], params: CreateAgentParams = {}) {
  const events: WorkflowLifecycleEvent[] = [];
  const tracker = createUsageTracker({ onEvent: (event) => events.push(event) });
  const agent = await createAgent({
    workflow: false,
    model: new ScriptedModel(answers),
    authoring: createMemorySessionStore().backend,
    mounts: {},
    workspace: { sessionStore: createMemorySessionStore() },
    onEvent: tracker.handler,
    ...params,
  });
  const say = async (text: string): Promise<BaseMessage[]> =>
    ((await agent.invoke({ messages: text }, SESSION)) as { messages: BaseMessage[] }).messages;
  return { agent, events, tracker, say };
}

/** A message the provider charged 1,000 tokens in, 400 of them from its cache, and 100 out. */
function charged(message: AIMessage): AIMessage {
  const usage_metadata = {
    input_tokens: 1_000,
    output_tokens: 100,
    total_tokens: 1_100,
    input_token_details: { cache_read: 400 },
  };
  return Object.assign(message, { usage_metadata });
}

describe("a plain agent", () => {
  test("reports its text and its tool calls as a governed one does, in an empty state", async () => {
    const tools = [hostTool("look", () => "seen")];
    const held = await plain([speaking("hm", ["look", { x: 1 }]), speaking("done")], { tools });
    const messages = await held.say("go");
    const callId = (messages[1] as AIMessage).tool_calls?.[0]?.id;
    const first = { text: "hm", messageId: messages[1]?.id, sessionId: "p1" };
    const last = { text: "done", messageId: messages[3]?.id, sessionId: "p1" };
    expect(held.events).toEqual([
      expect.objectContaining({ type: "agent-text-delta", ...first }),
      expect.objectContaining({ type: "agent-text", ...first }),
      expect.objectContaining({ type: "tool-called", tool: "look", callId, args: { x: 1 }, sessionId: "p1" }),
      expect.objectContaining({ type: "tool-result", tool: "look", callId, status: "ok", output: "seen" }),
      expect.objectContaining({ type: "agent-text-delta", ...last }),
      expect.objectContaining({ type: "agent-text", ...last }),
    ]);
    expect(new Set(held.events.flatMap((event) => ("state" in event ? [event.state] : [])))).toEqual(
      new Set([""]),
    );
    expect(messages.map((message) => message.id)).not.toContain(undefined);
  });

  test("adds up what it spends: events, summary and artifacts agree over two turns", async () => {
    const pricing = { default: { input: 3, output: 15, cacheRead: 0.3 } };
    const { agent, tracker, say } = await plain([charged(speaking("a")), charged(speaking("b"))], {
      pricing,
    });
    expect((await agent.sessions.get("p1"))?.usage).toBeUndefined();
    await say("one");
    await say("two");
    const spent = { inputTokens: 2_000, outputTokens: 200, cacheReadTokens: 800, cacheCreationTokens: 0 };
    expect(tracker.totals("p1")).toEqual({ ...spent, costUsd: 0.00684 });
    expect((await agent.sessions.get("p1"))?.usage).toEqual({ ...spent, costUsd: 0.00684 });
  });

  test("answers a tool that throws with its message, and goes on", async () => {
    const tools = [
      hostTool("look", () => {
        throw new Error("boom");
      }),
    ];
    const { events, say } = await plain([calling(["look", {}]), speaking("ok")], { tools });
    const messages = await say("go");
    expect(messages[2]).toMatchObject({ content: "boom", status: "error" });
    expect(messages.at(-1)?.content).toBe("ok");
    expect(events.find((event) => event.type === "tool-result")).toMatchObject({
      status: "error",
      output: "boom",
      level: "warn",
    });
  });

  test("leaves a cancelled call unanswered, settled as an error", async () => {
    const cancel = new AbortController();
    const tools = [
      hostTool("look", () => {
        cancel.abort();
        throw new Error("cancelled");
      }),
    ];
    const { agent, events } = await plain([calling(["look", {}])], { tools });
    await expect(
      agent.invoke({ messages: "go" }, { ...SESSION, signal: cancel.signal }),
    ).rejects.toMatchObject({ name: "AbortError" });
    expect(events.filter((event) => event.type === "tool-result")).toEqual([
      expect.objectContaining({ status: "error" }),
    ]);
    const { values } = await agent.getState(SESSION);
    expect((values as { messages: BaseMessage[] }).messages.some((m) => m.getType() === "tool")).toBe(false);
  });

  test("says what had been streamed of a call that failed", async () => {
    class Failing extends ScriptedModel {
      override bindTools(): this {
        return this;
      }
      override async *_streamResponseChunks(
        _messages: unknown,
        _options: unknown,
        run?: CallbackManagerForLLMRun,
      ): AsyncGenerator<ChatGenerationChunk> {
        const message = new AIMessageChunk({ content: "hel", id: "m1" });
        const chunk = new ChatGenerationChunk({ text: "hel", message });
        yield chunk;
        await run?.handleLLMNewToken("hel", undefined, undefined, undefined, undefined, { chunk });
        throw new Error("the endpoint is gone");
      }
    }
    const { events, say } = await plain([], { model: new Failing([]) });
    await expect(say("go")).rejects.toThrow("the endpoint is gone");
    expect(events).toEqual([
      expect.objectContaining({ type: "agent-text-delta", text: "hel", messageId: "m1" }),
      expect.objectContaining({ type: "agent-text", text: "hel", messageId: "m1", partial: true }),
    ]);
  });
});
