/** The example's whole life under kill -9 at ten random moments, a restart after each. */
import { expect, test } from "vitest";
import { arrival, call, session, until, WORKFLOW } from "../support/api-client.ts";
import { type HostProcess, startHost } from "../support/host-process.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A message of the transcript as the host gives it. */
interface StoredMessage {
  kwargs: { id: string; tool_call_id?: string; tool_calls?: { id: string; name: string }[] };
}

interface Outcome {
  kind: string;
  auditTrail: { to: string }[];
}

/** The last outcome among a session's events. */
function lastOutcome(json: Record<string, unknown>): Outcome | undefined {
  const events = json.events as { type: string; data: Outcome }[];
  return events.findLast(({ type }) => type === "outcome")?.data;
}

const KILLS = 10;
const SEED = 20_261_201;

test("HOST-012 killed ten times, the session completes, each state entered once and nothing doubled", async () => {
  const random = seededRandom(SEED);
  const dataDir = await temporaryFolder();
  const start = () => startHost({ dataDir, args: ["--model-latency=60"] });
  let host: HostProcess = await start();
  const queued = { prefer: "respond-async" };
  const sent = await call(host, `${session("inv-1")}/send`, { body: arrival("inv-1"), headers: queued });
  expect(sent.status).toBe(202);
  let decided = false;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await new Promise((resolve) => setTimeout(resolve, random() * 700));
    const { json } = await call(host, session("inv-1"));
    if (!decided && json.status === "awaiting_decision") {
      const answer = await call(host, `${session("inv-1")}/decide`, {
        body: { target: "scheduled" },
        headers: { ...queued, "idempotency-key": "approve-inv-1" },
      });
      expect(answer.status).toBe(202);
      decided = true;
      await new Promise((resolve) => setTimeout(resolve, random() * 300));
    }
    await host.stop("SIGKILL");
    host = await start();
  }
  if (!decided) {
    await until(
      () => call(host, session("inv-1")),
      ({ json }) => json.status === "awaiting_decision",
    );
    expect((await call(host, `${session("inv-1")}/decide`, { body: { target: "scheduled" } })).status).toBe(
      200,
    );
  }
  const done = await until(
    () => call(host, session("inv-1")),
    ({ json }) => json.status === "completed",
    30_000,
  );
  expect(done.json).toMatchObject({ state: "paid" });
  expect(done.json.stalled).toBeUndefined();
  // The transcript's last checkpoint says completed a moment before the turn's outcome is told.
  const told = await until(
    () => call(host, `${session("inv-1")}/events`),
    ({ json }) => lastOutcome(json)?.kind === "completed",
  );
  const entered = lastOutcome(told.json)?.auditTrail.map(({ to }) => to);
  // The wake-up is a step in the state that waited, not an entry of another.
  expect(entered).toEqual(["intake", "checking", "approve-payment", "scheduled", "scheduled", "paid"]);
  const { messages } = (await call(host, `${session("inv-1")}/messages`)).json as {
    messages: StoredMessage[];
  };
  const count = (text: string) => messages.filter((message) => JSON.stringify(message).includes(text)).length;
  expect(count("A new invoice has arrived.")).toBe(1);
  expect(count("[decision] A person decided")).toBe(1);
  expect(count("[event]")).toBe(1);
  const asked = messages.flatMap(({ kwargs }) => kwargs.tool_calls ?? []).map(({ id }) => id);
  const answered = messages.flatMap(({ kwargs }) => kwargs.tool_call_id ?? []);
  expect(asked).toEqual([...new Set(asked)]);
  expect(answered.toSorted()).toEqual(asked.toSorted());
  const names = messages.flatMap(({ kwargs }) => kwargs.tool_calls ?? []).map(({ name }) => name);
  expect(names.filter((name) => name === "archmax_wait")).toHaveLength(1);
  expect(names.filter((name) => name === "write_file")).toHaveLength(1);
  const ids = messages.map(({ kwargs }) => kwargs.id);
  expect(ids).toEqual([...new Set(ids)]);
  const comparison = await call(host, `${session("inv-1")}/files/scratchpad%2Fcomparison.md`);
  expect(comparison.text).toContain("| amount | 1240.5 | 1200 |");
  expect(done.json.variables).toMatchObject({
    paid: { value: true },
    payment_ref: { value: "PAY-inv-1" },
    trigger: { value: "timer" },
  });
  const sessions = (await call(host, `${WORKFLOW}/sessions`)).json.sessions;
  expect(sessions).toHaveLength(1);
  expect(await host.stop()).toBe(0);
}, 180_000);
