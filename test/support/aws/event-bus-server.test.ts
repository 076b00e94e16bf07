import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from "@aws-sdk/client-eventbridge";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BusEvent, type EventBusServer, startEventBusServer } from "./event-bus-server.ts";

let bus: EventBusServer;
let client: EventBridgeClient;

beforeEach(async () => {
  bus = await startEventBusServer({ busName: "stack", now: () => Date.UTC(2026, 0, 1) });
  client = new EventBridgeClient({
    endpoint: bus.url,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    maxAttempts: 1,
  });
});
afterEach(async () => {
  client.destroy();
  await bus.close();
});

const entry = (part: Partial<PutEventsRequestEntry> = {}): PutEventsRequestEntry => ({
  EventBusName: "stack",
  Source: "archmax",
  DetailType: "SessionParked",
  Detail: '{"a":1}',
  Time: new Date("2026-01-01T00:00:00.900Z"),
  ...part,
});

const put = (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }));

test("an event is taken as it is, to the second, and heard in order", async () => {
  const heard: BusEvent[] = [];
  bus.subscribe((event) => {
    heard.push(event);
  });
  await put(entry(), entry({ Detail: '{"ErrorCode":"no error of the bus"}' }));
  bus.push({ source: "erp.invoices", "detail-type": "InvoiceReceived", detail: { id: "inv-7" } });
  await bus.settled();
  expect(heard).toEqual(bus.events());
  expect(heard.map(({ source, detail, time }) => [source, detail, time])).toEqual([
    ["archmax", { a: 1 }, "2026-01-01T00:00:00Z"],
    ["archmax", { ErrorCode: "no error of the bus" }, "2026-01-01T00:00:00Z"],
    ["erp.invoices", { id: "inv-7" }, "2026-01-01T00:00:00Z"],
  ]);
});

test("a listener that fails is given the event again, before any later one", async () => {
  const heard: unknown[] = [];
  bus.subscribe(async ({ detail }) => {
    heard.push(detail.n);
    if (heard.length === 1) throw new Error("not now");
  });
  for (const n of [1, 2]) bus.push({ source: "s", "detail-type": "t", detail: { n } });
  await bus.settled();
  expect(heard).toEqual([1, 1, 2]);
});

test("what is wrong with an entry is answered for that entry alone", async () => {
  const { DetailType: _none, ...untyped } = entry();
  bus.refuse(({ Source }) =>
    Source === "busy" ? { ErrorCode: "ThrottlingException", ErrorMessage: "Slow down." } : undefined,
  );
  const answer = await put(
    entry(),
    untyped,
    entry({ Detail: "[1]" }),
    entry({ EventBusName: "other" }),
    entry({ Source: "busy" }),
  );
  expect(answer.FailedEntryCount).toBe(4);
  expect(answer.Entries?.map(({ EventId, ErrorCode }) => ErrorCode ?? typeof EventId)).toEqual([
    "string",
    "InvalidArgument",
    "MalformedDetail",
    "ResourceNotFoundException",
    "ThrottlingException",
  ]);
  expect(bus.events()).toHaveLength(1);
});

test("eleven entries, or more than 256 KB, are refused whole; a bus that is down refuses all", async () => {
  const refused = { name: "ValidationException" };
  await expect(put(...Array.from({ length: 11 }, () => entry()))).rejects.toMatchObject(refused);
  const large = entry({ Detail: JSON.stringify({ text: "é".repeat(66_000) }) });
  await expect(put(large, large)).rejects.toMatchObject(refused);
  await expect(put(large)).resolves.toMatchObject({ FailedEntryCount: 0 });
  bus.setDown(true);
  await expect(put(entry())).rejects.toMatchObject({ $metadata: { httpStatusCode: 503 } });
  expect(bus.events()).toHaveLength(1);
});
