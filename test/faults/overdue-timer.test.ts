/** Waits that end while no host runs, and hosts that are told to stop in the middle of a turn. */
import { expect, test } from "vitest";
import { arrival, call, session, until } from "../support/api-client.ts";
import { startHost } from "../support/host-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test.each(["SIGTERM", "SIGKILL"] as const)(
  "a wait that ends after %s ended the host is over at the next start, and is over once",
  async (signal) => {
    const dataDir = await temporaryFolder();
    const first = await startHost({ dataDir });
    await call(first, `${session("inv-1")}/send`, { body: arrival("inv-1") });
    const waiting = await call(first, `${session("inv-1")}/decide`, { body: { target: "scheduled" } });
    const { resumeAt } = waiting.json.pending as { resumeAt: string };
    await first.stop(signal);
    await pause(Date.parse(resumeAt) - Date.now() + 300);

    const second = await startHost({ dataDir });
    await until(
      () => call(second, session("inv-1")),
      ({ json }) => json.status === "completed",
    );
    const { messages } = (await call(second, `${session("inv-1")}/messages`)).json as { messages: unknown[] };
    expect(messages.filter((message) => JSON.stringify(message).includes("[event]"))).toHaveLength(1);
    expect(await second.stop()).toBe(0);
  },
  60_000,
);

test("SIGTERM in the middle of a turn ends the host in order; the next start ends the turn", async () => {
  const dataDir = await temporaryFolder();
  const first = await startHost({ dataDir, args: ["--model-latency=150"] });
  const cut = call(first, `${session("inv-1")}/send`, { body: arrival("inv-1") });
  await until(
    () => call(first, session("inv-1")),
    ({ json }) => json.status === "running" && json.workflowState === "checking",
  );
  const stopping = performance.now();
  expect(await first.stop("SIGTERM")).toBe(0);
  expect(performance.now() - stopping).toBeLessThan(12_000);
  // The caller is told that the turn goes on elsewhere, and where to look.
  const answer = await cut;
  expect(answer.status).toBe(202);
  expect(answer.headers.get("location")).toBe("/workflows/invoice-approval/sessions/inv-1");

  const second = await startHost({ dataDir });
  await until(
    () => call(second, session("inv-1")),
    ({ json }) => json.status === "awaiting_decision",
  );
  const decided = await call(second, `${session("inv-1")}/decide`, { body: { target: "rejected" } });
  const trail = decided.json.auditTrail as { to: string }[];
  expect(trail.map(({ to }) => to)).toEqual(["intake", "checking", "approve-payment", "rejected"]);
  expect(await second.stop()).toBe(0);
}, 60_000);
