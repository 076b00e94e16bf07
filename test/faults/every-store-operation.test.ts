/**
 * The example's life on a session store that takes no more changes from the n-th on: the process is gone then. A
 * fresh agent over what the store holds goes on, and the session comes out as if nothing had happened.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  createAgent,
  createFilesystemSessionStore,
  createMemorySessionStore,
  type SessionStore,
} from "@archmax-ai/harness";
import { ChatOpenAI } from "@langchain/openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConversation } from "../../packages/host-local/src/demo/conversation.ts";
import { answerInvoice } from "../../packages/host-local/src/demo/invoice-script.ts";
import { type ScriptedModel, startScriptedModel } from "../../packages/host-local/src/demo/scripted-model.ts";
import { arrival } from "../support/api-client.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ID = "inv-1";
const CONFIG = { configurable: { thread_id: ID } };
const CHANGES = ["write", "edit", "uploadFiles", "delete"] as const;

/** Every second change is tried, on the slower stores every seventh; `ARCHMAX_EVERY_CHANGE=1` tries them all. */
const [STEP, SLOW_STEP] = process.env.ARCHMAX_EVERY_CHANGE === "1" ? [1, 1] : [2, 7];

class Gone extends Error {
  override readonly name = "Gone";
}

interface Completion {
  /** Of the transcript that was asked about. */
  digest: string;
  /** Which the answer's message carries. */
  id: string;
}

let model: ScriptedModel;
let asked = "";
let completions: Completion[] = [];
const folders: string[] = [];

beforeAll(async () => {
  let count = 0;
  model = await startScriptedModel({
    script: (messages) => {
      const conversation = readConversation(messages);
      asked = conversation.digest;
      return answerInvoice(conversation);
    },
    completionId: () => {
      count += 1;
      const completion = { digest: asked, id: `chatcmpl-${count}` };
      completions.push(completion);
      return completion.id;
    },
  });
});

afterAll(async () => {
  await model.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

interface MortalStore {
  store: SessionStore;
  /** How many changes were asked for. */
  changes: () => number;
  /** Waits for the changes that were under way beside the last one: they reached the store before it. */
  settled: () => Promise<unknown>;
}

/** The store as a process sees it that dies at its `at`-th change: that one and all later ones come to nothing. */
function dying(store: SessionStore, at: number): MortalStore {
  let changes = 0;
  const underWay: Promise<unknown>[] = [];
  const backend = new Proxy(store.backend, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      if (!CHANGES.some((name) => name === property)) return value.bind(target);
      return async (...args: unknown[]) => {
        changes += 1;
        if (changes >= at) throw new Gone();
        const change = value.apply(target, args) as Promise<unknown>;
        underWay.push(change);
        return change;
      };
    },
  });
  return {
    store: { ...store, backend },
    changes: () => changes,
    settled: () => Promise.allSettled(underWay),
  };
}

/** The store at the end of a slow wire. */
function slow(store: SessionStore): SessionStore {
  const backend = new Proxy(store.backend, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      return async (...args: unknown[]) => {
        await sleep(2);
        return value.apply(target, args) as unknown;
      };
    },
  });
  return { ...store, backend };
}

async function onDisk(): Promise<SessionStore> {
  const dir = await mkdtemp(join(tmpdir(), "archmax-operations-"));
  folders.push(dir);
  return createFilesystemSessionStore({ dir });
}

async function agentOn(sessionStore: SessionStore) {
  const agent = await createAgent({
    workflow: "invoice-approval",
    model: new ChatOpenAI({
      model: "scripted",
      apiKey: "scripted",
      maxRetries: 0,
      configuration: { baseURL: model.baseUrl },
    }),
    workspace: { rootDir: ROOT, sessionStore },
    onEvent: () => {},
  });
  const { workflow } = agent;
  if (workflow === undefined) throw new Error("The example did not load.");
  return { agent, workflow };
}

type Opened = Awaited<ReturnType<typeof agentOn>>;

const VERBS = [
  ({ workflow }: Opened) => workflow.send(ID, arrival(ID)),
  ({ workflow }: Opened) => workflow.decide(ID, { target: "scheduled" }),
  ({ workflow }: Opened) => workflow.deliver(ID, { trigger: { id: "timer" } }),
] as const;

interface State {
  messages: { id?: string; tool_calls?: { id?: string }[]; tool_call_id?: string }[];
  auditTrail: { to: string }[];
  status: string;
}

const stateOf = async ({ agent }: Opened) => {
  const { values, config } = await agent.getState(CONFIG);
  return { values: values as State, head: config.configurable?.checkpoint_id as string | undefined };
};

/** What a host asks of a session it finds: whether the turn that was cut off is to be gone on with. */
async function hasMoved(opened: Opened, head: string | undefined): Promise<boolean> {
  const now = (await stateOf(opened)).head;
  if (now !== head) return true;
  if (now === undefined) return false;
  return opened.workflow.resolveSession({ sessionId: ID }).then(
    () => false,
    (error: Error) => error.name === "SessionNotResumableError",
  );
}

/** Lives the example's life in processes of which one dies at its `at`-th change. False when none did. */
async function live(store: SessionStore, at: number): Promise<boolean> {
  let died = false;
  let left = at;
  for (const verb of VERBS) {
    if (died) {
      await verb(await agentOn(store));
      continue;
    }
    const { head } = await stateOf(await agentOn(store));
    const mortal = dying(store, left);
    await verb(await agentOn(mortal.store)).catch((error: unknown) => {
      if (mortal.changes() < left) throw error;
    });
    await mortal.settled();
    died = mortal.changes() >= left;
    left -= mortal.changes();
    if (!died) continue;
    const next = await agentOn(store);
    if (await hasMoved(next, head)) await next.agent.invoke(null, CONFIG);
    else await verb(next);
  }
  return died;
}

test.each([
  ["in memory", async () => createMemorySessionStore(), STEP],
  ["on the file system", onDisk, SLOW_STEP],
  ["behind a slow wire", async () => slow(createMemorySessionStore()), SLOW_STEP],
])(
  "RUN-113 whichever change is the last to reach a store %s, the session goes on from there",
  async (_what, newStore, step) => {
    let asksOfALife: number | undefined;
    for (let at = Number.POSITIVE_INFINITY, next = 1; ; at = next, next += step) {
      completions = [];
      const store = await newStore();
      const died = await live(store, at);
      const { values } = await stateOf(await agentOn(store));
      const where = `the store was gone at change ${at}`;
      expect(values.status, where).toBe("completed");
      expect(
        values.auditTrail.map(({ to }) => to),
        where,
      ).toEqual(["intake", "checking", "approve-payment", "scheduled", "scheduled", "paid"]);
      const calls = values.messages.flatMap(({ tool_calls }) => tool_calls ?? []).map(({ id }) => id);
      expect(
        values.messages.flatMap(({ tool_call_id }) => tool_call_id ?? []),
        where,
      ).toEqual(calls);
      expect(calls, where).toEqual([...new Set(calls)]);

      // What was asked twice was asked about the same transcript, and the first answer had reached no checkpoint.
      const kept = new Set(values.messages.map(({ id }) => id));
      const repeated = completions.filter(({ digest }, index) =>
        completions.slice(index + 1).some((later) => later.digest === digest),
      );
      expect(
        repeated.filter(({ id }) => kept.has(id)),
        where,
      ).toEqual([]);
      expect(repeated.length, where).toBeLessThanOrEqual(1);
      const distinct = new Set(completions.map(({ digest }) => digest)).size;
      asksOfALife ??= distinct;
      expect(distinct, where).toBe(asksOfALife);
      if (!died && at !== Number.POSITIVE_INFINITY) {
        expect(at).toBeGreaterThan(20);
        break;
      }
    }
  },
  240_000,
);
