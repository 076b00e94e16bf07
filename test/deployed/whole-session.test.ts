/** One session's whole way through the deployed functions: each of them takes part. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { arrival, call, session, until, WORKFLOW } from "../support/api-client.ts";
import { type DeployedWorkspace, deployWorkspace } from "../support/deployed-workspace.ts";

let served: DeployedWorkspace;

beforeAll(async () => {
  served = await deployWorkspace();
}, 120_000);
afterAll(() => served?.stop());

test("a session opens, is approved, waits for its day, wakes and is paid", async () => {
  const { host, deployment } = served;
  const parked = await call(host, `${session("inv-1")}/send`, { body: arrival("inv-1", "atlas-freight") });
  expect(parked.json).toMatchObject({ kind: "parked", parkedChannel: "decision", state: "approve-payment" });
  const listed = (await call(host, `${WORKFLOW}/sessions?status=parked`)).json;
  expect(listed.sessions).toMatchObject([{ sessionId: "inv-1", status: "awaiting_decision" }]);
  const reply = await call(host, `${session("inv-1")}/reply`, { body: { message: "Why?" } });
  expect(reply.json).toMatchObject({ disposition: "reply" });
  const waiting = await call(host, `${session("inv-1")}/decide`, { body: { target: "scheduled" } });
  expect(waiting.json).toMatchObject({ kind: "parked", parkedChannel: "input" });
  const { resumeAt } = waiting.json.pending as { resumeAt: string };
  const [armed, ...more] = await deployment.services.schedules();
  expect(more).toEqual([]);
  expect(armed?.dueAt).toBe(Math.ceil(Date.parse(resumeAt) / 1_000) * 1_000);
  deployment.clock.move(91_000);
  const paid = await until(
    () => call(host, session("inv-1")),
    ({ json }) => json.status === "completed",
  );
  expect(paid.json).toMatchObject({ state: "paid", variables: { trigger: { value: "timer" } } });
  expect(await deployment.services.schedules()).toEqual([]);
  const published = () => deployment.services.bus.events().map((event) => event["detail-type"]);
  await until(
    async () => ({ ...paid, json: { published: published() } }),
    ({ json }) => (json.published as string[]).length >= 7,
  );
  expect(published()).toEqual([
    "SessionStarted",
    "SessionParked",
    "DecisionRequested",
    "SessionResumed",
    "SessionParked",
    "SessionResumed",
    "SessionCompleted",
  ]);
}, 60_000);
