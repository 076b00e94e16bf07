import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { contentToString, messageTypeOf } from "../messages/index.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { calling, desk, f1, hostTool, type ModelRequest, ScriptedModel, speaking } from "./turn-fixture.ts";

/** What a request says beside its system prompt: the type of each message and how its text begins. */
const spoken = ({ messages }: ModelRequest) =>
  messages
    .filter((message) => messageTypeOf(message) !== "system")
    .map((message) => `${messageTypeOf(message)}: ${contentToString(message.content).slice(0, 12)}`);

/** A model whose profile says that it holds little. */
class SmallModel extends ScriptedModel {
  override get profile() {
    return { maxInputTokens: 12_000 };
  }
}

test("a session too long for the model goes on from a summary, in its turn, after a tool and in a fresh process", async () => {
  const store = createMemorySessionStore();
  const config = { configurable: { thread_id: "s1" } };
  const spec = f1({ intake: { tools: { allow: ["peek"] } } });
  const tools = [hostTool("peek")];
  const model = new SmallModel([speaking("the gist"), calling(["peek", {}]), speaking("done")]);
  const first = await desk(spec, [], { model, tools }, store);
  const long = "word ".repeat(2_000);
  const told = [1, 2, 3].flatMap((n) => [new HumanMessage(`${n} ${long}`), new AIMessage(`${n} ${long}`)]);
  await first.agent.invoke({ messages: [...told, new HumanMessage("now")] }, config);
  expect(first.of("agent-text").map(({ text }) => text)).toEqual(["done"]);
  const [gist, ...later] = model.requests;
  expect(contentToString(gist?.messages[0]?.content)).toContain("Human: 1 word");

  const resumed = new SmallModel([speaking("again")]);
  const second = await desk(spec, [], { model: resumed, tools }, store);
  const outcome = await second.workflow.send("s1", { message: "more" });
  expect(outcome.messages.map(({ content }) => contentToString(content).slice(0, 6))).toEqual([
    ...["1 word", "1 word", "2 word", "2 word", "3 word", "3 word"],
    ...["now", "", "fine", "done", "more", "again"],
  ]);

  const requests = [...later, ...resumed.requests].map((request) => request.messages.slice(1));
  for (const [summary] of requests) expect(contentToString(summary?.content)).toContain("the gist");
  const rest = requests.map(([, ...messages]) => messages.map(({ content }) => contentToString(content)));
  expect(rest).toEqual([["now"], ["now", "", "fine"], ["now", "", "fine", "done", "more"]]);
});

describe("before the agent", () => {
  test("a message too long for the model is set aside in a file", async () => {
    const { workflow, model, store } = await desk(f1(), [speaking("ok")]);
    const long = "word ".repeat(60_000);
    const outcome = await workflow.send("s1", { message: long });
    const kept = outcome.messages[0]?.additional_kwargs?.lc_evicted_to;
    expect(kept).toMatch(/^\/conversation_history\//);
    expect((await store.backend.readRaw(`/s1${kept}`)).data?.content).toBe(long);
    expect(contentToString(model.requests[0]?.messages[1]?.content).length).toBeLessThan(10_000);
  });

  test("a call that was never answered is answered", async () => {
    const { agent, model } = await desk(f1(), [speaking("ok")]);
    const messages = [new HumanMessage("a"), calling(["talk", {}]), new HumanMessage("b")];
    await agent.invoke({ messages }, { configurable: { thread_id: "s1" } });
    expect(spoken(model.requests[0] as ModelRequest).map((line) => line.split(":")[0])).toEqual([
      "human",
      "ai",
      "tool",
      "human",
    ]);
  });
});

test("the result of a tool too long for the conversation is set aside in a file", async () => {
  const long = "word ".repeat(30_000);
  const { workflow, store } = await desk(
    f1({ intake: { tools: { allow: ["talk"] } } }),
    [calling(["talk", {}]), speaking("ok")],
    { tools: [hostTool("talk", () => long)] },
  );
  const outcome = await workflow.send("s1", { message: "m" });
  const answer = outcome.messages.find((message) => messageTypeOf(message) === "tool");
  const path = /\/large_tool_results\/[\w.-]+/.exec(contentToString(answer?.content))?.[0];
  expect((await store.backend.readRaw(`/s1${path}`)).data?.content).toBe(long);
});
