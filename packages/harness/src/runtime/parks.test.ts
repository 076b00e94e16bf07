import { AIMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { runtimeNoteKind } from "../messages/index.ts";
import type { PendingDecision, PendingInput } from "../sessions/shapes.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { type Answer, advance, calling, desk, f1, f2, hostTool, speaking, wait } from "./turn-fixture.ts";

/** F2, parked at review with the text "please look". */
async function atReview(more: Answer[] = []) {
  const held = await desk(f2(), [calling(advance("review")), speaking("please look"), ...more]);
  const outcome = await held.workflow.send("s1", { message: "m" });
  return { ...held, outcome };
}

/** F1, waiting in intake. */
async function waiting(more: Answer[] = [], states: Record<string, Record<string, unknown>> = {}) {
  const held = await desk(f1(states), [speaking("waiting", wait("vendor")), ...more]);
  const outcome = await held.workflow.send("s1", { message: "m" });
  return { ...held, outcome };
}

describe("parks and resumes", () => {
  test("RUN-068 a move into a human state parks after one more call", async () => {
    const { outcome, model } = await atReview();
    expect(outcome).toMatchObject({
      kind: "parked",
      parkedChannel: "decision",
      state: "review",
      reply: "please look",
    });
    const pending = outcome.pending as PendingDecision;
    expect(pending.seq).toBe(1);
    expect(pending.transitions).toEqual([
      { to: "sent", type: "approve", description: "a" },
      { to: "draft", type: "refine", description: "b" },
    ]);
    expect(model.requests).toHaveLength(2);
    expect(outcome.exit).toBeUndefined();
  });

  test("RUN-069 a tool call in the hand-over is refused, and the session parks without a second call", async () => {
    const held = await desk(
      f2({ review: { tools: { allow: ["t"] } } }),
      [calling(advance("review")), calling(["t", {}])],
      { tools: [hostTool("t")] },
    );
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome).toMatchObject({ kind: "parked", state: "review" });
    expect(held.model.requests).toHaveLength(2);
    expect(held.of("tool-blocked").map((event) => event.tool)).toEqual(["t"]);
    expect(held.of("tool-blocked")[0]?.reason).toContain("parked");
  });

  test("RUN-070 a decision moves the session on and is noted", async () => {
    const { workflow, of } = await atReview([speaking("done")]);
    const decided = await workflow.decide("s1", { target: "sent", comment: "fine" });
    expect(decided).toMatchObject({
      status: "completed",
      reparked: false,
      reply: "done",
      workflowState: "sent",
    });
    const note = decided.messages.find(
      (message) => runtimeNoteKind(message) === "decision" && message.getType() === "tool",
    );
    expect(note?.content).toContain("approve → 'sent'");
    expect(note?.content).toContain("fine");
    expect(decided.auditTrail.at(-1)).toMatchObject({ kind: "human", to: "sent", reason: "fine" });
    expect(of("decided")).toEqual([expect.objectContaining({ state: "review", to: "sent" })]);
  });

  test("RUN-071 a decision back and a second hand-over take the next seq", async () => {
    const { workflow } = await atReview([calling(advance("review")), speaking("again")]);
    const again = await workflow.send("s1", { decision: { target: "draft" } });
    expect(again).toMatchObject({ kind: "parked", disposition: "decide", reply: "again" });
    expect((again.pending as PendingDecision).seq).toBe(2);
  });

  test("RUN-072 a decision for no edge is refused and the record stays", async () => {
    const { workflow, agent, outcome } = await atReview();
    for (const target of ["review", "x"]) {
      await expect(workflow.decide("s1", { target })).rejects.toMatchObject({
        name: "InvalidDecisionTargetError",
        validTargets: ["sent", "draft"],
      });
    }
    const state = await agent.getState({ configurable: { thread_id: "s1" } });
    expect(state.values.pendingDecision).toEqual(outcome.pending);
  });

  test("RUN-073 a reply parks again on the identical record", async () => {
    const { workflow, outcome, of, agent } = await atReview([speaking("none")]);
    const answered = await workflow.reply("s1", "news?");
    expect(answered).toMatchObject({
      reparked: true,
      parkedChannel: "decision",
      reply: "none",
      state: "review",
    });
    const state = await agent.getState({ configurable: { thread_id: "s1" } });
    expect(state.values.pendingDecision).toEqual(outcome.pending);
    expect(answered.auditTrail).toEqual(outcome.auditTrail);
    const said = of("park-message").map(({ direction, text }) => [direction, text]);
    expect(said).toEqual([
      ["outbound", "please look"],
      ["inbound", "news?"],
      ["outbound", "none"],
    ]);
  });

  test("RUN-074 a message to a held session is a reply; blank and delivered ones are refused", async () => {
    const { workflow } = await atReview([speaking("hello")]);
    expect(await workflow.send("s1", { message: "hi" })).toMatchObject({
      disposition: "reply",
      kind: "parked",
    });
    await expect(workflow.reply("s1", "")).rejects.toMatchObject({ name: "EmptyMessageError" });
    await expect(workflow.deliver("s1", { trigger: { id: "manual" } })).rejects.toMatchObject({
      name: "SessionNotAwaitingInputError",
    });
  });

  test("RUN-075 a wait with a duration resumes at an instant, and text beside it is the hand-over", async () => {
    const silent = await desk(f1(), [calling(wait("vendor", "2h")), speaking("waiting")]);
    const outcome = await silent.workflow.send("s1", { message: "m" });
    const pending = outcome.pending as PendingInput;
    expect(outcome).toMatchObject({ kind: "parked", parkedChannel: "input", reply: "waiting" });
    expect(Date.parse(pending.resumeAt ?? "") - Date.parse(pending.parkedAt)).toBe(7_200_000);
    expect(silent.model.requests).toHaveLength(2);
    const said = await desk(f1(), [speaking("waiting", wait("vendor", "2h"))]);
    expect(await said.workflow.send("s1", { message: "m" })).toMatchObject({
      kind: "parked",
      reply: "waiting",
    });
    expect(said.model.requests).toHaveLength(1);
  });

  test("RUN-076 an unreadable until is refused naming both forms", async () => {
    for (const until of ["1w", "", "0m", "soon"]) {
      const held = await desk(f1(), [calling(wait("vendor", until)), speaking("ok")]);
      const outcome = await held.workflow.send("s1", { message: "m" });
      expect(outcome.kind).toBe("completed");
      const answer = outcome.messages.find((message) => message.getType() === "tool");
      expect(answer?.content).toContain("2h");
      expect(answer?.content).toContain("ISO 8601");
    }
  });

  test("RUN-077 a delivery wakes the session with a note and the person's message", async () => {
    const { workflow } = await waiting([speaking("ok")]);
    const woken = await workflow.deliver("s1", {
      trigger: { id: "mail" },
      variables: { b: "x" },
      message: "hello",
    });
    expect(woken).toMatchObject({ status: "completed", reply: "ok" });
    const types = woken.messages.map((message) => [message.getType(), runtimeNoteKind(message)]);
    expect(types.slice(-4)).toEqual([
      ["ai", "event"],
      ["tool", "event"],
      ["human", undefined],
      ["ai", undefined],
    ]);
    const note = woken.messages.at(-3);
    expect(note?.content).toContain("[event]");
    expect(note?.content).toContain('b = "x"');
    expect(woken.messages.at(-2)?.content).toBe("hello");
    expect(woken.variables.b).toEqual({ value: "x", locked: true });
    expect(woken.variables.trigger).toEqual({ value: "mail", locked: true });
    expect(woken.auditTrail.at(-1)).toMatchObject({ kind: "trigger", reason: "mail" });
  });

  test("RUN-078 deliveries that cannot be taken are refused by type, and nothing is appended", async () => {
    const { workflow, agent } = await waiting([speaking("ok")]);
    const count = await agent.sessions.messageCount("s1");
    await expect(workflow.deliver("s1", { trigger: { id: " " } })).rejects.toMatchObject({
      name: "MissingDeliveryTriggerError",
    });
    await expect(
      workflow.deliver("s1", { trigger: { id: "mail" }, variables: { "B-1": 1 } }),
    ).rejects.toMatchObject({ name: "InvalidVariableNameError" });
    expect(await agent.sessions.messageCount("s1")).toBe(count);
    await workflow.deliver("s1", { trigger: { id: "mail" } });
    const finished = await agent.sessions.messageCount("s1");
    await expect(workflow.deliver("s1", { trigger: { id: "mail" } })).rejects.toMatchObject({
      name: "SessionNotAwaitingInputError",
    });
    expect(await agent.sessions.messageCount("s1")).toBe(finished);
  });

  test("RUN-079 a waiting session takes no reply, and a message to it is a delivery", async () => {
    const { workflow } = await waiting([speaking("ok")]);
    await expect(workflow.reply("s1", "hi")).rejects.toMatchObject({ name: "SessionNotParkedError" });
    const outcome = await workflow.send("s1", { message: "m" });
    expect(outcome).toMatchObject({ disposition: "deliver", kind: "completed" });
    expect(outcome.variables.trigger).toEqual({ value: "manual", locked: true });
  });

  test("RUN-080 a state's waits are spent per turn", async () => {
    const { workflow } = await waiting(
      [speaking("again", wait("vendor")), speaking("gave up"), speaking("ok", wait("vendor"))],
      { intake: { budget: { maxParks: 1 } } },
    );
    const second = await workflow.deliver("s1", { trigger: { id: "mail" } });
    expect(second.status).toBe("rejected");
    expect(second.rejected).toContain("maxParks: 1");
    expect(await workflow.send("s1", { message: "next" })).toMatchObject({ kind: "parked" });
  });

  test("RUN-081 another process decides a parked session", async () => {
    const store = createMemorySessionStore();
    const first = await desk(f2(), [calling(advance("review")), speaking("look")], {}, store);
    await first.workflow.send("s1", { message: "m" });
    const second = await desk(f2(), [speaking("done")], {}, store);
    expect(await second.workflow.decide("s1", { target: "sent" })).toMatchObject({ status: "completed" });
  });

  test("RUN-082 a failure routed to a human state parks after one call", async () => {
    const held = await desk(
      f2({ draft: { budget: { maxTurns: 1 }, on_error: "review", tools: { allow: ["t"] } } }),
      [calling(["t", {}]), speaking("please look")],
      { tools: [hostTool("t")] },
    );
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome).toMatchObject({ kind: "parked", parkedChannel: "decision", state: "review" });
    expect(held.model.requests).toHaveLength(2);
    const note = outcome.messages.find(
      (message) => runtimeNoteKind(message) === "error" && message.getType() === "tool",
    );
    expect(note?.content).toContain("[error]");
    expect(note?.content).toContain("draft");
  });

  test("RUN-109 a parked status without an interrupt is no park", async () => {
    const { agent, workflow } = await desk(f2(), []);
    await agent.updateState(
      { configurable: { thread_id: "s1" } },
      {
        messages: [new AIMessage("x")],
        status: "awaiting_decision",
        workflowState: "review",
        pendingDecision: { state: "review", seq: 1, createdAt: new Date(0).toISOString(), transitions: [] },
      },
    );
    await expect(workflow.decide("s1", { target: "sent" })).rejects.toMatchObject({
      name: "SessionNotParkedError",
    });
  });

  test("RUN-112 the opening trigger's returns bind after a delivery", async () => {
    const held = await desk(f1({ intake: { triggers: { manual: { returns: ["total"] } } } }), [
      speaking("w", wait("vendor")),
      speaking("done"),
      speaking("done"),
    ]);
    await held.workflow.send("s1", { message: "m" });
    const outcome = await held.workflow.deliver("s1", { trigger: { id: "mail" } });
    const notes = outcome.messages.filter((m) => runtimeNoteKind(m) === "after" && m.getType() === "tool");
    expect(notes).toHaveLength(1);
    expect(notes[0]?.content).toContain("total");
    expect(outcome.status).toBe("rejected");
    expect(outcome.rejected).toContain("total");
  });

  test("RUN-037 evidence follows the state's own, canonical and without repeats", async () => {
    const held = await desk(f2(), [
      calling(advance("review", { evidence: ["/scratchpad/b.md", "scratchpad/d.md"] })),
      speaking("look"),
    ]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect((outcome.pending as PendingDecision).evidence).toEqual(["scratchpad/d.md", "scratchpad/b.md"]);
  });

  test("RUN-036 evidence that is too much or out of reach is refused", async () => {
    const many = Array.from({ length: 21 }, (_, index) => `scratchpad/${index}`);
    for (const evidence of [many, ["../x"], ["checkpoints/y"]]) {
      const held = await desk(f2(), [calling(advance("review", { evidence })), speaking("ok")]);
      expect(await held.workflow.send("s1", { message: "m" })).toMatchObject({
        kind: "completed",
        state: "draft",
      });
    }
  });
});

describe("a resume whose turn dies", () => {
  test("RUN-081 an accepted decision stands: another is refused, and the session goes on from it", async () => {
    const store = createMemorySessionStore();
    const first = await desk(f2(), [calling(advance("review")), speaking("look")], {}, store);
    await first.workflow.send("s1", { message: "m" });
    const dying = await desk(
      f2(),
      [
        () => {
          throw new Error("killed");
        },
      ],
      {},
      store,
    );
    await expect(dying.workflow.decide("s1", { target: "sent", comment: "fine" })).rejects.toThrow("killed");
    const after = await desk(f2(), [speaking("done")], {}, store);
    await expect(after.workflow.decide("s1", { target: "draft" })).rejects.toMatchObject({
      name: "SessionNotParkedError",
    });
    const state = await after.agent.invoke(null, { configurable: { thread_id: "s1" } });
    expect(state).toMatchObject({ status: "completed", workflowState: "sent" });
    expect((state.auditTrail as { kind: string }[]).map((step) => step.kind)).toEqual([
      "trigger",
      "agent",
      "human",
    ]);
  });
});
