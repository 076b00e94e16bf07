import type { AgentProvider } from "@archmax-ai/host";
import { afterEach, expect, test } from "vitest";
import {
  advance,
  calling,
  type ModelRequest,
  ScriptedModel,
  speaking,
  wait,
} from "../../harness/src/runtime/turn-fixture.ts";
import { createDrivenHost, type DrivenHost } from "./testing-fixtures/driven-host.ts";
import { createFaults, faultyStorage } from "./testing-fixtures/faulty-storage.ts";

const DESK = `
instructions: Handle the request.
states:
  intake:
    instructions: Wait, then have a person decide.
    triggers: { manual: null }
    transitions: [{ to: review, description: ready }]
  review:
    type: human
    instructions: Decide.
    transitions: [{ to: done, description: fine, type: approve }]
  done: {}
`;
const SESSIONS = 12;
const SEED = 20_260_301;

let host: DrivenHost | undefined;

afterEach(() => host?.dispose());

/** Decides from the request alone, so that a call made again gets the same answer. */
function answer({ messages }: ModelRequest) {
  const said = messages.map(({ content }) =>
    typeof content === "string" ? content : JSON.stringify(content),
  );
  const calls = messages.flatMap((message) =>
    "tool_calls" in message ? (message.tool_calls as { name: string }[]) : [],
  );
  const has = (name: string) => calls.some((call) => call.name === name);
  if (said.some((text) => text.includes("[decision]"))) return speaking("Decided.");
  if (has("archmax_advance")) return speaking("Please decide.");
  if (said.some((text) => text.includes("[event]"))) return calling(advance("review"));
  if (has("archmax_wait")) return speaking("I wait.");
  return calling(wait("for the day", "5m"));
}

test("HOST-023 one operation in five throttled or its answer lost: turns complete, nothing is lost or doubled", async () => {
  const faults = createFaults(SEED);
  // A checkpoint's write asks the records first, and its answer may get lost after it is stored.
  const agents = (provider: AgentProvider): AgentProvider => ({
    agentFor: (request) =>
      provider.agentFor({
        ...request,
        afterCheckpoint(checkpoint) {
          request.afterCheckpoint(checkpoint);
          if (faults.strikes(0.01)) throw new Error("The checkpoint's store answered 503 at every try.");
        },
      }),
  });
  host = await createDrivenHost({
    workflow: DESK,
    agent: { model: new ScriptedModel(Array.from({ length: 10_000 }, () => answer)) },
    agents,
    storage: (storage) => faultyStorage(storage, faults),
  });
  const on = host;
  const ids = Array.from({ length: SESSIONS }, (_, at) => `s-${at}`);
  const stored = async (id: string) =>
    // The storage below the faults: what is asserted is what is stored.
    (await on.below.records.get({ tenant: "local", sessionId: id }))?.record;

  /** A client that asks again, under the same key, until it is answered. */
  async function insist(path: string, body: unknown, key: string, headers = {}): Promise<void> {
    for (;;) {
      const { status } = await on.call("POST", path, body, { "idempotency-key": key, ...headers });
      if (status === 200 || status === 202) return;
      expect([409, 500, 503]).toContain(status);
      await run(status === 409 ? 60_000 : 5_000);
    }
  }

  /** The host's own work over some time: queue, due schedules, sweep. */
  async function run(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 5_000) {
      await on.clock.advance(5_000);
      on.storage.scheduler.fireDue();
      // A message that could not be settled is shown again, as a queue does once its visibility has run out.
      await on.drain().catch(() => on.below.queue.releaseClaims());
      await on.sweep().catch(() => undefined);
    }
  }

  async function runUntil(holds: (id: string) => Promise<boolean>): Promise<void> {
    for (let round = 0; round < 400; round += 1) {
      if ((await Promise.all(ids.map(holds))).every(Boolean)) return;
      await run(5_000);
    }
    throw new Error(`Not all sessions came there: ${JSON.stringify(await Promise.all(ids.map(stored)))}`);
  }

  for (const id of ids) {
    await insist(`/workflows/desk/sessions/${id}/send`, { message: "go" }, `send-${id}`, {
      prefer: "respond-async",
    });
  }
  await runUntil(async (id) => (await stored(id))?.status === "awaiting_decision");
  for (const id of ids) {
    await insist(`/workflows/desk/sessions/${id}/decide`, { target: "done" }, `decide-${id}`);
  }
  await runUntil(async (id) => {
    const record = await stored(id);
    return record?.status === "completed" && record.turn === undefined && record.unpublished.length === 0;
  });
  await run(120_000);

  expect(faults.injected).toBeGreaterThan(200);
  expect(faults.surfaced).toBeGreaterThan(0);
  expect(on.below.queue.deadLetters()).toEqual([]);
  const published = await on.published();
  for (const id of ids) {
    expect(await stored(id)).toMatchObject({ status: "completed", state: "done", parkSeq: 2 });
    const { checkpointer } = on.ports.data.forTenant("local");
    const tuple = await checkpointer.getTuple({ configurable: { thread_id: id, checkpoint_ns: "" } });
    const messages = tuple?.checkpoint.channel_values.messages as {
      content: unknown;
      tool_calls?: { name: string }[];
    }[];
    const told = messages.map(
      ({ content, tool_calls: calls }) => calls?.[0]?.name ?? String(content).split("\n")[0],
    );
    expect(told.filter((text) => text === "go")).toHaveLength(1);
    for (const once of ["archmax_wait", "I wait.", "archmax_advance", "Please decide.", "Decided."]) {
      expect({ id, once, times: told.filter((text) => text === once).length }).toEqual({
        id,
        once,
        times: 1,
      });
    }
    // At least once, told by their ids: each event of the session's life is there, under an id of its own.
    const own = new Map<string, string>();
    for (const event of published.filter(({ detail }) => detail.sessionId === id)) {
      expect(own.get(event.id) ?? event["detail-type"]).toBe(event["detail-type"]);
      own.set(event.id, event["detail-type"]);
    }
    expect([...own.values()].sort()).toEqual([
      "DecisionRequested",
      "SessionCompleted",
      "SessionParked",
      "SessionParked",
      "SessionResumed",
      "SessionResumed",
      "SessionStarted",
    ]);
    expect(await on.below.scheduler.list({ tenant: "local", sessionId: id })).toEqual([]);
  }
  expect(await on.below.queue.receive()).toBeNull();
}, 120_000);
