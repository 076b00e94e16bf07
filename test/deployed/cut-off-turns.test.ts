/** Turns that outlive their invocation, or do not live as long: killed, out of time, overtaken. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Conversation } from "../../packages/host-local/src/demo/conversation.ts";
import { answerInvoice, type ScriptedAnswer } from "../../packages/host-local/src/demo/invoice-script.ts";
import { arrival, call, holding, session, transcript, until } from "../support/api-client.ts";
import { type DeployedWorkspace, deployWorkspace } from "../support/deployed-workspace.ts";

/** Longer than a lease lasts, in ms. */
const LEASE_OVER_MS = 61_000;
/** How long an invocation of `send` and of the worker may take, in ms, of which 30 s are kept back for its end. */
const TIMEOUT_MS = 120_000;
/** The same for `reply`, whose hanging model a test waits for: given up ten seconds before the end. */
const REPLY_TIMEOUT_MS = 32_000;

let served: DeployedWorkspace;

beforeAll(async () => {
  served = await deployWorkspace(0, {
    timeoutsMs: { send: TIMEOUT_MS, worker: TIMEOUT_MS, reply: REPLY_TIMEOUT_MS },
  });
}, 120_000);
afterAll(() => served?.stop());
afterEach(() => {
  served.model.answerBy();
  for (const proxy of Object.values(served.deployment.proxies)) proxy.spoil();
});

const read = (id: string) => call(served.host, session(id));
const send = (id: string, headers: Record<string, string> = {}) =>
  call(served.host, `${session(id)}/send`, { body: arrival(id), headers });
const parked = (id: string, timeoutMs?: number) =>
  until(
    () => read(id),
    ({ json }) => json.status === "awaiting_decision",
    timeoutMs,
  );

/** The example's script, but for one session's `answer`, which gives `undefined` where the script is to answer. */
function scripted(
  id: string,
  answer: (conversation: Conversation) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>,
): void {
  served.model.answerBy(async (conversation) => {
    const isThis = JSON.stringify(conversation.allCalls).includes(`\\"${id}\\"`);
    return (isThis ? await answer(conversation) : undefined) ?? answerInvoice(conversation);
  });
}

/** Every call of a transcript is answered once, and none is there twice. */
async function expectNothingDoubled(id: string): Promise<void> {
  const messages = await transcript(served.host, id);
  const asked = messages.flatMap(({ kwargs }) => kwargs.tool_calls ?? []).map((each) => each.id);
  expect(asked).toEqual([...new Set(asked)]);
  expect(messages.flatMap(({ kwargs }) => kwargs.tool_call_id ?? []).sort()).toEqual(asked.toSorted());
  const ids = messages.map(({ kwargs }) => kwargs.id);
  expect(ids).toEqual([...new Set(ids)]);
  expect(holding(messages, "A new invoice has arrived.")).toBe(1);
}

test("HOST-006 202 comes once the command is in the queue: with every process killed right after, the turn completes", async () => {
  const { functions, poller, proxies } = served.deployment;
  await poller.pause();
  const accepted = await send("h6", { prefer: "respond-async" });
  expect(accepted.status).toBe(202);
  expect(accepted.json).toEqual({ sessionId: "h6", turnId: expect.any(String) });
  await Promise.all(Object.values(functions).map((each) => each.recycle()));
  expect((await read("h6")).status).toBe(404);
  poller.resume();
  await parked("h6");
  await expectNothingDoubled("h6");

  proxies.SQS.spoil(() => "unavailable");
  const refused = await send("h6-refused", { prefer: "respond-async" });
  expect(refused.status).toBe(503);
  proxies.SQS.spoil();
  expect((await read("h6-refused")).status).toBe(404);
}, 90_000);

test("HOST-011 a turn of twenty model calls whose invocations have time for seven each: three, and one outcome", async () => {
  const { clock, functions } = served.deployment;
  const answered: number[] = [];
  const invocations = functions.worker.started() + functions.send.started();
  scripted("h11", ({ state, calls }) => {
    if (state !== "checking" || answered.length === 20) return undefined;
    answered.push(calls.length);
    // The seventh of an invocation takes it to where its end is being kept.
    if (answered.length % 7 === 0) clock.move(TIMEOUT_MS - 30_000);
    return { calls: [{ name: "archmax_set_variables", args: { variables: { step: answered.length } } }] };
  });
  const continued = await send("h11");
  expect(continued.status, continued.text).toBe(202);
  expect(continued.headers.get("location")).toBe(session("h11"));
  const at = await until(
    () => read("h11"),
    ({ json }) => json.status !== "running",
    30_000,
  );
  expect(at.json).toMatchObject({ variables: { step: { value: 20 } } });
  expect(answered).toEqual(Array.from({ length: 20 }, (_, call) => call));
  await expectNothingDoubled("h11");
  const { events } = (await call(served.host, `${session("h11")}/events`)).json as {
    events: { type: string }[];
  };
  expect(events.filter(({ type }) => type === "continued")).toHaveLength(2);
  expect(events.filter(({ type }) => type === "outcome")).toHaveLength(1);
  expect(functions.worker.started() + functions.send.started()).toBeGreaterThanOrEqual(invocations);
}, 60_000);

test("HOST-012 kill -9 during a tool call: the turn goes on, the call beside it that had finished is not repeated", async () => {
  const { deployment } = served;
  const written = { quick: 0, slow: 0 };
  const quickIsStored = Promise.withResolvers<void>();
  const slowIsAsked = Promise.withResolvers<void>();
  scripted("h12", ({ state, calls }) => {
    if (state !== "checking" || calls.some(({ name }) => name === "write_file")) return undefined;
    const write = (name: string) => ({
      name: "write_file",
      args: { file_path: `scratchpad/${name}.md`, content: name },
    });
    const found = { name: "archmax_set_variables", args: { variables: { difference: 0, pay_after: "3s" } } };
    return { calls: [write("quick"), write("slow"), found] };
  });
  deployment.proxies.S3.spoil(({ method, url }) => {
    for (const name of ["quick", "slow"] as const) {
      if (method !== "PUT" || !url.includes(`h12/scratchpad/${name}.md`)) continue;
      written[name] += 1;
      if (name === "quick" || written.slow > 1) return "through";
      slowIsAsked.resolve();
      return "unanswered";
    }
    return "through";
  });
  let putSince = 0;
  deployment.proxies.DYNAMODB.spoil(({ target }) => {
    // What a finished call leaves is written once its file is.
    if (written.quick > 0 && /WriteItem|PutItem/.test(target) && ++putSince === 1)
      setTimeout(() => quickIsStored.resolve(), 300);
    return "through";
  });
  const cut = send("h12");
  await Promise.all([slowIsAsked.promise, quickIsStored.promise]);
  for (const instance of deployment.functions.send.busy()) instance.kill();
  expect((await cut).status).toBe(502);
  deployment.clock.move(LEASE_OVER_MS);
  await deployment.sweep();
  await parked("h12");
  expect(written).toEqual({ quick: 1, slow: 2 });
  await expectNothingDoubled("h12");
}, 90_000);

test("HOST-013 a process that lost its lease while it stood still stores neither a checkpoint nor an outcome", async () => {
  const { deployment } = served;
  let held = 0;
  const release = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  scripted("h13", async ({ state, calls }) => {
    if (state === "checking" && calls.length === 1 && ++held === 1) {
      isHeld.resolve();
      await release.promise;
    }
    return undefined;
  });
  const stale = send("h13");
  await isHeld.promise;
  const [instance, ...others] = deployment.functions.send.busy();
  expect(others).toEqual([]);
  process.kill(instance?.pid ?? 0, "SIGSTOP");
  deployment.clock.move(LEASE_OVER_MS);
  await deployment.sweep();
  const ended = await parked("h13");
  const before = await transcript(served.host, "h13");
  process.kill(instance?.pid ?? 0, "SIGCONT");
  release.resolve();
  const answer = await stale;
  expect(answer.status).toBe(503);
  expect(answer.json.type).toBe("/problems/lease-lost-error");
  expect((await read("h13")).json).toEqual(ended.json);
  expect(await transcript(served.host, "h13")).toEqual(before);
  await expectNothingDoubled("h13");
}, 90_000);

test("HOST-025 a model that hangs: the turn fails before its function's end and says so; the session goes on", async () => {
  await send("h25");
  const release = served.model.hold();
  const asked = performance.now();
  const failed = await call(served.host, `${session("h25")}/reply`, { body: { message: "Why?" } });
  expect(performance.now() - asked).toBeLessThan(REPLY_TIMEOUT_MS);
  release();
  expect(failed.status).toBe(503);
  expect(failed.json.type).toBe("/problems/turn-deadline-error");
  await served.deployment.sweep();
  const decided = await until(
    () => call(served.host, `${session("h25")}/decide`, { body: { target: "rejected" } }),
    ({ status }) => status !== 409,
  );
  expect(decided.json).toMatchObject({ kind: "completed", state: "rejected" });
}, 90_000);

test("HOST-028 a command waits out a long turn and runs once; it is not put aside for its waiting", async () => {
  const release = served.model.hold();
  const asked = served.model.nextAsked();
  const long = send("h28");
  await asked;
  const queued = await call(served.host, `${session("h28")}/reply`, {
    body: { message: "Is it done?" },
    headers: { prefer: "respond-async", "idempotency-key": "h28" },
  });
  expect(queued.status).toBe(202);
  // It is shown to the worker every two seconds: more often than the five times a command may fail.
  await new Promise((resolve) => setTimeout(resolve, 13_000));
  release();
  expect((await long).json).toMatchObject({ kind: "parked" });
  await until(
    async () => ({
      ...queued,
      json: { count: holding(await transcript(served.host, "h28"), "Is it done?") },
    }),
    ({ json }) => json.count === 1,
  );
  expect((await read("h28")).json.stalled).toBeUndefined();
  expect(await served.deadLetters()).toEqual([]);
}, 90_000);

test("HOST-028 a command that fails five times is put aside, with its reason in the record; put back, it runs", async () => {
  const { deployment } = served;
  await send("h28-fails");
  served.model.answerBy(() => ({ refusal: 400 }));
  const queued = await call(served.host, `${session("h28-fails")}/decide`, {
    body: { target: "rejected" },
    headers: { prefer: "respond-async", "idempotency-key": "h28-fails" },
  });
  expect(queued.status).toBe(202);
  const stalled = await until(
    () => read("h28-fails"),
    ({ json }) => json.stalled !== undefined,
    80_000,
  );
  expect(stalled.json.stalled).toMatchObject({ reason: expect.any(String) });
  const letters = await served.deadLetters();
  expect(letters).toHaveLength(1);
  expect(letters[0]).toMatchObject({
    reason: (stalled.json.stalled as { reason: string }).reason,
    command: { kind: "decide", sessionId: "h28-fails" },
  });
  served.model.answerBy();
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(await deployment.redrive()).toBe(1);
  await until(
    () => read("h28-fails"),
    ({ json }) => json.status === "completed",
  );
  expect((await read("h28-fails")).json).toMatchObject({ state: "rejected" });
  expect((await read("h28-fails")).json.stalled).toBeUndefined();
}, 120_000);
