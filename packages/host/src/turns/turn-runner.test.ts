import { describe, expect, test } from "vitest";
import type { Command } from "../ports/command.ts";
import { silentLogger } from "../ports/logger.ts";
import { completes, createFakeAgents, waitsUntil } from "../testing-fixtures/fake-agents.ts";
import { createManualClock } from "../testing-fixtures/manual-clock.ts";
import { createMemoryQueue, createMemoryScheduler } from "../testing-fixtures/memory-queue.ts";
import { createMemoryRecords } from "../testing-fixtures/memory-records.ts";
import { createMemoryEventLog, createMemoryPublisher } from "../testing-fixtures/memory-stores.ts";
import { createCommandWorker } from "../worker/command-worker.ts";
import { sweep } from "../worker/sweep.ts";
import { createTurnRunner } from "./turn-runner.ts";

const key = { tenant: "t", sessionId: "s1" };
const addressed = { ...key, workflow: "w" };
const send = (id: string): Command => ({
  kind: "send",
  ...addressed,
  turnId: id,
  commandId: id,
  message: "m",
});
const deliver = (id: string): Command => ({
  kind: "deliver",
  ...addressed,
  turnId: id,
  commandId: id,
  trigger: { id: "mail" },
});

/** A host in memory, its clock in the test's hand. */
function hostInMemory() {
  const clock = createManualClock();
  const records = createMemoryRecords();
  const queue = createMemoryQueue(clock);
  const scheduler = createMemoryScheduler(clock, queue);
  const publisher = createMemoryPublisher();
  const agents = createFakeAgents();
  let ids = 0;
  const ports = {
    agents,
    records,
    queue,
    scheduler,
    publisher,
    eventLog: createMemoryEventLog(),
    clock,
    logger: silentLogger,
    newId: () => `id-${++ids}`,
  };
  const runner = createTurnRunner(ports);
  const worker = createCommandWorker({ runner, records, clock, logger: silentLogger });
  return {
    ...ports,
    runner,
    at: (offsetMs: number) => new Date(clock.now() + offsetMs).toISOString(),
    record: async () => (await records.get(key))?.record,
    sweep: () => sweep({ ...ports, finishDeletion: async () => {} }),
    /** Carries out what the queue has now. */
    async drain() {
      for (let delivery = await queue.receive(); delivery !== null; delivery = await queue.receive()) {
        await worker.handle(delivery);
      }
    },
  };
}

describe("turns and their timed resumes", () => {
  test("HOST-008 a wait of 90 s has a schedule at its second; firing resumes by timer, a second firing is stale", async () => {
    const host = hostInMemory();
    const resumeAt = host.at(90_000);
    let delivered: unknown;
    host.agents.turns.push(waitsUntil(host.at(0), resumeAt), (input) => {
      delivered = input;
      return { kind: "completed", status: "completed" };
    });
    await host.runner.run(send("a"));
    expect(await host.scheduler.list(key)).toEqual([{ ...addressed, seq: 1, dueAt: resumeAt }]);
    await host.clock.advance(90_000);
    await host.drain();
    expect(delivered).toEqual({ delivery: { trigger: { id: "timer" }, variables: {} } });
    expect(await host.record()).toMatchObject({ status: "completed" });
    expect(await host.scheduler.list(key)).toEqual([]);
    const again = await host.runner.run({
      kind: "resume",
      ...addressed,
      turnId: "z",
      commandId: "z",
      seq: 1,
      dueAt: resumeAt,
    });
    expect(again.kind).toBe("stale");
  });

  test("HOST-009 a delivery before the timer deletes the schedule, and a late firing is stale", async () => {
    const host = hostInMemory();
    const resumeAt = host.at(90_000);
    host.agents.turns.push(waitsUntil(host.at(0), resumeAt), completes);
    await host.runner.run(send("a"));
    await host.runner.run(deliver("b"));
    expect(await host.scheduler.list(key)).toEqual([]);
    const late = await host.runner.run({
      kind: "resume",
      ...addressed,
      turnId: "z",
      commandId: "z",
      seq: 1,
      dueAt: resumeAt,
    });
    expect(late.kind).toBe("stale");
  });

  test("HOST-010 a schedule that was not armed is armed by the sweep, and one armed unrecorded resumes once", async () => {
    const host = hostInMemory();
    const arm = host.scheduler.arm.bind(host.scheduler);
    host.scheduler.arm = async () => {
      throw new Error("cut off between checkpoint and arming");
    };
    let resumed = 0;
    host.agents.turns.push(waitsUntil(host.at(0), host.at(90_000)), () => {
      resumed += 1;
      return { kind: "completed", status: "completed" };
    });
    await host.runner.run(send("a"));
    expect((await host.record())?.park?.armed).toBe(false);
    host.scheduler.arm = arm;
    // Armed, and cut off before the record said so: the sweep arms it again, which is the same schedule.
    const { tenant, sessionId, workflow } = addressed;
    await arm({ tenant, sessionId, workflow, seq: 1, dueAt: host.at(90_000) });
    await host.clock.advance(1_000);
    expect(await host.sweep()).toMatchObject({ armed: 1 });
    expect(await host.scheduler.list(key)).toHaveLength(1);
    expect((await host.record())?.park?.armed).toBe(true);
    await host.clock.advance(300_000);
    await host.sweep();
    await host.drain();
    expect(resumed).toBe(1);
  });

  test("HOST-013 a writer whose lease was taken stores neither a checkpoint nor an outcome", async () => {
    const host = hostInMemory();
    host.agents.turns.push(async (_input, request) => {
      const stored = await host.records.get(key);
      if (stored === null) throw new Error("no record");
      const leaseToken = stored.record.leaseToken + 1;
      await host.records.replace({ ...stored.record, leaseToken }, stored.version);
      await expect(request.fence.assertHeld()).rejects.toMatchObject({ name: "LeaseLostError" });
      return { kind: "completed", status: "completed" };
    });
    await expect(host.runner.run(send("a"))).rejects.toMatchObject({ name: "LeaseLostError" });
    expect(host.agents.sessions.size).toBe(0);
    expect((await host.record())?.lastTurn).toBeUndefined();
  });

  test("HOST-022 a bus that is down does not touch the answer; the sweep publishes later, once per id", async () => {
    const host = hostInMemory();
    host.publisher.down = true;
    host.agents.turns.push(completes);
    expect(await host.runner.run(send("a"))).toMatchObject({ kind: "settled" });
    expect((await host.record())?.unpublished.map(({ type }) => type)).toEqual([
      "SessionStarted",
      "SessionCompleted",
    ]);
    host.publisher.down = false;
    await host.clock.advance(1_000);
    await host.sweep();
    await host.sweep();
    expect(host.publisher.received.map(({ id }) => id)).toEqual(["a-0", "a-1"]);
    expect((await host.record())?.unpublished).toEqual([]);
  });

  test("a turn whose caller has waited long enough goes on in another invocation, and one in time does not", async () => {
    const host = hostInMemory();
    const lasting = (ms: number) => async () => {
      await host.clock.advance(ms);
      return { kind: "completed" as const, status: "completed" as const, state: "done" };
    };
    host.agents.turns.push(lasting(40_000), lasting(60_000));
    const waiting = () => ({ deadline: host.clock.now() + 900_000, yieldAt: host.clock.now() + 50_000 });
    expect(await host.runner.run(send("a"), waiting())).toMatchObject({ kind: "settled" });
    expect(await host.runner.run(send("b"), waiting())).toEqual({ kind: "continued" });
    expect((await host.queue.receive())?.message.command).toMatchObject({ kind: "continue", turnId: "b" });
  });

  test("HOST-025 a model that hangs fails the turn before the invocation ends, and the session can go on", async () => {
    const host = hostInMemory();
    const deadline = host.clock.now() + 300_000;
    let stopped = 0;
    host.agents.agentFor = async (request) => {
      const agent = await createFakeAgents().agentFor(request);
      return {
        ...agent,
        workflow: {
          ...agent.workflow,
          send: (_id, _input, config) =>
            new Promise((_resolve, reject) => {
              config?.signal?.addEventListener("abort", () => {
                stopped = host.clock.now();
                reject(config.signal?.reason as Error);
              });
            }),
        },
      };
    };
    const turn = host.runner.run(send("a"), { deadline });
    const failed = expect(turn).rejects.toMatchObject({ name: "TurnDeadlineError" });
    await host.clock.advance(300_000);
    await failed;
    expect(stopped).toBeLessThan(deadline);
    // Nothing had been stored: the session is as if it had not been asked, and may be asked again.
    expect(await host.record()).toBeUndefined();
  });
});
