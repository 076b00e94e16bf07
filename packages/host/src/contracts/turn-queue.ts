import assert from "node:assert/strict";
import type { Command } from "../ports/command.ts";
import {
  commandGroup,
  dueGroup,
  type QueueDelivery,
  type QueueMessage,
  type TurnQueue,
} from "../ports/turn-queue.ts";
import { type ContractApi, type TimedContractSubject, withSubject } from "./contract-api.ts";

const MINUTE = 60_000;

/** What was put aside: a message, or with `deadLetter` what never became one. */
export type DeadLetter =
  | { message: QueueMessage; reason: string }
  | { message?: undefined; letter: unknown; reason: string };

/** A queue under test, with a look at its dead letters. */
export interface QueueContractSubject extends TimedContractSubject<TurnQueue> {
  deadLetters(): Promise<DeadLetter[]>;
  /**
   * The consumer that holds a message dies. After it the message is delivered again, at the latest once
   * `redeliveryMs` have passed.
   */
  crash(): Promise<void>;
  redeliveryMs: number;
}

function message(sessionId: string, id: string, extra: Partial<Command> = {}): QueueMessage {
  const command = {
    kind: "reply",
    tenant: "acme",
    workflow: "desk",
    sessionId,
    turnId: `t-${id}`,
    commandId: id,
    message: "hello",
    ...extra,
  } as Command;
  return { group: commandGroup("acme", sessionId), deduplicationId: id, command };
}

async function take(queue: TurnQueue): Promise<QueueDelivery> {
  const delivery = await queue.receive();
  assert.ok(delivery, "a message is there to be delivered");
  return delivery;
}

/** What every `TurnQueue` must do. */
export function turnQueueContract(api: ContractApi, make: () => Promise<QueueContractSubject>): void {
  const test = withSubject(api, make);
  api.describe("turn queue", () => {
    test("a message comes back as it was enqueued, once it is done no more", async ({ subject, advance }) => {
      assert.equal(await subject.receive(), null);
      const sent = message("s/1 ü", "c-1");
      await subject.enqueue(sent);
      const delivery = await take(subject);
      assert.deepEqual(delivery.message, sent);
      await delivery.done();
      await advance(60 * MINUTE);
      assert.equal(await subject.receive(), null);
    });

    test("one group is delivered in order, one at a time", async ({ subject }) => {
      for (const id of ["1", "2", "3"]) await subject.enqueue(message("s", id));
      for (const id of ["1", "2", "3"]) {
        const delivery = await take(subject);
        assert.equal(delivery.message.command.commandId, id);
        assert.equal(await subject.receive(), null, "the group waits for the message in hand");
        await delivery.done();
      }
    });

    test("groups do not wait for each other", async ({ subject }) => {
      await subject.enqueue(message("a", "1"));
      await subject.enqueue(message("b", "2"));
      await subject.enqueue({ ...message("a", "3"), group: dueGroup("acme", "a") });
      const ids = [await take(subject), await take(subject), await take(subject)].map(
        (delivery) => delivery.message.command.commandId,
      );
      assert.deepEqual(ids.sort(), ["1", "2", "3"]);
    });

    test("the same deduplication id within five minutes is one message", async ({ subject, advance }) => {
      await subject.enqueue(message("s", "same"));
      await subject.enqueue(message("s", "same"));
      await (await take(subject)).done();
      await subject.enqueue(message("s", "same"));
      assert.equal(await subject.receive(), null);
      await advance(5 * MINUTE + 1000);
      await subject.enqueue(message("s", "same"));
      await (await take(subject)).done();
    });

    test("a message that waits is shown again at its time, and its group waits with it", async (made) => {
      await made.subject.enqueue(message("s", "1"));
      await made.subject.enqueue(message("s", "2"));
      const first = await take(made.subject);
      await first.retryAt(made.now() + 20_000);
      assert.equal(await made.subject.receive(), null);
      await made.advance(15_000);
      assert.equal(await made.subject.receive(), null);
      await made.advance(6_000);
      const again = await take(made.subject);
      assert.equal(again.message.command.commandId, "1");
      await again.done();
      assert.equal((await take(made.subject)).message.command.commandId, "2");
    });

    test("waiting, however often, is no failure", async (made) => {
      await made.subject.enqueue(message("s", "1"));
      for (let round = 0; round < 30; round += 1) {
        await (await take(made.subject)).retryAt(made.now() + 1000);
        await made.advance(1500);
      }
      assert.deepEqual(await made.deadLetters(), []);
      await (await take(made.subject)).done();
    });

    test("a time that has passed shows the message at once", async (made) => {
      await made.subject.enqueue(message("s", "1"));
      await (await take(made.subject)).retryAt(made.now() - 1000);
      await (await take(made.subject)).done();
    });

    test("a message whose consumer dies is delivered again", async (made) => {
      await made.subject.enqueue(message("s", "1"));
      await take(made.subject);
      await made.crash();
      await made.advance(made.redeliveryMs);
      const again = await take(made.subject);
      assert.equal(again.message.command.commandId, "1");
      await again.done();
    });

    test("a dead letter is kept with its reason, frees its group, and can be put back", async (made) => {
      await made.subject.enqueue(message("s", "1"));
      await made.subject.enqueue(message("s", "2"));
      await (await take(made.subject)).deadLetter("the model is gone");
      const letters = await made.deadLetters();
      assert.deepEqual(
        letters.map((letter) => [letter.message?.command.commandId, letter.reason]),
        [["1", "the model is gone"]],
      );
      await (await take(made.subject)).done();
      assert.equal(await made.subject.redrive(10), 1);
      assert.deepEqual(await made.deadLetters(), []);
      const back = await take(made.subject);
      assert.equal(back.message.command.commandId, "1");
      await back.done();
      assert.equal(await made.subject.redrive(10), 0);
    });

    test("what never became a command is put aside with its reason, and is no command afterwards", async (made) => {
      const letters = [{ id: "e-1", detail: { "a.b": [null, "é🙂"] } }, "no event", null];
      for (const letter of letters) await made.subject.deadLetter(letter, `cannot map ${typeof letter}`);
      const big = { detail: "é".repeat(500_000) };
      await made.subject.deadLetter(big, "too much");
      assert.equal(await made.subject.receive(), null);
      const kept = [
        ...letters.map((letter) => ({ letter, reason: `cannot map ${typeof letter}` })),
        { letter: big, reason: "too much" },
      ];
      // Letters have no order among themselves: none waits for another.
      assert.deepEqual(inOneOrder(await made.deadLetters()), inOneOrder(kept));
      await made.subject.enqueue(message("s", "1"));
      await (await take(made.subject)).deadLetter("the model is gone");
      assert.equal(await made.subject.redrive(10), 1);
      assert.equal((await made.deadLetters()).length, letters.length + 1);
      await (await take(made.subject)).done();
      assert.equal(await made.subject.receive(), null);
    });

    test("a large message is carried whole", async ({ subject }) => {
      const sent = message("s", "big", { message: "é".repeat(500_000) } as Partial<Command>);
      await subject.enqueue(sent);
      const delivery = await take(subject);
      assert.deepEqual(delivery.message, sent);
      await delivery.done();
    });
  });
}

function inOneOrder(letters: readonly unknown[]): unknown[] {
  return letters.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
}
