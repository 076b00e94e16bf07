/** What an agent keeps in memory of sessions it has run and disposed of. */
import { createAgent, createMemorySessionStore } from "@archmax-ai/harness";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessage } from "langchain";
import { answersOf, lookupTool, WORKFLOW } from "./measured-turn.ts";

/** Answers in order and keeps nothing, unlike LangChain's fake, which records every call. */
class ForgetfulModel extends BaseChatModel {
  answers: AIMessage[] = [];
  override _llmType(): string {
    return "forgetful";
  }
  override bindTools(): this {
    return this;
  }
  override async _generate() {
    const message = this.answers.shift();
    if (message === undefined) throw new Error("The model was called more often than the turn does.");
    return { generations: [{ text: "", message }] };
  }
}

/** Sessions run before the first measurement: what is made once is no growth. */
const WARMUP = 50;

/**
 * Runs sessions of one turn each on one agent with the checkpointer it comes with, and disposes of each. The store
 * drops each session's files behind the agent's back, so that what grows is the agent's.
 *
 * @returns growth in bytes, of the heap and of buffers beside it, each after garbage collection
 */
export async function retainedMemory(sessions: number): Promise<{ heap: number; buffers: number }> {
  const model = new ForgetfulModel({});
  const authoring = createMemorySessionStore().backend;
  await authoring.write("/workflows/bench/workflow.yaml", WORKFLOW);
  const sessionStore = createMemorySessionStore();
  const agent = await createAgent({
    workflow: "bench",
    model,
    tools: [lookupTool],
    authoring,
    mounts: {},
    workspace: { sessionStore },
    onEvent: () => {},
  });
  const run = async (session: string): Promise<void> => {
    model.answers = answersOf(session);
    const outcome = await agent.workflow?.send(session, { message: "Go." });
    if (outcome?.kind !== "completed") throw new Error(`A session ended as ${outcome?.kind}.`);
    agent.dispose(session);
    await sessionStore.deleteSession(session);
  };
  for (let n = 0; n < WARMUP; n++) await run(`warmup-${n}`);
  const before = await settled();
  for (let n = 0; n < sessions; n++) await run(`session-${n}`);
  const after = await settled();
  return { heap: after.heapUsed - before.heapUsed, buffers: after.arrayBuffers - before.arrayBuffers };
}

/** The memory in use once collecting no longer frees any: some of it is let go of only between two tasks. */
async function settled(): Promise<NodeJS.MemoryUsage> {
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    globalThis.gc?.();
  }
  return process.memoryUsage();
}
