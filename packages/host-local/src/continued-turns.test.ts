/** Turns that outlast an invocation, and commands that wait behind them (spec 07 §3), on this machine's storage. */
import type { AgentProvider } from "@archmax-ai/host";
import { afterEach, expect, test } from "vitest";
import {
  type Answer,
  advance,
  calling,
  ScriptedModel,
  speaking,
  wait,
} from "../../harness/src/runtime/turn-fixture.ts";
import { settle } from "../../host/src/testing-fixtures/manual-clock.ts";
import { createDrivenHost, type DrivenHost } from "./testing-fixtures/driven-host.ts";

const DESK = `
instructions: Handle the request.
states:
  intake:
    instructions: Go on.
    triggers:
      manual:
      ticket:
        session: ticket
        requires: [{ name: ticket, type: string }]
        eventbridge:
          pattern: { source: [desk] }
          variables: { ticket: $.detail.ticket, note: $.detail.note }
          message: $.detail.text
    transitions: [{ to: done, description: nothing is left }]
  done: {}
`;
const SEND = "/workflows/desk/sessions/s/send";
const MINUTE = 60_000;

let host: DrivenHost | undefined;

afterEach(() => host?.dispose());

const session = async (on: DrivenHost, id = "s") =>
  (await on.call("GET", `/workflows/desk/sessions/${id}`)).body;
/** A message of its own each time: one said twice would be the same message. */
const lookAround = () => calling(["archmax_get_variables", {}]);

test("HOST-011 a turn of 20 supersteps on a deadline that allows 7: three invocations, each model call once, one outcome", async () => {
  const asked: number[] = [];
  const script = [...Array.from({ length: 7 }, lookAround), calling(advance("done")), speaking("Done.")];
  const answers = script.map(
    (answer, at): Answer =>
      () => {
        asked.push(at);
        return answer;
      },
  );
  const supersteps: number[] = [];
  // Each superstep takes ten seconds. Thirty are kept back of an invocation, so that the seventh is past its end.
  const agents = (provider: AgentProvider): AgentProvider => ({
    async agentFor(request) {
      supersteps.push(0);
      const invocation = supersteps.length - 1;
      return provider.agentFor({
        ...request,
        afterCheckpoint(checkpoint) {
          if (checkpoint.closesSuperstep) {
            supersteps[invocation] = (supersteps[invocation] ?? 0) + 1;
            made.ahead += 10_000;
          }
          request.afterCheckpoint(checkpoint);
        },
      });
    },
  });
  host = await createDrivenHost({ workflow: DESK, agent: { model: new ScriptedModel(answers) }, agents });
  const made = host;
  made.invocationMs = 95_000;
  const first = await made.call("POST", SEND, { message: "go" });
  expect(first).toMatchObject({ status: 202, body: { sessionId: "s" } });
  expect(await session(made)).toMatchObject({ status: "running" });
  expect(await made.drain()).toBe(2);
  expect(supersteps).toEqual([7, 7, 6]);
  expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await session(made)).toMatchObject({
    status: "completed",
    state: "done",
    lastTurn: { turnId: first.body.turnId },
  });
  const { events } = (await made.call("GET", "/workflows/desk/sessions/s/events")).body;
  expect(events.filter(({ type }: { type: string }) => type === "outcome")).toMatchObject([
    { data: { kind: "completed", reply: "Done.", disposition: "turn" } },
  ]);
  expect(made.storage.queue.deadLetters()).toEqual([]);
});

test("HOST-028 a command waits out a turn of ten minutes and runs once; waiting is no attempt", async () => {
  let release = (): void => {};
  const asked: string[] = [];
  const answers: Answer[] = [
    async () => {
      asked.push("long");
      await new Promise<void>((done) => {
        release = done;
      });
      return calling(advance("done"));
    },
    speaking("The long turn is done."),
    () => {
      asked.push("second");
      return speaking("And the second.");
    },
  ];
  host = await createDrivenHost({ workflow: DESK, agent: { model: new ScriptedModel(answers) } });
  const long = host.call("POST", SEND, { message: "take your time" });
  while (asked.length === 0) await settle();
  const queued = await host.call("POST", SEND, { message: "next" }, { prefer: "respond-async" });
  expect(queued.status).toBe(202);
  let looks = 0;
  for (const end = host.clock.now() + 10 * MINUTE; host.clock.now() < end; await host.clock.advance(1_000)) {
    if (await host.work()) looks += 1;
  }
  // Far more often than a command may fail.
  expect(looks).toBeGreaterThan(100);
  expect(asked).toEqual(["long"]);
  expect((await host.storage.records.get({ tenant: "local", sessionId: "s" }))?.record.attempts).toEqual({});
  release();
  expect((await long).body).toMatchObject({ kind: "completed", reply: "The long turn is done." });
  await host.clock.advance(3_000);
  expect(await host.drain()).toBe(1);
  expect(asked).toEqual(["long", "second"]);
  expect(await session(host)).toMatchObject({
    status: "completed",
    lastTurn: { turnId: queued.body.turnId },
  });
  expect(host.storage.queue.deadLetters()).toEqual([]);
});

test.each(["of a session that is there", "that would have opened its session"])(
  "HOST-028 a command %s and fails five times is put aside, its reason in the record",
  async (which) => {
    const there = which === "of a session that is there";
    let failures = 0;
    const failing: Answer = () => {
      failures += 1;
      throw new Error("the model is out of order");
    };
    const opening: Answer[] = there ? [calling(advance("done")), speaking("Done.")] : [];
    const answers = [...opening, ...Array.from({ length: 40 }, () => failing)];
    // The model's own client tries again by itself; here each attempt is one call.
    const model = new ScriptedModel(answers, [], [], { maxRetries: 0 });
    host = await createDrivenHost({ workflow: DESK, agent: { model } });
    if (there) await host.call("POST", SEND, { message: "hello" });
    const queued = await host.call("POST", SEND, { message: "fail" }, { prefer: "respond-async" });
    const attempts: number[] = [];
    for (let round = 0; round < 200; round += 1) {
      if (await host.work()) attempts.push(host.clock.now());
      await host.clock.advance(1_000);
    }
    expect(attempts).toHaveLength(5);
    expect(failures).toBe(5);
    expect(host.storage.queue.deadLetters()).toMatchObject([
      {
        message: { command: { kind: "send", message: "fail" } },
        reason: expect.stringContaining("out of order"),
      },
    ]);
    expect(await session(host)).toMatchObject({
      stalled: { reason: expect.stringContaining("out of order"), commandId: queued.body.turnId },
    });
  },
);

test("HOST-028 a command behind a turn that was cut off at its deadline runs after it, and is not refused", async () => {
  const answers = [lookAround, calling(advance("done")), speaking("First."), speaking("Second.")];
  host = await createDrivenHost({ workflow: DESK, agent: { model: new ScriptedModel(answers) } });
  // The invocation is over as soon as a superstep is: the turn goes on one superstep at a time.
  host.invocationMs = 0;
  let taken = 0;
  const first = host.call("POST", SEND, { message: "one" });
  const second = await host.call("POST", SEND, { message: "two" }, { prefer: "respond-async" });
  expect((await first).status).toBe(202);
  for (let round = 0; round < 60; round += 1) {
    if (await host.work()) taken += 1;
    host.invocationMs = 300_000;
    await host.clock.advance(2_000);
  }
  expect(taken).toBeGreaterThan(1);
  expect(await session(host)).toMatchObject({
    status: "completed",
    lastTurn: { turnId: second.body.turnId },
  });
  const { messages } = (await host.call("GET", "/workflows/desk/sessions/s/messages")).body;
  const said = messages.map(({ kwargs }: { kwargs: { content: unknown } }) => kwargs.content);
  expect(
    said.filter((text: unknown) => ["one", "two", "First.", "Second."].includes(text as string)),
  ).toEqual(["one", "First.", "two", "Second."]);
  expect(host.storage.queue.deadLetters()).toEqual([]);
});

test("HOST-029 a wait of 20 s and a delivery after 5 s: the delivery runs at once, the due message is stale", async () => {
  const answers = [calling(wait("for the post", "20s")), speaking("I wait."), speaking("It came.")];
  const told: string[] = [];
  host = await createDrivenHost({
    workflow: DESK,
    agent: { model: new ScriptedModel(answers) },
    logger: { info: (message) => told.push(message), warn() {}, error() {} },
  });
  const parked = await host.call("POST", SEND, { message: "wait" });
  expect(parked.body).toMatchObject({ kind: "parked", parkedChannel: "input" });
  // So short a wait has no schedule: its resume is in the queue and waits for its time there.
  expect(await host.storage.scheduler.list({ tenant: "local", sessionId: "s" })).toEqual([]);
  await host.drain();
  await host.clock.advance(5_000);
  const delivered = await host.call(
    "POST",
    "/workflows/desk/sessions/s/deliver",
    { trigger: { id: "post" }, variables: { letter: "a" } },
    { prefer: "respond-async" },
  );
  expect(delivered.status).toBe(202);
  expect(await host.drain()).toBe(1);
  const settled = await session(host);
  expect(settled).toMatchObject({ status: "completed", lastTurn: { turnId: delivered.body.turnId } });
  await host.clock.advance(16_000);
  told.length = 0;
  expect(await host.drain()).toBe(1);
  expect(told).toContain("a queued command was stale: the session is not parked there any more");
  expect(await session(host)).toEqual(settled);
  expect(host.storage.queue.deadLetters()).toEqual([]);
});

test("HOST-030 a session opened by a trigger with returns, resumed by its timer and ending without them, is rejected", async () => {
  const answers = [
    calling(wait("for the day", "2m")),
    speaking("I wait."),
    calling(advance("done")),
    speaking("Done."),
    speaking("Really done."),
  ];
  const workflow = DESK.replace("manual:\n", "manual: { returns: [{ name: total, type: number }] }\n");
  host = await createDrivenHost({ workflow, agent: { model: new ScriptedModel(answers) } });
  expect((await host.call("POST", SEND, { message: "wait" })).body).toMatchObject({ kind: "parked" });
  const [armed] = await host.storage.scheduler.list({ tenant: "local", sessionId: "s" });
  expect(armed).toMatchObject({ seq: 1 });
  await host.clock.advance(2 * MINUTE + 1_000);
  expect(host.storage.scheduler.fireDue()).toBe(1);
  expect(await host.drain()).toBe(1);
  expect(await session(host)).toMatchObject({ status: "rejected", classification: "finished" });
  const { events } = (await host.call("GET", "/workflows/desk/sessions/s/events")).body;
  expect(events.at(-1)).toMatchObject({
    type: "outcome",
    data: { kind: "rejected", disposition: "deliver", rejected: expect.stringContaining("total") },
  });
});

test("two tenants may use one idempotency key for queued commands", async () => {
  const answers = [calling(advance("done")), speaking("A."), calling(advance("done")), speaking("B.")];
  host = await createDrivenHost({ workflow: DESK, agent: { model: new ScriptedModel(answers) } });
  const headers = { prefer: "respond-async", "idempotency-key": "k" };
  for (const tenant of ["one", "two"]) {
    const answer = await host.call("POST", SEND, { message: "go" }, { ...headers, "x-tenant": tenant });
    expect(answer.status).toBe(202);
  }
  expect(await host.drain()).toBe(2);
  for (const tenant of ["one", "two"]) {
    const { body } = await host.call("GET", "/workflows/desk/sessions/s", undefined, { "x-tenant": tenant });
    expect(body).toMatchObject({ status: "completed" });
  }
});
