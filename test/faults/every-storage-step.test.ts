/**
 * The example's life, cut off at every single write of a checkpoint: before it is stored, and right after it. A
 * fresh agent over the same storage goes on, and the session comes out as if nothing had happened.
 */
import { fileURLToPath } from "node:url";
import { createAgent, createMemorySessionStore } from "@archmax-ai/harness";
import { type BaseCheckpointSaver, MemorySaver } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../packages/host-local/src/demo/scripted-model.ts";
import { arrival } from "../support/api-client.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ID = "inv-1";

let model: ScriptedModel;
const before: Record<string, string | undefined> = {};
const CONFIGURATION = ["ARCHMAX_API_BASE_URL", "ARCHMAX_API_KEY", "ARCHMAX_MODEL"] as const;

beforeAll(async () => {
  model = await startScriptedModel();
  const values = [model.baseUrl, "scripted", "scripted"];
  CONFIGURATION.forEach((name, index) => {
    before[name] = process.env[name];
    process.env[name] = values[index];
  });
});

afterAll(async () => {
  for (const name of CONFIGURATION) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  await model.stop();
});

class CutOff extends Error {
  override readonly name = "CutOff";
}

/** What a process that dies at its `at`-th write sees of its storage: from then on nothing is stored. */
function dying(saver: BaseCheckpointSaver, at: number, when: "before" | "after"): BaseCheckpointSaver {
  let writes = 0;
  const write = async <T>(store: () => Promise<T>): Promise<T> => {
    writes += 1;
    if (writes > at || (writes === at && when === "before")) throw new CutOff();
    const stored = await store();
    if (writes === at) throw new CutOff();
    return stored;
  };
  const put: BaseCheckpointSaver["put"] = (...args) => write(() => saver.put(...args));
  const putWrites: BaseCheckpointSaver["putWrites"] = (...args) => write(() => saver.putWrites(...args));
  return new Proxy(saver, {
    get(target, property) {
      if (property === "put") return put;
      if (property === "putWrites") return putWrites;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" && property !== "constructor" ? value.bind(target) : value;
    },
  });
}

const storage = () => ({ saver: new MemorySaver(), sessions: createMemorySessionStore() });
type Storage = ReturnType<typeof storage>;

async function agentOn({ saver, sessions }: Storage, checkpointer: BaseCheckpointSaver = saver) {
  const agent = await createAgent({
    workflow: "invoice-approval",
    workspace: { rootDir: ROOT, sessionStore: sessions },
    checkpointer,
    onEvent: () => {},
  });
  const { workflow } = agent;
  if (workflow === undefined) throw new Error("The example did not load.");
  return { agent, workflow };
}

type Opened = Awaited<ReturnType<typeof agentOn>>;

/** The verbs of the example's life, and the parks or ends they lead to. */
const VERBS = [
  {
    name: "send",
    run: ({ workflow }: Opened) => workflow.send(ID, arrival(ID)),
    status: "awaiting_decision",
  },
  {
    name: "decide",
    run: ({ workflow }: Opened) => workflow.decide(ID, { target: "scheduled" }),
    status: "awaiting_input",
  },
  {
    name: "deliver",
    run: ({ workflow }: Opened) => workflow.deliver(ID, { trigger: { id: "timer" } }),
    status: "completed",
  },
] as const;

async function newest({ saver }: Storage): Promise<string | undefined> {
  const tuple = await saver.getTuple({ configurable: { thread_id: ID } });
  return tuple && JSON.stringify([tuple.checkpoint.id, tuple.pendingWrites?.length ?? 0]);
}

/** Runs a verb in a process that dies at its `at`-th write, then what a host does about it. False: it lived. */
async function cutAndGoOn(on: Storage, verb: (typeof VERBS)[number], at: number, when: "before" | "after") {
  const start = await newest(on);
  const first = await agentOn(on, dying(on.saver, at, when));
  const died = await verb.run(first).then(
    () => false,
    (error: unknown) => {
      if (!JSON.stringify(error, Object.getOwnPropertyNames(error)).includes("CutOff")) throw error;
      return true;
    },
  );
  if (!died) return false;
  const second = await agentOn(on);
  if ((await newest(on)) === start) await verb.run(second);
  else await second.agent.invoke(null, { configurable: { thread_id: ID } });
  return true;
}

interface Spoken {
  id?: string;
  tool_calls?: { id?: string; name: string }[];
  tool_call_id?: string;
}

describe.each(["before", "after"] as const)("cut off %s a write", (when) => {
  test.each(VERBS)(
    "RUN-113 $name goes on from wherever it was",
    async (verb) => {
      let at = 1;
      for (; ; at += 1) {
        const on = storage();
        let cut = false;
        for (const each of VERBS) {
          if (each === verb) cut = await cutAndGoOn(on, verb, at, when);
          else await each.run(await agentOn(on));
          const { status } = (await (await agentOn(on)).agent.sessions.get(ID)) ?? {};
          expect(status, `${when} write ${at} of ${verb.name}, after ${each.name}`).toBe(each.status);
        }
        const { values } = await (await agentOn(on)).agent.getState({ configurable: { thread_id: ID } });
        const { messages, auditTrail } = values as { messages: Spoken[]; auditTrail: { to: string }[] };
        expect(auditTrail.map(({ to }) => to)).toEqual([
          "intake",
          "checking",
          "approve-payment",
          "scheduled",
          "scheduled",
          "paid",
        ]);
        const asked = messages.flatMap(({ tool_calls }) => tool_calls ?? []).map(({ id }) => id);
        const answered = messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
        expect(asked).toEqual([...new Set(asked)]);
        expect(answered.toSorted()).toEqual(asked.toSorted());
        if (!cut) break;
      }
      expect(at).toBeGreaterThan(3);
    },
    120_000,
  );
});
