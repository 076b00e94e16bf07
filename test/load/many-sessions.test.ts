/** Many sessions at once through the front, and many waits that end in the same second. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { arrival, call, session, until, WORKFLOW } from "../support/api-client.ts";
import { type DeployedWorkspace, deployWorkspace } from "../support/deployed-workspace.ts";
import { allFindings } from "./ended-sessions.ts";

/** How many sessions are opened at once, and how many wake in the same second. */
const AT_ONCE = Number(process.env.LOAD_SESSIONS ?? 200);
const DUE_AT_ONCE = Number(process.env.LOAD_RESUMES ?? 1_000);

let served: DeployedWorkspace;

beforeAll(async () => {
  served = await deployWorkspace(0, {
    // As many as two cores can carry; AWS would start one for each.
    instances: 3,
    timeoutsMs: { send: 900_000, decide: 900_000, worker: 900_000 },
    visibilitySeconds: 120,
  });
});
afterAll(() => served?.stop());

const send = (id: string, supplier: string) =>
  call(served.host, `${session(id)}/send`, { body: arrival(id, supplier) });
const decide = (id: string) => call(served.host, `${session(id)}/decide`, { body: { target: "scheduled" } });

async function count(status: string): Promise<number> {
  let cursor = "";
  let found = 0;
  do {
    const { json } = await call(served.host, `${WORKFLOW}/sessions?status=${status}&limit=1000${cursor}`);
    found += (json.sessions as unknown[]).length;
    cursor = typeof json.cursor === "string" ? `&cursor=${encodeURIComponent(json.cursor)}` : "";
  } while (cursor !== "");
  return found;
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

test(`${AT_ONCE} sessions at once, each parks, is approved, waits and wakes: none is lost or doubled`, async () => {
  const from = performance.now();
  const ids = Array.from({ length: AT_ONCE }, (_, index) => `load-${index}`);
  const parked = await Promise.all(ids.map((id) => send(id, "nordwind-office")));
  expect(parked.filter(({ status }) => status !== 200).map(({ text }) => text.slice(0, 300))).toEqual([]);
  const waiting = await Promise.all(ids.map(decide));
  expect(waiting.filter(({ status }) => status !== 200).map(({ text }) => text.slice(0, 300))).toEqual([]);
  await until(
    async () => ({ ...(waiting[0] as (typeof waiting)[0]), json: { finished: await count("finished") } }),
    ({ json }) => json.finished === AT_ONCE,
    900_000,
  );
  const seconds = (performance.now() - from) / 1_000;
  console.log(`${AT_ONCE} sessions, ${3 * AT_ONCE} turns: ${seconds.toFixed(1)} s`);
  expect(await allFindings(served.host, ids)).toEqual([]);
  expect(await served.deadLetters()).toEqual([]);
});

test(`${DUE_AT_ONCE} waits that end in the same second all end`, async () => {
  const { deployment } = served;
  const ids = Array.from({ length: DUE_AT_ONCE }, (_, index) => `due-${index}`);
  // The same day for all: what is scheduled for it is moved to one second.
  for (let at = 0; at < ids.length; at += 50) {
    const some = ids.slice(at, at + 50);
    await Promise.all(some.map((id) => send(id, "harbor-metals").then(() => decide(id))));
  }
  const schedules = (await deployment.services.schedules()).filter(({ input }) =>
    String(input.sessionId).startsWith("due-"),
  );
  expect(schedules).toHaveLength(DUE_AT_ONCE);
  const before = await count("finished");
  const from = performance.now();
  const last = Math.max(...schedules.map(({ dueAt }) => dueAt));
  deployment.clock.move(last - deployment.clock.now() + 1_000);
  const due = deployment.clock.now();
  await until(
    async () => ({
      ...(await call(served.host, session("due-0"))),
      json: { done: (await count("finished")) - before },
    }),
    ({ json }) => json.done === DUE_AT_ONCE,
    1_500_000,
  );
  const lags: number[] = [];
  for (const id of ids) {
    const { json } = await call(served.host, session(id));
    lags.push(Date.parse((json.lastTurn as { at: string }).at) - due);
  }
  lags.sort((left, right) => left - right);
  console.log(
    `${DUE_AT_ONCE} resumes due at once, by ${3} workers: ${((performance.now() - from) / 1_000).toFixed(1)} s; ` +
      `lag p50 ${percentile(lags, 0.5)} ms, p95 ${percentile(lags, 0.95)} ms, last ${lags.at(-1)} ms`,
  );
  expect(await allFindings(served.host, ids.slice(0, 50))).toEqual([]);
  expect(await served.deadLetters()).toEqual([]);
});
