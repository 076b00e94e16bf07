/** Processes killed, calls lost, messages and events given twice: every session ends as its script says. */
import { afterEach, expect, test } from "vitest";
import type { Fate } from "../deployed/services/proxy.ts";
import { type Answer, arrival, call, invoice, session, until, WORKFLOW } from "../support/api-client.ts";
import { type DeployedWorkspace, deployWorkspace } from "../support/deployed-workspace.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { allFindings } from "./ended-sessions.ts";

const SEED = 20_261_201;
const LEASE_OVER_MS = 61_000;

let served: DeployedWorkspace | undefined;
afterEach(async () => {
  await served?.stop();
  served = undefined;
});

const ids = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/**
 * Asks until the verb has been carried out: a caller who was given no answer asks again under the same key, and one
 * whose session is busy, or between two processes, later.
 */
async function untilDone(ask: () => Promise<Answer>, id: string, passed: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined && answer.status < 300) return;
    const { json } = await call((served as DeployedWorkspace).host, session(id)).catch(() => ({
      json: {} as Record<string, unknown>,
    }));
    if (passed.includes(String(json.status))) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`${id} could not be moved on.`);
}

/** Plays a session of the example as a caller would who knows nothing of faults but that he may ask again. */
async function play({ host }: DeployedWorkspace, id: string): Promise<void> {
  await untilDone(
    () =>
      call(host, `${session(id)}/send`, { body: arrival(id), headers: { "idempotency-key": `send-${id}` } }),
    id,
    ["awaiting_decision", "awaiting_input", "completed"],
  );
  await until(
    () => call(host, session(id)),
    ({ json }) => json.status === "awaiting_decision",
    240_000,
  );
  await untilDone(
    () =>
      call(host, `${session(id)}/decide`, {
        body: { target: "scheduled" },
        headers: { "idempotency-key": `decide-${id}` },
      }),
    id,
    ["awaiting_input", "completed"],
  );
  await until(
    () => call(host, session(id)),
    ({ json }) => json.status === "completed",
    240_000,
  );
}

/** Sweeps every few seconds, the clock moved on beyond a lease each time: what was cut off goes on. */
function sweeping({ deployment }: DeployedWorkspace, move: boolean): () => Promise<void> {
  let running = true;
  const loop = (async () => {
    while (running) {
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      if (move) deployment.clock.move(LEASE_OVER_MS);
      await deployment.sweep().catch(() => {});
    }
  })();
  return async () => {
    running = false;
    await loop;
  };
}

test("processes killed at random while a hundred turns run: every session ends as its script says", async () => {
  served = await deployWorkspace(30, { instances: 3, visibilitySeconds: 5 });
  const { deployment } = served;
  const random = seededRandom(SEED);
  let kills = 0;
  let running = true;
  const killing = (async () => {
    while (running) {
      await new Promise((resolve) => setTimeout(resolve, 1_500 + random() * 2_500));
      const busy = (["send", "decide", "worker"] as const).flatMap((name) =>
        deployment.functions[name].busy(),
      );
      const one = busy[Math.floor(random() * busy.length)];
      if (one === undefined) continue;
      one.kill();
      kills += 1;
    }
  })();
  const stopSweeping = sweeping(served, true);
  const sessions = ids("killed", Number(process.env.LOAD_KILLED ?? 34));
  for (let at = 0; at < sessions.length; at += 6) {
    const some = sessions.slice(at, at + 6);
    await Promise.all(some.map((id) => play(served as DeployedWorkspace, id)));
  }
  running = false;
  await killing;
  await stopSweeping();
  console.log(`${kills} processes killed during ${3 * sessions.length} turns`);
  expect(kills).toBeGreaterThan(sessions.length / 7);
  expect(await allFindings(served.host, sessions)).toEqual([]);
  expect(await served.deadLetters()).toEqual([]);
});

test("a fifth of all calls to the tables and the bucket lost or refused: every session ends as its script says", async () => {
  served = await deployWorkspace(0, { instances: 3 });
  const { deployment } = served;
  const random = seededRandom(SEED);
  let spoiled = 0;
  const spoil = (fates: readonly Fate[]) => (): Fate => {
    if (random() >= 0.2) return "through";
    spoiled += 1;
    return fates[Math.floor(random() * fates.length)] ?? "through";
  };
  const stopSweeping = sweeping(served, false);
  deployment.proxies.DYNAMODB.spoil(spoil(["throttled", "unavailable", "lost", "answer-lost"]));
  // S3 throttles by 503.
  deployment.proxies.S3.spoil(spoil(["unavailable", "lost", "answer-lost"]));
  const sessions = ids("spoiled", 12);
  for (let at = 0; at < sessions.length; at += 4) {
    const some = sessions.slice(at, at + 4);
    await Promise.all(some.map((id) => play(served as DeployedWorkspace, id)));
  }
  await stopSweeping();
  deployment.proxies.DYNAMODB.spoil();
  deployment.proxies.S3.spoil();
  console.log(`${spoiled} calls spoiled`);
  expect(await allFindings(served.host, sessions)).toEqual([]);
  expect(await served.deadLetters()).toEqual([]);
});

test("each message of the queue and each event of the bus given twice: every session ends as its script says", async () => {
  served = await deployWorkspace(0, { instances: 3, messagesTwice: true, eventsTwice: true });
  const { deployment, host } = served;
  const workflow = "/workflows/event-approval";
  const sessions = ids("twice", 20);
  for (const id of sessions) {
    const { invoice_id: _id, ...figures } = invoice(id);
    await deployment.services.bus.push({
      source: "erp.invoices",
      "detail-type": "InvoiceReceived",
      detail: { id, ...figures, note: "A new invoice has arrived. Please settle it." },
    });
  }
  for (const id of sessions) {
    await until(
      () => call(host, session(id, workflow)),
      ({ json }) => json.status === "awaiting_decision",
      120_000,
    );
    await call(host, `${session(id, workflow)}/decide`, {
      body: { target: "scheduled" },
      headers: { prefer: "respond-async", "idempotency-key": `decide-${id}` },
    });
  }
  for (const id of sessions)
    await until(
      () => call(host, session(id, workflow)),
      ({ json }) => json.status === "completed",
      120_000,
    );
  expect(await allFindings(host, sessions, workflow)).toEqual([]);
  expect((await call(host, `${WORKFLOW}/sessions`)).json.sessions).toEqual([]);
  expect(await served.deadLetters()).toEqual([]);
});
