/** Events of the bus through the deployed functions. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, holding, invoice, session, transcript, until } from "../support/api-client.ts";
import type { BusEvent } from "../support/aws/event-bus-server.ts";
import { type DeployedWorkspace, deployWorkspace } from "../support/deployed-workspace.ts";

const WORKFLOW = "/workflows/event-approval";

let served: DeployedWorkspace;

beforeAll(async () => {
  served = await deployWorkspace();
}, 120_000);
afterAll(() => served?.stop());

const read = (id: string) => call(served.host, session(id, WORKFLOW));

function received(id: string, eventId: string, detail: Record<string, unknown> = {}) {
  const { invoice_id: _id, ...figures } = invoice(id);
  return {
    id: eventId,
    source: "erp.invoices",
    "detail-type": "InvoiceReceived",
    detail: { id, ...figures, note: "An invoice came in by event.", ...detail },
  };
}

/** Waits until the queue has been quiet for a moment. */
async function quiet(): Promise<void> {
  const { poller, functions } = served.deployment;
  let seen = -1;
  while (seen !== poller.handled() || poller.underWay() > 0 || functions.ingest.busy().length > 0) {
    seen = poller.handled();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  }
}

test("HOST-014 an event opens the session its path names; again it is nothing; another delivers into the waiting session", async () => {
  const { host, deployment } = served;
  await deployment.services.bus.push(received("h14", "event-1"));
  const parked = await until(
    () => read("h14"),
    ({ json }) => json.status === "awaiting_decision",
  );
  expect(parked.json).toMatchObject({
    state: "approve-payment",
    variables: { invoice_id: { value: "h14" } },
  });
  const before = await transcript(host, "h14", WORKFLOW);
  expect(holding(before, "An invoice came in by event.")).toBe(1);
  const [first] = deployment.services.bus.events().filter(({ source }) => source === "erp.invoices");
  await deployment.services.bus.repeat(first as BusEvent);
  await quiet();
  expect(await transcript(host, "h14", WORKFLOW)).toEqual(before);
  await call(host, `${session("h14", WORKFLOW)}/decide`, { body: { target: "scheduled" } });
  await deployment.services.bus.push(received("h14", "event-2"));
  const paid = await until(
    () => read("h14"),
    ({ json }) => json.status === "completed",
  );
  expect(paid.json).toMatchObject({
    state: "paid",
    variables: { trigger: { value: "invoice_received" } },
  });
  expect((await call(host, `${WORKFLOW}/sessions`)).json.sessions).toHaveLength(1);
}, 60_000);

test("HOST-015 an event that lacks a required variable is put aside with its reason, and opens nothing", async () => {
  const { host, deployment } = served;
  await deployment.services.bus.push(received("h15", "event-3", { amount: undefined }));
  const letters = await until(
    async () => ({ ...(await read("h15")), json: { letters: await served.deadLetters() } }),
    ({ json }) => (json.letters as unknown[]).length > 0,
  );
  expect(letters.status).toBe(404);
  expect(letters.json.letters).toMatchObject([
    {
      reason: expect.stringContaining("amount"),
      letter: { workflow: "event-approval", trigger: "invoice_received", event: { id: expect.any(String) } },
    },
  ]);
  const sessions = (await call(host, `${WORKFLOW}/sessions`)).json.sessions as { sessionId: string }[];
  expect(sessions.map(({ sessionId }) => sessionId)).not.toContain("h15");
}, 60_000);
