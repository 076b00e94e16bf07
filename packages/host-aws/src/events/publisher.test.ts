import type { OutEvent } from "@archmax-ai/host";
import { eventPublisherContract } from "@archmax-ai/host/contracts";
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { afterEach, describe, expect, test } from "vitest";
import type { BusEvent } from "../../../../test/support/aws/event-bus-server.ts";
import { seeded } from "../../../checkpoint-dynamodb/src/testing-fixtures/prose.ts";
import { disturb, refuse } from "../testing-fixtures/disturbances.ts";
import { startTestBus, type TestBus } from "../testing-fixtures/event-bus.ts";
import { loseFirstAnswer } from "../testing-fixtures/lost-answer.ts";
import { ON_MOTO } from "../testing-fixtures/sqs-server.ts";
import { EventsUnpublishedError } from "./errors.ts";
import { createEventBridgePublisher } from "./publisher.ts";

const PATIENT = { retryStrategy: new ConfiguredRetryStrategy(12, () => 2) };
const buses: TestBus[] = [];
const newBus = async () => {
  const bus = await startTestBus();
  buses.push(bus);
  return bus;
};
afterEach(async () => {
  for (const bus of buses.splice(0)) await bus.close();
});

/** The event as the host knows it; its id travels in the detail. */
function outEventOf({ "detail-type": type, time, detail }: BusEvent): OutEvent {
  const { id, ...rest } = detail as { id: string };
  return { id, type, time: time.replace("Z", ".000Z"), detail: rest } as OutEvent;
}

const events = (count: number, title = "t") =>
  Array.from(
    { length: count },
    (_, at): OutEvent => ({
      id: `turn-${at}`,
      type: "SessionParked",
      time: "2026-01-01T00:00:00.000Z",
      detail: { tenant: "acme", workflow: "desk", sessionId: "s/1 ü", title },
    }),
  );

/** A publisher that waits without waiting, and what it waited. */
function publisherOf(bus: TestBus, client = bus.newClient()) {
  const waits: number[] = [];
  const publisher = createEventBridgePublisher({
    client,
    busName: bus.busName,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
    },
  });
  return { publisher, waits };
}

eventPublisherContract({ describe, test }, async () => {
  const bus = await newBus();
  const client = bus.newClient({ maxAttempts: 1 });
  let isDown = false;
  refuse(client, "PutEventsCommand", () => isDown);
  return {
    subject: publisherOf(bus, client).publisher,
    received: async () => (await bus.received()).map(outEventOf),
    async setDown(value) {
      isDown = value;
    },
  };
});

test("an event arrives with source, type, time and its id in the detail", async () => {
  const bus = await newBus();
  await publisherOf(bus).publisher.publish(events(1));
  expect(await bus.received()).toMatchObject([
    {
      source: "archmax",
      "detail-type": "SessionParked",
      time: "2026-01-01T00:00:00Z",
      detail: { id: "turn-0", tenant: "acme", workflow: "desk", sessionId: "s/1 ü", title: "t" },
    },
  ]);
});

test("a request holds ten events, and 256 KB", async () => {
  const bus = await newBus();
  const client = bus.newClient();
  const sizes: number[] = [];
  client.middlewareStack.add(
    (next) => (args) => {
      sizes.push((args.input as { Entries: object[] }).Entries.length);
      return next(args);
    },
    { step: "initialize", name: "count" },
  );
  const { publisher } = publisherOf(bus, client);
  await publisher.publish(events(21));
  await publisher.publish(events(7, "é".repeat(30_000)));
  expect(sizes).toEqual([10, 10, 1, 4, 3]);
  expect(await bus.received()).toHaveLength(28);
});

describe.skipIf(ON_MOTO)("on a bus that refuses", () => {
  test("refused entries alone are sent again, and before the next batch", async () => {
    const bus = await newBus();
    const refusals = new Map<string, number>();
    bus.stand?.refuse(({ Detail = "" }) => {
      const { id } = JSON.parse(Detail);
      const times = refusals.get(id) ?? 0;
      if (!["turn-3", "turn-7"].includes(id) || times === 2) return undefined;
      refusals.set(id, times + 1);
      return { ErrorCode: "ThrottlingException", ErrorMessage: "Rate exceeded" };
    });
    const { publisher, waits } = publisherOf(bus);
    await publisher.publish(events(12));
    expect((await bus.received()).map(({ detail }) => detail.id)).toEqual(
      [0, 1, 2, 4, 5, 6, 8, 9, 3, 7, 10, 11].map((at) => `turn-${at}`),
    );
    expect(waits).toEqual([100, 200]);
  });

  test("what is refused to the end is named with its code; later batches are not sent", async () => {
    const bus = await newBus();
    bus.stand?.refuse(({ Detail = "" }) =>
      JSON.parse(Detail).id === "turn-3"
        ? { ErrorCode: "InternalFailure", ErrorMessage: "Something" }
        : undefined,
    );
    const { publisher, waits } = publisherOf(bus);
    await expect(publisher.publish(events(12))).rejects.toMatchObject({
      name: "EventsUnpublishedError",
      message: `The bus "${bus.busName}" did not take 1 events: InternalFailure`,
      busName: bus.busName,
      unpublished: [{ id: "turn-3", code: "InternalFailure" }],
    });
    expect(waits).toEqual([100, 200, 400, 800]);
    expect(await bus.received()).toHaveLength(9);
  });

  test("HOST-022 a bus that is down is told with its cause, and takes the same events later", async () => {
    const bus = await newBus();
    bus.stand?.setDown(true);
    const { publisher } = publisherOf(bus, bus.newClient(PATIENT));
    const error = await publisher.publish(events(2)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EventsUnpublishedError);
    expect(error).toMatchObject({
      unpublished: [
        { id: "turn-0", code: "ServiceUnavailable" },
        { id: "turn-1", code: "ServiceUnavailable" },
      ],
      cause: { $metadata: { httpStatusCode: 503 } },
    });
    bus.stand?.setDown(false);
    await publisher.publish(events(2));
    expect((await bus.received()).map(({ detail }) => detail.id)).toEqual(["turn-0", "turn-1"]);
  });
});

test("a fifth of all requests disturbed: every event arrives, a repeat with the same id", async () => {
  const bus = await newBus();
  const client = bus.newClient(PATIENT);
  disturb(client, seeded(13), 0.2);
  await publisherOf(bus, client).publisher.publish(events(200));
  const ids = (await bus.received()).map(({ detail }) => detail.id);
  expect([...new Set(ids)]).toEqual(events(200).map(({ id }) => id));
});

test("a publication whose answer was lost is repeated with the same ids", async () => {
  const bus = await newBus();
  const client = bus.newClient(PATIENT);
  loseFirstAnswer(client, "PutEventsCommand");
  await publisherOf(bus, client).publisher.publish(events(2));
  expect((await bus.received()).map(({ detail }) => detail.id)).toEqual([
    "turn-0",
    "turn-1",
    "turn-0",
    "turn-1",
  ]);
});
