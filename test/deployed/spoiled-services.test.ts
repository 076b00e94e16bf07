/** Services out of order under the deployed functions. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { arrival, call, holding, session, transcript, until } from "../support/api-client.ts";
import { type DeployedWorkspace, deployWorkspace } from "../support/deployed-workspace.ts";
import { seededRandom } from "../support/seeded-random.ts";
import type { Fate } from "./services/proxy.ts";

let served: DeployedWorkspace;

beforeAll(async () => {
  served = await deployWorkspace();
}, 120_000);
afterAll(() => served?.stop());
afterEach(() => {
  for (const proxy of Object.values(served.deployment.proxies)) proxy.spoil();
});

test("HOST-022 the bus is down when a turn ends: the answer is the same, the sweep publishes, each event once", async () => {
  const { host, deployment } = served;
  deployment.proxies.EVENTBRIDGE.spoil(() => "unavailable");
  const parked = await call(host, `${session("h22")}/send`, { body: arrival("h22") });
  expect(parked.json).toMatchObject({ kind: "parked", state: "approve-payment" });
  const decided = await call(host, `${session("h22")}/decide`, { body: { target: "rejected" } });
  expect(decided.json).toMatchObject({ kind: "completed", state: "rejected" });
  expect(deployment.services.bus.events()).toEqual([]);
  deployment.proxies.EVENTBRIDGE.spoil();
  await deployment.sweep();
  await deployment.sweep();
  const published = await until(
    async () => ({ ...decided, json: { events: deployment.services.bus.events() } }),
    ({ json }) => (json.events as unknown[]).length >= 5,
  );
  const events = published.json.events as { "detail-type": string; detail: { id: string } }[];
  expect(events.map((event) => event["detail-type"])).toEqual([
    "SessionStarted",
    "SessionParked",
    "DecisionRequested",
    "SessionResumed",
    "SessionCompleted",
  ]);
  const ids = events.map(({ detail }) => detail.id);
  expect(ids).toEqual([...new Set(ids)]);
}, 90_000);

test("HOST-023 with a fifth of all calls to DynamoDB and S3 refused or lost, turns complete, nothing lost or doubled", async () => {
  const { host, deployment } = served;
  const random = seededRandom(20_261_201);
  const spoiled = { count: 0 };
  const spoil = (fates: readonly Fate[]) => (): Fate => {
    if (random() >= 0.2) return "through";
    spoiled.count += 1;
    return fates[Math.floor(random() * fates.length)] ?? "through";
  };
  deployment.proxies.DYNAMODB.spoil(spoil(["throttled", "unavailable", "lost", "answer-lost"]));
  // S3 throttles by 503.
  deployment.proxies.S3.spoil(spoil(["unavailable", "lost", "answer-lost"]));
  const ids = ["h23-1", "h23-2", "h23-3"];
  await Promise.all(
    ids.map(async (id) => {
      const opened = await call(host, `${session(id)}/send`, { body: arrival(id) });
      expect(opened.json, opened.text).toMatchObject({ kind: "parked", state: "approve-payment" });
      const decided = await call(host, `${session(id)}/decide`, { body: { target: "rejected" } });
      expect(decided.json, decided.text).toMatchObject({ kind: "completed", state: "rejected" });
    }),
  );
  expect(spoiled.count).toBeGreaterThan(20);
  deployment.proxies.DYNAMODB.spoil();
  deployment.proxies.S3.spoil();
  for (const id of ids) {
    const messages = await transcript(host, id);
    expect(holding(messages, "A new invoice has arrived.")).toBe(1);
    const asked = messages.flatMap(({ kwargs }) => kwargs.tool_calls ?? []).map((each) => each.id);
    expect(asked).toEqual([...new Set(asked)]);
    expect(messages.flatMap(({ kwargs }) => kwargs.tool_call_id ?? []).sort()).toEqual(asked.toSorted());
    expect((await call(host, session(id))).json).toMatchObject({ status: "completed", state: "rejected" });
  }
}, 120_000);
