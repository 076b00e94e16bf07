/** LangGraph itself on the checkpointer, against the same graph on its own in-memory saver. */

import { AIMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import {
  Annotation,
  Command,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { all } from "../../packages/checkpoint-dynamodb/src/testing-fixtures/conversation.ts";
import {
  type Database,
  startDatabase,
} from "../../packages/checkpoint-dynamodb/src/testing-fixtures/database.ts";

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  topic: Annotation<string>,
  parts: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

/** Plans, fans out, asks a person inside a subgraph, then answers. */
function build(checkpointer: BaseCheckpointSaver) {
  const child = new StateGraph(State)
    .addNode("ask", async (state) => {
      const answer: string = interrupt({ question: `About ${state.topic}?` });
      return {
        messages: [new AIMessage({ id: `child-${state.messages.length}`, content: `They said ${answer}` })],
      };
    })
    .addEdge(START, "ask")
    .compile();
  return new StateGraph(State)
    .addNode("plan", (state) => ({ topic: `${state.messages.at(-1)?.content}`.toUpperCase() }))
    .addNode("part", (state) => ({ parts: [`part of ${state.topic}`] }))
    .addNode("child", child)
    .addNode("answer", (state) => ({
      messages: [
        new AIMessage({
          id: `answer-${state.messages.length}`,
          content: `${state.parts.length} parts on ${state.topic}`,
        }),
      ],
    }))
    .addEdge(START, "plan")
    .addConditionalEdges(
      "plan",
      (state) => [1, 2, 3].map((n) => new Send("part", { ...state, topic: `${state.topic} ${n}` })),
      ["part"],
    )
    .addEdge("part", "child")
    .addEdge("child", "answer")
    .compile({ checkpointer });
}

type Graph = ReturnType<typeof build>;
const thread = { configurable: { thread_id: "conversation" } };
const says = (id: string, content: string) => ({ messages: [new HumanMessage({ id, content })] });
const contents = (values: typeof State.State) => ({
  messages: values.messages.map((message) => [message.getType(), message.content]),
  topic: values.topic,
  parts: values.parts,
});

/** A conversation of three turns; a graph of its own for every call, as separate invocations would have. */
async function converse(graph: () => Graph) {
  const seen: unknown[] = [];
  for (const turn of [1, 2, 3]) {
    await graph().invoke(says(`human-${turn}`, `turn ${turn}`), thread);
    const parked = await graph().getState(thread, { subgraphs: true });
    seen.push([
      parked.next,
      parked.tasks.map(({ name, interrupts }) => [name, interrupts.map(({ value }) => value)]),
    ]);
    const done = await graph().invoke(new Command({ resume: `yes ${turn}` }), thread);
    seen.push(contents(done as typeof State.State));
  }
  await graph().updateState(thread, { messages: [new RemoveMessage({ id: "human-1" })] }, "answer");
  seen.push(contents((await graph().getState(thread)).values));
  const history = await all(graph().getStateHistory(thread));
  seen.push(
    history.map(({ values, next, metadata }) => [contents(values), next, metadata?.step, metadata?.source]),
  );
  return { seen, history };
}

/** Savers that share nothing but the table. */
const graphs = (keyPrefix: string) => () => build(database.newSaver({ keyPrefix }));

describe("a graph with tasks in parallel, a subgraph, interrupts and forks", () => {
  test("runs as on the in-memory saver, each call in a process of its own", { timeout: 60_000 }, async () => {
    const memory = new MemorySaver();
    const [ours, theirs] = [await converse(graphs("graph")), await converse(() => build(memory))];
    expect(ours.seen).toEqual(theirs.seen);
  });

  test("a fork of any checkpoint keeps its values, the first one's too", { timeout: 60_000 }, async () => {
    const graph = graphs("forks");
    const { history } = await converse(graph);
    for (const snapshot of [history.at(-1), history.at(-2), history.at(5), history.at(1)]) {
      if (snapshot === undefined) throw new Error("the history is too short");
      const forked = await graph().updateState(snapshot.config, null, "__copy__");
      const copy = await graph().getState(forked);
      expect(contents(copy.values)).toEqual(contents(snapshot.values));
      expect(copy.metadata?.source).toBe("fork");
    }
  });

  test.each(["sync", "async", "exit"] as const)("durability %s", { timeout: 60_000 }, async (durability) => {
    const graph = graphs(`durability-${durability}`);
    await graph().invoke(says("h", "hello"), { ...thread, durability });
    const done = await graph().invoke(new Command({ resume: "yes" }), { ...thread, durability });
    expect(contents((await graph().getState(thread)).values)).toEqual(contents(done as typeof State.State));
  });
});
