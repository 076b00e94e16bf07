/** One queue serves all tenants. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { arrival, call, session } from "../support/api-client.ts";
import { type ServedWorkspace, serveWorkspace } from "../support/served-workspace.ts";

let served: ServedWorkspace;
beforeAll(async () => {
  served = await serveWorkspace(0);
}, 60_000);
afterAll(async () => {
  await served?.stop();
});

test("HOST-006 two tenants that choose the same idempotency key both have their command carried out", async () => {
  const callers = [served.host, served.stranger];
  for (const caller of callers) {
    const accepted = await call(caller, `${session("inv-1")}/send`, {
      body: arrival("inv-1"),
      headers: { prefer: "respond-async", "idempotency-key": "1" },
    });
    expect(accepted.status).toBe(202);
  }
  for (const caller of callers) {
    await expect
      .poll(async () => (await call(caller, session("inv-1"))).json.status, { timeout: 15_000 })
      .toBe("awaiting_decision");
  }
});
