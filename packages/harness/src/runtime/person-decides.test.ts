/** A human state is left by a person's decision alone, whatever the agent combines in one message (spec 03 §8). */
import { describe, expect, test } from "vitest";
import type { PendingDecision, PendingInput } from "../sessions/shapes.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { standInOf } from "./stand-in.ts";
import { advance, calling, desk, f1, f2, speaking, wait } from "./turn-fixture.ts";

const reset: [string, Record<string, unknown>] = ["archmax_reset", { reason: "r" }];
const config = { configurable: { thread_id: "s1" } };
const texts = ["", "please look"];
const refusals = (messages: { getType(): string; content: unknown }[]) =>
  messages.filter((message) => message.getType() === "tool").map((message) => String(message.content));

describe("a wait beside a move", () => {
  test.each(texts)("RUN-068 into a human state is refused, and a person decides (text %j)", async (text) => {
    const moving = advance("review", { evidence: ["scratchpad/z.md"] });
    const held = await desk(f2(), [
      speaking(text, moving, wait("v", "1m")),
      speaking("look"),
      speaking("done"),
    ]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome).toMatchObject({
      kind: "parked",
      status: "awaiting_decision",
      state: "review",
      reply: "look",
    });
    expect(outcome.pending).toMatchObject({ seq: 1, evidence: ["scratchpad/d.md", "scratchpad/z.md"] });
    expect(refusals(outcome.messages)[1]).toMatch(/^archmax_wait: .*"review"/);
    expect(held.of("parked")).toEqual([expect.objectContaining({ state: "review", awaiting: "decision" })]);
    await expect(held.workflow.deliver("s1", { trigger: { id: "timer" } })).rejects.toMatchObject({
      name: "SessionNotAwaitingInputError",
    });
    const decided = await held.workflow.decide("s1", { target: "sent" });
    expect(decided.auditTrail.map(({ kind, to }) => [kind, to])).toEqual([
      ["trigger", "draft"],
      ["agent", "review"],
      ["human", "sent"],
    ]);
  });

  test.each(texts)("RUN-068 the wait before the move: the person's park stands (text %j)", async (text) => {
    const held = await desk(f2(), [speaking(text, wait("v", "1m"), advance("review")), speaking("look")]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome).toMatchObject({ kind: "parked", status: "awaiting_decision", state: "review" });
    expect((outcome.pending as PendingDecision).transitions).toHaveLength(2);
    expect(await held.agent.sessions.get("s1")).toMatchObject({
      state: "review",
      status: "awaiting_decision",
    });
    expect((await held.agent.getState(config)).values.pendingInput ?? null).toBeNull();
    await expect(held.workflow.deliver("s1", { trigger: { id: "timer" } })).rejects.toMatchObject({
      name: "SessionNotAwaitingInputError",
    });
  });

  const orders = [
    ["the wait first", [wait("v", "1h"), advance("work")]],
    ["the move first", [advance("work"), wait("v", "1h")]],
  ] as const;
  test.each(orders)("RUN-075 into an agent state waits there, and wakes there: %s", async (_order, calls) => {
    for (const text of texts) {
      const held = await desk(f1({ work: { title: "The work" } }), [
        speaking(text, ...calls),
        ...(text === "" ? [speaking("waiting")] : []),
        speaking("on"),
      ]);
      const outcome = await held.workflow.send("s1", { message: "m" });
      expect(outcome).toMatchObject({ kind: "parked", status: "awaiting_input", state: "work" });
      expect(outcome.pending as PendingInput).toMatchObject({
        state: "work",
        title: "The work",
        reason: "v",
      });
      expect(await held.agent.sessions.get("s1")).toMatchObject({ state: "work", workflowState: "work" });
      const woken = await held.workflow.deliver("s1", { trigger: { id: "timer" } });
      expect(woken).toMatchObject({ status: "completed", state: "work", reply: "on" });
      expect(held.of("delivered")).toEqual([expect.objectContaining({ state: "work", to: "work" })]);
    }
  });

  test("RUN-038 beside a reset waits in the entry", async () => {
    const held = await desk(f1(), [
      calling(advance("work")),
      speaking("t", wait("v"), reset),
      speaking("on"),
    ]);
    expect(await held.workflow.send("s1", { message: "m" })).toMatchObject({
      kind: "parked",
      state: "intake",
    });
    expect(await held.workflow.deliver("s1", { trigger: { id: "e" } })).toMatchObject({ state: "intake" });
  });
});

describe("a human state the session comes to without being sent there", () => {
  /** F2 that starts with the person. */
  const startingHuman = () => {
    const spec = f2({ review: { triggers: { manual: null } } });
    const { triggers: _none, ...draft } = spec.states.draft as Record<string, unknown>;
    return { ...spec, states: { ...spec.states, draft } };
  };

  test.each([
    ["alone", [reset]],
    ["after a wait", [wait("v"), reset]],
    ["before a wait", [reset, wait("v")]],
  ] as const)("RUN-038 a reset into it, %s, presents it again", async (_how, calls) => {
    const held = await desk(startingHuman(), [
      speaking("first"),
      calling(...calls),
      speaking("look again"),
      speaking("done"),
    ]);
    expect(await held.workflow.send("s1", { message: "m" })).toMatchObject({
      kind: "parked",
      state: "review",
    });
    const again = await held.workflow.send("s1", { decision: { target: "draft" } });
    expect(again).toMatchObject({
      kind: "parked",
      parkedChannel: "decision",
      state: "review",
      reply: "look again",
    });
    expect((again.pending as PendingDecision).seq).toBe(2);
    expect(held.model.requests).toHaveLength(3);
    expect(again.messages.filter((message) => standInOf(message) !== undefined)).toEqual([]);
    const decided = await held.workflow.decide("s1", { target: "sent" });
    expect(decided.auditTrail.map(({ kind }) => kind)).toEqual(["trigger", "human", "reset", "human"]);
  });

  test("RUN-107 a waiting session whose state became a person's is presented when it wakes", async () => {
    const store = createMemorySessionStore();
    const before = await desk(f2(), [speaking("waiting", wait("v"))], {}, store);
    await before.workflow.send("s1", { message: "m" });
    const draft = { type: "human", instructions: "Decide." };
    const after = await desk(f2({ draft }), [speaking("look")], {}, store);
    const woken = await after.workflow.deliver("s1", { trigger: { id: "timer" } });
    expect(woken).toMatchObject({
      status: "awaiting_decision",
      state: "draft",
      reparked: true,
      reply: "look",
    });
    expect(after.of("parked")).toEqual([expect.objectContaining({ state: "draft", awaiting: "decision" })]);
  });
});
