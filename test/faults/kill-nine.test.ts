/** The example's whole life under kill -9 at ten random moments, a restart after each. */
import { expect, test } from "vitest";
import { arrival, call, session, until } from "../support/api-client.ts";
import { type HostProcess, startHost } from "../support/host-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const KILLS = 10;
const SEED = 20_261_201;

/** A small seeded generator (mulberry32): the same moments on every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test("HOST-012 killed ten times, the session completes, each state entered once and nothing doubled", async () => {
  const random = seeded(SEED);
  const dataDir = await temporaryFolder();
  const start = () => startHost({ dataDir, args: ["--model-latency=60"] });
  let host: HostProcess = await start();
  const asked = { prefer: "respond-async" };
  const sent = await call(host, `${session("inv-1")}/send`, { body: arrival("inv-1"), headers: asked });
  expect(sent.status).toBe(202);
  let decided = false;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await new Promise((resolve) => setTimeout(resolve, random() * 700));
    const { json } = await call(host, session("inv-1"));
    if (!decided && json.status === "awaiting_decision") {
      const answer = await call(host, `${session("inv-1")}/decide`, {
        body: { target: "scheduled" },
        headers: { ...asked, "idempotency-key": "approve-inv-1" },
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
  const events = (await call(host, `${session("inv-1")}/events`)).json.events as {
    type: string;
    data: { auditTrail?: { to: string }[] };
  }[];
  const outcome = events.findLast(({ type }) => type === "outcome");
  const entered = outcome?.data.auditTrail?.map(({ to }) => to);
  // The wake-up is a step in the state that waited, not an entry of another.
  expect(entered).toEqual(["intake", "checking", "approve-payment", "scheduled", "scheduled", "paid"]);
  const { messages } = (await call(host, `${session("inv-1")}/messages`)).json as { messages: unknown[] };
  const told = (text: string) => messages.filter((message) => JSON.stringify(message).includes(text)).length;
  expect(told("A new invoice has arrived.")).toBe(1);
  expect(told("[decision] A person decided")).toBe(1);
  expect(await host.stop()).toBe(0);
}, 180_000);
