import { BinaryOperatorAggregate, EmptyChannelError, Overwrite } from "@langchain/langgraph";
import fc from "fast-check";
import { expect, test } from "vitest";
import { workflowStateSchema } from "./channels.ts";
import { SessionChannel } from "./session-channel.ts";
import { desk, f1, speaking } from "./turn-fixture.ts";

type Channel = BinaryOperatorAggregate<unknown, unknown>;

/** What a call gives, or the name of the error it throws. */
function outcome(call: () => unknown): unknown {
  try {
    return { value: call() };
  } catch (error) {
    return { error: (error as Error).name };
  }
}

const readings = (channel: Channel) => ({
  get: outcome(() => channel.get()),
  checkpoint: outcome(() => channel.checkpoint()),
  available: channel.isAvailable(),
});

const sum = (held: unknown, next: unknown) => Number(held) + Number(next);
const update = fc.oneof(
  fc.integer(),
  fc.constant(null),
  fc.integer().map((n) => new Overwrite(n)),
);
const step = fc.oneof(
  fc.record({ update: fc.array(update, { maxLength: 3 }) }),
  fc.record({ restore: fc.boolean() }),
);

test("a channel answers as LangGraph's own through any updates and checkpoints", () => {
  fc.assert(
    fc.property(fc.option(fc.integer()), fc.array(step), (initial, steps) => {
      const factory = initial === null ? undefined : () => initial;
      let own: Channel = new SessionChannel(sum, factory);
      let theirs: Channel = new BinaryOperatorAggregate<unknown, unknown>(sum, factory);
      for (const taken of steps) {
        if ("update" in taken) {
          const [ours, reference] = [own, theirs].map((channel) =>
            outcome(() => channel.update(taken.update)),
          );
          expect(ours).toEqual(reference);
        } else {
          const held = taken.restore && theirs.isAvailable() ? theirs.checkpoint() : undefined;
          own = own.fromCheckpoint(held);
          theirs = theirs.fromCheckpoint(held);
        }
        expect(own).toBeInstanceOf(SessionChannel);
        expect(readings(own)).toEqual(readings(theirs));
      }
      expect(own.equals(theirs)).toBe(true);
    }),
  );
});

test("every channel of a governed agent is one, and the empty ones share their error", async () => {
  const { agent, workflow } = await desk(f1(), [speaking("ok")]);
  for (const name of Object.keys(workflowStateSchema.fields)) {
    expect([name, agent.graph.channels[name] instanceof SessionChannel]).toEqual([name, true]);
  }
  const empty = [agent.graph.channels.raised, agent.graph.channels.rejected] as unknown as Channel[];
  const [raised, rejected] = empty.map((channel) => {
    try {
      return channel.fromCheckpoint().get();
    } catch (error) {
      return error;
    }
  });
  expect(raised).toBeInstanceOf(EmptyChannelError);
  expect(rejected).toBe(raised);

  await workflow.send("s1", { message: "m" });
  const { values } = await agent.getState({ configurable: { thread_id: "s1" } });
  expect(values).toMatchObject({ status: "completed", workflowState: "intake" });
  expect(values).not.toHaveProperty("raised");
});
