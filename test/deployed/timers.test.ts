/** Timed waits through the deployed functions: schedules, their firing, and crashes around their arming. */
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { answerInvoice } from "../../packages/host-local/src/demo/invoice-script.ts";
import { arrival, call, holding, session, transcript, until } from "../support/api-client.ts";
import { type DeployedWorkspace, deployWorkspace } from "../support/deployed-workspace.ts";

/** Longer than a lease lasts, in ms: a process that was killed holds its session no more. */
const LEASE_OVER_MS = 61_000;
const DAY_MS = 86_400_000;

let served: DeployedWorkspace;

beforeAll(async () => {
  served = await deployWorkspace();
}, 120_000);
afterAll(() => served?.stop());
afterEach(() => {
  for (const proxy of Object.values(served.deployment.proxies)) proxy.spoil();
});

const read = (id: string) => call(served.host, session(id));
const decide = (id: string) => call(served.host, `${session(id)}/decide`, { body: { target: "scheduled" } });
const schedulesOf = async (id: string) =>
  (await served.deployment.services.schedules()).filter(({ input }) => JSON.stringify(input).includes(id));

/** Opens a session and has it wait for its supplier's payment day; gives the day. */
async function waiting(id: string, supplier: string): Promise<number> {
  await call(served.host, `${session(id)}/send`, { body: arrival(id, supplier) });
  const { json } = await decide(id);
  expect(json).toMatchObject({ kind: "parked", parkedChannel: "input" });
  return Date.parse((json.pending as { resumeAt: string }).resumeAt);
}

const completed = (id: string, timeoutMs?: number) =>
  until(
    () => read(id),
    ({ json }) => json.status === "completed",
    timeoutMs,
  );

/** Sends a schedule's message to the queue once more, as Scheduler may, and waits until it has been carried out. */
async function fireAgain(input: Record<string, unknown>): Promise<void> {
  const { clients, services, poller } = served.deployment;
  const handled = poller.handled();
  await clients.sqs.send(
    new SendMessageCommand({
      QueueUrl: services.queue.url,
      MessageGroupId: "fired-again",
      MessageDeduplicationId: crypto.randomUUID(),
      MessageBody: JSON.stringify(input),
    }),
  );
  while (poller.handled() === handled) await new Promise((resolve) => setTimeout(resolve, 50));
}

test("HOST-008 a wait of 90 s is a schedule at its second; it wakes the session once, however often it fires", async () => {
  const { deployment } = served;
  const day = await waiting("h8", "atlas-freight");
  const [armed] = await schedulesOf("h8");
  expect(armed?.dueAt).toBe(Math.ceil(day / 1_000) * 1_000);
  expect(day - deployment.clock.now()).toBeGreaterThan(85_000);
  deployment.clock.move(91_000);
  const paid = await completed("h8");
  expect(paid.json).toMatchObject({ state: "paid", variables: { trigger: { value: "timer" } } });
  expect(await schedulesOf("h8")).toEqual([]);
  const before = await transcript(served.host, "h8");
  await fireAgain(armed?.input ?? {});
  expect(await transcript(served.host, "h8")).toEqual(before);
  expect(await read("h8").then(({ json }) => json)).toEqual(paid.json);
}, 60_000);

test("HOST-009 a delivery before the timer moves the session on and takes its schedule away", async () => {
  await waiting("h9", "atlas-freight");
  const [armed] = await schedulesOf("h9");
  const delivered = await call(served.host, `${session("h9")}/deliver`, {
    body: { trigger: { id: "payment_day" } },
  });
  expect(delivered.json).toMatchObject({ kind: "completed", state: "paid" });
  expect(await schedulesOf("h9")).toEqual([]);
  const before = await read("h9");
  served.deployment.clock.move(91_000);
  const logged = served.deployment.functions.worker.log().length;
  await fireAgain(armed?.input ?? {});
  expect(served.deployment.functions.worker.log().slice(logged)).toContain("stale");
  expect((await read("h9")).json).toEqual(before.json);
}, 60_000);

test.each([
  ["before its schedule is made", "lost"],
  ["after its schedule is made, before that is recorded", "answer-lost"],
] as const)(
  "HOST-010 a crash %s: the sweep arms the wait, which ends once",
  async (_when, fate) => {
    const { deployment } = served;
    const id = `h10-${fate}`;
    await call(served.host, `${session(id)}/send`, { body: arrival(id, "harbor-metals") });
    deployment.proxies.SCHEDULER.spoil(() => {
      // The schedule's fate is settled before the process that asked for it is gone.
      const settled = async () => fate === "lost" || (await schedulesOf(id)).length === 1;
      void vi.waitUntil(settled, { timeout: 20_000 }).finally(() => {
        for (const instance of deployment.functions.decide.busy()) instance.kill();
      });
      return fate;
    });
    expect((await decide(id)).status).toBe(502);
    deployment.proxies.SCHEDULER.spoil();
    expect(await schedulesOf(id)).toHaveLength(fate === "lost" ? 0 : 1);
    deployment.clock.move(LEASE_OVER_MS);
    await deployment.sweep();
    await until(
      async () => ({ ...(await read(id)), json: { armed: (await schedulesOf(id)).length } }),
      ({ json }) => json.armed === 1,
    );
    deployment.clock.move(30 * DAY_MS);
    await completed(id);
    expect(holding(await transcript(served.host, id), "[event]")).toBe(1);
  },
  60_000,
);

test("HOST-029 a wait of 20 s and a delivery meanwhile: the delivery runs at once, the due message is stale", async () => {
  const { deployment } = served;
  const from = performance.now();
  await waiting("h29", "slow-stationery");
  expect(await schedulesOf("h29")).toEqual([]);
  const asked = performance.now();
  const delivered = await call(served.host, `${session("h29")}/deliver`, {
    body: { trigger: { id: "payment_day" } },
  });
  expect(performance.now() - asked).toBeLessThan(10_000);
  expect(delivered.json).toMatchObject({ kind: "completed", state: "paid" });
  const before = await transcript(served.host, "h29");
  const logged = deployment.functions.worker.log().length;
  await until(
    async () => ({ ...delivered, json: { log: deployment.functions.worker.log().slice(logged) } }),
    ({ json }) => String(json.log).includes("stale"),
    30_000,
  );
  expect(performance.now() - from).toBeGreaterThan(19_000);
  expect(await transcript(served.host, "h29")).toEqual(before);
}, 60_000);

test("HOST-030 woken by its timer and finished without what its trigger returns, a session is rejected", async () => {
  served.model.answerBy((conversation) => {
    const isThis = JSON.stringify(conversation.allCalls).includes('\\"h30\\"');
    if (isThis && conversation.state === "paid") return { text: "Paid, I suppose." };
    return answerInvoice(conversation);
  });
  await waiting("h30", "nordwind-office");
  const ended = await until(
    () => read("h30"),
    ({ json }) => json.status === "rejected",
  );
  expect(ended.json).toMatchObject({ status: "rejected", state: "paid" });
  served.model.answerBy();
}, 60_000);
