import { beforeEach, expect, test } from "vitest";
import { LeaseLostError } from "../errors.ts";
import type { Command } from "../ports/command.ts";
import { silentLogger } from "../ports/logger.ts";
import type { EndedTurn, TurnObserver } from "../ports/turn-observer.ts";
import type { QueueDelivery } from "../ports/turn-queue.ts";
import { completes, createFakeAgents, type FakeAgents, waitsUntil } from "../testing-fixtures/fake-agents.ts";
import { createManualClock, type ManualClock } from "../testing-fixtures/manual-clock.ts";
import { createMemoryQueue, createMemoryScheduler } from "../testing-fixtures/memory-queue.ts";
import { createMemoryRecords } from "../testing-fixtures/memory-records.ts";
import { createMemoryEventLog, createMemoryPublisher } from "../testing-fixtures/memory-stores.ts";
import { type CommandWorker, createCommandWorker } from "../worker/command-worker.ts";
import { createTurnRunner, type TurnRunner } from "./turn-runner.ts";

const addressed = { tenant: "t", sessionId: "s1", workflow: "w" };
const send = (id: string): Command => ({
  kind: "send",
  ...addressed,
  turnId: id,
  commandId: id,
  message: "m",
});
const resume = (seq: number, dueAt: string): Command => ({
  kind: "resume",
  ...addressed,
  turnId: "r",
  commandId: "r",
  seq,
  dueAt,
});

let clock: ManualClock;
let agents: FakeAgents;
let runner: TurnRunner;
let worker: CommandWorker;
let ended: EndedTurn[];
let conflicts: string[];
let waited: number[];

beforeEach(() => {
  clock = createManualClock();
  agents = createFakeAgents();
  [ended, conflicts, waited] = [[], [], []];
  const observer: TurnObserver = {
    turnEnded: (turn) => ended.push(turn),
    leaseConflict: ({ turnId }) => conflicts.push(turnId),
    commandTaken: (_turn, waitedMs) => waited.push(waitedMs),
  };
  const records = createMemoryRecords();
  const queue = createMemoryQueue(clock);
  let ids = 0;
  runner = createTurnRunner({
    agents,
    records,
    queue,
    scheduler: createMemoryScheduler(clock, queue),
    publisher: createMemoryPublisher(),
    eventLog: createMemoryEventLog(),
    clock,
    logger: silentLogger,
    observer,
    newId: () => `id-${++ids}`,
  });
  worker = createCommandWorker({ runner, records, clock, logger: silentLogger, observer });
});

const event = (fields: object) => ({ level: "info", ts: 0, seq: 0, sessionId: "s1", ...fields }) as never;

test("a turn is told with what it took, its children's part included", async () => {
  agents.turns.push(async (input, request) => {
    request.onEvent(event({ type: "model-usage", state: "a", inputTokens: 10, outputTokens: 2 }));
    request.onEvent(event({ type: "tool-called", state: "a", tool: "x", callId: "1", args: {} }));
    request.onEvent(
      event({ type: "tool-blocked", state: "a", tool: "y", callId: "2", args: {}, reason: "r" }),
    );
    request.onEvent(
      event({ type: "model-usage", sessionId: "s1~1", inputTokens: 5, outputTokens: 1, costUsd: 0.25 }),
    );
    request.onEvent(
      event({ type: "model-usage", state: "a", inputTokens: 1, outputTokens: 1, costUsd: 0.5 }),
    );
    await clock.advance(1_500);
    return completes(input, request);
  });
  await runner.run(send("a"));
  expect(ended).toEqual([
    {
      ...addressed,
      turnId: "a",
      kind: "send",
      ending: "completed",
      durationMs: 1_500,
      inputTokens: 16,
      outputTokens: 4,
      costUsd: 0.75,
      toolCalls: 1,
      toolBlocks: 1,
    },
  ]);
});

test("a command carried out before, a stale one, a refused one and a broken-off one are told as such", async () => {
  agents.turns.push(completes);
  await runner.run(send("a"));
  await runner.run(send("a"));
  await runner.run(resume(4, new Date(clock.now()).toISOString()));
  agents.turns.push(() => {
    throw Object.assign(new Error("no"), { name: "WorkflowDisabledError" });
  });
  await expect(runner.run(send("b"))).rejects.toThrow("no");
  agents.turns.push(() => {
    throw new TypeError("the model is gone");
  });
  await expect(runner.run(send("c"))).rejects.toThrow("the model is gone");
  await expect(runner.run({ ...send("d"), workflow: "other" })).rejects.toThrow();
  expect(ended.map(({ ending, error }) => [ending, error])).toEqual([
    ["completed", undefined],
    ["repeated", undefined],
    ["stale", undefined],
    ["refused", "WorkflowDisabledError"],
    ["broken-off", "TypeError"],
    ["refused", "UnknownSessionError"],
  ]);
  expect(ended.every((turn) => turn.resumeLagMs === undefined)).toBe(true);
});

test("a resume is told with how late it was", async () => {
  const dueAt = new Date(clock.now() + 90_000).toISOString();
  agents.turns.push(waitsUntil(new Date(clock.now()).toISOString(), dueAt), completes);
  await runner.run(send("a"));
  await clock.advance(93_000);
  await runner.run(resume(1, dueAt));
  expect(ended.map(({ kind, ending, resumeLagMs }) => [kind, ending, resumeLagMs])).toEqual([
    ["send", "parked", undefined],
    ["resume", "completed", 3_000],
  ]);
});

test("a busy session is a conflict and no turn; one lost on the way is both", async () => {
  let release = (): void => {};
  agents.turns.push(async (input, request) => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return completes(input, request);
  });
  const first = runner.run(send("a"));
  await clock.advance(0);
  await expect(runner.run(send("b"))).rejects.toMatchObject({ name: "SessionBusyError" });
  expect([conflicts, ended]).toEqual([["b"], []]);
  release();
  await first;
  agents.turns.push(() => {
    throw new LeaseLostError();
  });
  await expect(runner.run(send("c"))).rejects.toThrow(LeaseLostError);
  expect(conflicts).toEqual(["b", "c"]);
  expect(ended.map(({ turnId, ending }) => [turnId, ending])).toEqual([
    ["a", "completed"],
    ["c", "broken-off"],
  ]);
});

test("a queued command is told with its wait, a timed one's from its time on", async () => {
  const delivery = (command: Command, enqueuedAt?: number): QueueDelivery => ({
    message: { group: "g", deduplicationId: "d", command },
    ...(enqueuedAt === undefined ? {} : { enqueuedAt }),
    done: async () => {},
    retryAt: async () => {},
    deadLetter: async () => {},
  });
  const start = clock.now();
  const dueAt = new Date(start + 60_000).toISOString();
  agents.turns.push(completes);
  await worker.handle(delivery(resume(1, dueAt), start));
  expect(waited).toEqual([]);
  await clock.advance(62_000);
  await worker.handle(delivery(resume(1, dueAt), start));
  await worker.handle(delivery(send("a"), start + 60_500));
  await worker.handle(delivery(send("a")));
  expect(waited).toEqual([2_000, 1_500]);
});
