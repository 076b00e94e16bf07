import assert from "node:assert/strict";
import type { EventPublisher } from "../ports/event-publisher.ts";
import type { OutEvent } from "../ports/session-record.ts";
import { type ContractApi, type ContractSubject, withSubject } from "./contract-api.ts";

/** A publisher under test, with the receiving end of its bus. */
export interface PublisherContractSubject extends ContractSubject<EventPublisher> {
  /** What has arrived, in order. */
  received(): Promise<OutEvent[]>;
  /** Takes the bus down, or up again. */
  setDown(down: boolean): Promise<void>;
}

/** What every `EventPublisher` must do. */
export function eventPublisherContract(
  api: ContractApi,
  make: () => Promise<PublisherContractSubject>,
): void {
  const test = withSubject(api, make);
  const event = (ordinal: number): OutEvent => ({
    id: `turn-${ordinal}`,
    type: "SessionParked",
    time: "2026-01-01T00:00:00.000Z",
    detail: { tenant: "acme", workflow: "desk", sessionId: "s/1 ü", state: "wait", title: "A „title“" },
  });
  api.describe("event publisher", () => {
    test("events arrive as they are, in order", async ({ subject, received }) => {
      await subject.publish([]);
      const events = Array.from({ length: 25 }, (_, index) => event(index));
      await subject.publish(events);
      assert.deepEqual(await received(), events);
    });

    test("a bus that is down is told by a rejection, and the same events can be published later", async (made) => {
      await made.setDown(true);
      await assert.rejects(made.subject.publish([event(1)]));
      await made.setDown(false);
      await made.subject.publish([event(1)]);
      const ids = new Set((await made.received()).map((one) => one.id));
      assert.deepEqual([...ids], ["turn-1"]);
    });
  });
}
