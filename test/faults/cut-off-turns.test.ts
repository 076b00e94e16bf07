/** Turns cut off by a kill -9: one that was accepted is completed by the next start, one that was not leaves nothing. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { arrival, call, session, until } from "../support/api-client.ts";
import { startHost } from "../support/host-process.ts";
import { filesBelow, temporaryFolder } from "../support/temporary-folder.ts";

/** A pause long enough that a turn of the example takes about a second, so that a kill falls into it. */
const SLOW = ["--model-latency=60"];

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function deadLetters(dataDir: string): string[] {
  const database = new DatabaseSync(join(dataDir, "host.db"), { readOnly: true });
  try {
    return database
      .prepare("SELECT reason FROM dead_letters")
      .all()
      .map((row) => String(row.reason));
  } finally {
    database.close();
  }
}

test.each([0, 120, 300, 600])(
  "HOST-006 202 comes once the command is in the queue: killed %d ms later, a restart completes the turn",
  async (delay) => {
    const dataDir = await temporaryFolder();
    const first = await startHost({ dataDir, args: SLOW });
    const accepted = await call(first, `${session("inv-1")}/send`, {
      body: arrival("inv-1"),
      headers: { prefer: "respond-async" },
    });
    expect(accepted.status).toBe(202);
    expect(accepted.json).toEqual({ sessionId: "inv-1", turnId: expect.any(String) });
    await pause(delay);
    await first.stop("SIGKILL");

    const second = await startHost({ dataDir });
    await until(
      () => call(second, session("inv-1")),
      ({ json }) => json.status === "awaiting_decision",
    );
    const { messages } = (await call(second, `${session("inv-1")}/messages`)).json as {
      messages: { id?: unknown[]; type?: string; kwargs?: { content?: unknown } }[];
    };
    const people = messages.filter((message) =>
      JSON.stringify(message).includes("A new invoice has arrived."),
    );
    expect(people).toHaveLength(1);
    const decided = await call(second, `${session("inv-1")}/decide`, { body: { target: "rejected" } });
    const trail = decided.json.auditTrail as { to: string }[];
    expect(trail.map(({ to }) => to)).toEqual(["intake", "checking", "approve-payment", "rejected"]);
    expect(await second.stop()).toBe(0);
    expect(deadLetters(dataDir)).toEqual([]);
  },
  60_000,
);

test("a turn killed before anything of it was stored leaves no session, and can be sent again", async () => {
  const dataDir = await temporaryFolder();
  const first = await startHost({ dataDir });
  const database = new DatabaseSync(join(dataDir, "host.db"));
  const cut = call(first, `${session("inv-1")}/send`, { body: arrival("inv-1") }).catch(() => undefined);
  while (database.prepare("SELECT 1 FROM session_records").get() === undefined) await pause(0);
  await first.stop("SIGKILL");
  await cut;
  const stored = (await filesBelow(dataDir)).filter((path) => path.includes("checkpoints"));
  database.close();

  const second = await startHost({ dataDir });
  await until(
    () => call(second, session("inv-1")),
    // A kill that came a moment too late left a checkpoint: then the turn goes on instead.
    ({ status, json }) => (stored.length === 0 ? status === 404 : json.status === "awaiting_decision"),
  );
  if (stored.length === 0) {
    const again = await call(second, `${session("inv-1")}/send`, { body: arrival("inv-1") });
    expect(again.json).toMatchObject({ kind: "parked", state: "approve-payment" });
  }
  expect(await second.stop()).toBe(0);
  expect(deadLetters(dataDir)).toEqual([]);
}, 60_000);
