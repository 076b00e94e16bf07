import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { Workspace } from "../workspace/workspace.ts";
import { advance, calling, desk, f1, f2, set, speaking, wait } from "./turn-fixture.ts";

const inManual = (declaration: Record<string, unknown>) =>
  f1({ intake: { triggers: { manual: declaration } } });

describe("the turn boundary", () => {
  test("RUN-001 a turn that moves and speaks completes", async () => {
    const { workflow } = await desk(f1(), [calling(advance("done")), speaking("bye")]);
    const outcome = await workflow.send("s1", { message: "m" });
    expect(outcome).toMatchObject({
      kind: "completed",
      status: "completed",
      exit: { success: true },
      reply: "bye",
      state: "done",
      disposition: "turn",
    });
    expect(outcome.auditTrail.map((step) => step.kind)).toEqual(["trigger", "agent"]);
  });

  test("RUN-002 an unknown trigger is refused before anything is written", async () => {
    const { workflow, agent } = await desk(f1(), []);
    await expect(workflow.send("s1", { message: "m", trigger: { id: "nope" } })).rejects.toMatchObject({
      name: "UnknownTriggerError",
      triggerId: "nope",
      available: ["manual"],
    });
    expect(await agent.sessions.get("s1")).toBeNull();
  });

  test("RUN-003 a disabled workflow refuses send, and rejects a raw invoke without a model call", async () => {
    const { workflow, agent, model, of } = await desk(f1({}, { disabled: true }), []);
    await expect(workflow.send("s1", { message: "m" })).rejects.toMatchObject({
      name: "WorkflowDisabledError",
    });
    expect(await agent.sessions.get("s1")).toBeNull();
    const state = await agent.invoke({ messages: "m" }, { configurable: { thread_id: "s1" } });
    expect(state.status).toBe("rejected");
    expect(of("warning").map((event) => event.scope)).toContain("workflow");
    expect(model.requests).toHaveLength(0);
  });

  test("RUN-004 an unmet requires rejects the turn before any state is entered", async () => {
    const { workflow, model, types } = await desk(inManual({ requires: ["order_id"] }), []);
    const outcome = await workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("rejected");
    expect(outcome.rejected).toContain("manual");
    expect(outcome.rejected).toContain("order_id");
    expect(types()).not.toContain("state-enter");
    expect(model.requests).toHaveLength(0);
  });

  test("RUN-005 a value of another type rejects the turn, naming type, kind and value", async () => {
    const { workflow } = await desk(inManual({ requires: [{ name: "qty", type: "integer" }] }), [
      speaking("ok"),
    ]);
    const wrong = await workflow.send("s1", { message: "m", variables: { qty: "4" } });
    expect(wrong.kind).toBe("rejected");
    for (const token of ["integer", "string", '"4"']) expect(wrong.rejected).toContain(token);
    const right = await workflow.send("s2", { message: "m", variables: { qty: 4 } });
    expect(right.kind).toBe("completed");
  });

  test("RUN-006 a typed entry refuses null, an untyped one takes it", async () => {
    const typed = await desk(inManual({ requires: [{ name: "qty", type: "integer" }] }), []);
    expect((await typed.workflow.send("s1", { message: "m", variables: { qty: null } })).kind).toBe(
      "rejected",
    );
    const untyped = await desk(inManual({ requires: ["qty"] }), [speaking("ok")]);
    expect((await untyped.workflow.send("s1", { message: "m", variables: { qty: null } })).kind).toBe(
      "completed",
    );
  });

  test("RUN-007 a value left by an earlier turn does not satisfy the signature", async () => {
    const { workflow } = await desk(inManual({ requires: ["order_id"] }), [speaking("ok")]);
    expect((await workflow.send("s1", { message: "m", variables: { order_id: 1 } })).kind).toBe("completed");
    const second = await workflow.send("s1", { message: "n" });
    expect(second.kind).toBe("rejected");
    expect(second.variables.order_id).toEqual({ value: 1, locked: true });
  });

  test("RUN-008 a second turn opens where the first ended", async () => {
    const { workflow, events, types } = await desk(f1(), [
      calling(advance("work")),
      speaking("ok"),
      speaking("again"),
    ]);
    await workflow.send("s1", { message: "m" });
    const before = events.length;
    await workflow.send("s1", { message: "n" });
    const opening = events.slice(before).find((event) => event.type === "advance");
    expect(opening).toMatchObject({ from: "__start__", to: "work" });
    expect(opening).not.toHaveProperty("callId");
    expect(types()).not.toContain("workflow-reset");
  });

  test("RUN-009 a turn's variables are locked", async () => {
    const { workflow } = await desk(f1(), [calling(set({ a: 2 })), speaking("ok")]);
    const outcome = await workflow.send("s1", { message: "m", variables: { a: 1 } });
    const refusal = outcome.messages.find((message) => message.getType() === "tool");
    expect(refusal?.content).toContain("1");
    expect(outcome.variables.a).toEqual({ value: 1, locked: true });
  });

  test("RUN-010 an empty message is refused", async () => {
    const { workflow, agent } = await desk(f1(), []);
    await expect(workflow.send("s1", { message: "  " })).rejects.toMatchObject({ name: "EmptyMessageError" });
    expect(await agent.sessions.get("s1")).toBeNull();
  });

  test("RUN-011 a seeded title is trimmed, unlocked and loses to a held one", async () => {
    const { workflow, of } = await desk(f1(), [speaking("ok"), speaking("ok")]);
    const first = await workflow.send("s1", { message: "m", variables: { title: " Refund " } });
    expect(first.variables.title).toEqual({ value: "Refund", locked: false });
    expect(of("title-set")).toHaveLength(1);
    expect(of("title-set")[0]).toMatchObject({ title: "Refund" });
    expect(of("title-set")[0]).not.toHaveProperty("state");
    expect(of("title-set")[0]).not.toHaveProperty("callId");
    const second = await workflow.send("s1", { message: "n", variables: { title: "Other" } });
    expect(second.variables.title).toEqual({ value: "Refund", locked: false });
    expect(of("title-set")).toHaveLength(1);
  });

  test("RUN-012 the trigger's id is a locked variable", async () => {
    const { workflow } = await desk(f1(), [speaking("ok")]);
    const outcome = await workflow.send("s1", { message: "m" });
    expect(outcome.variables.trigger).toEqual({ value: "manual", locked: true });
  });

  test("RUN-015 resolveSession tells how a firing meets its session", async () => {
    const human = await desk(f2(), [calling(advance("review")), speaking("look")]);
    expect(await human.workflow.resolveSession({ sessionId: "s1" })).toMatchObject({
      sessionId: "s1",
      disposition: "turn",
      startState: "draft",
      native: false,
    });
    await human.workflow.send("s1", { message: "m" });
    expect(await human.workflow.resolveSession({ sessionId: "s1" })).toMatchObject({
      disposition: "reply",
      state: "review",
    });
    const waiting = await desk(f1(), [speaking("waiting", wait("vendor"))]);
    await waiting.workflow.send("s1", { message: "m" });
    expect(await waiting.workflow.resolveSession({ sessionId: "s1" })).toMatchObject({
      disposition: "resume",
      state: "intake",
    });
    let seen: unknown;
    const running = await desk(f1(), [
      async () => {
        seen = await running.workflow.resolveSession({ sessionId: "s1" }).catch((error: unknown) => error);
        return speaking("ok");
      },
    ]);
    await running.workflow.send("s1", { message: "m" });
    expect(seen).toMatchObject({ name: "SessionNotResumableError", sessionId: "s1" });
  });

  test("RUN-017 one snapshot per definition", async () => {
    const store = createMemorySessionStore();
    const snapshots = async () => (await new Workspace(store.backend).listDir("_specs")).length;
    const first = await desk(f1(), [speaking("ok"), speaking("ok")], {}, store);
    await first.workflow.send("s1", { message: "m" });
    await first.workflow.send("s1", { message: "n" });
    expect(await snapshots()).toBe(1);
    const edited = await desk(f1({ intake: { instructions: "other" } }), [speaking("ok")], {}, store);
    await edited.workflow.send("s1", { message: "o" });
    expect(await snapshots()).toBe(2);
  });

  test("RUN-107 a session whose state the document dropped reopens at its trigger's start", async () => {
    const store = createMemorySessionStore();
    const before = await desk(f1(), [calling(advance("work")), speaking("ok")], {}, store);
    const first = await before.workflow.send("s1", { message: "m" });
    const oldHash = (await before.agent.sessions.get("s1"))?.specHash;
    expect(first.state).toBe("work");
    const { work: _dropped, ...states } = f1().states;
    const intake = { ...states.intake, transitions: [{ to: "done", description: "d" }] };
    const after = await desk({ ...f1(), states: { ...states, intake } }, [speaking("ok")], {}, store);
    const second = await after.workflow.send("s1", { message: "n" });
    expect(second.state).toBe("intake");
    expect(after.of("workflow-reset")).toEqual([expect.objectContaining({ entry: "intake" })]);
    expect((await after.agent.sessions.get("s1"))?.specHash).not.toBe(oldHash);
  });

  test("RUN-108 a seeded history is the first turn's transcript", async () => {
    const { agent, model } = await desk(f1(), [speaking("ok")]);
    await agent.invoke(
      {
        messages: [
          { role: "user", content: "Test" },
          { role: "assistant", content: "Done" },
          { role: "user", content: "who?" },
        ],
      },
      { configurable: { thread_id: "s1" } },
    );
    const seen = model.requests[0]?.messages.filter((message) => message.getType() !== "system");
    expect(seen?.map((message) => [message.getType(), message.content])).toEqual([
      ["human", "Test"],
      ["ai", "Done"],
      ["human", "who?"],
    ]);
  });

  test("RUN-116 one string is one user turn", async () => {
    const { agent, model } = await desk(f1(), [speaking("ok")]);
    await agent.invoke({ messages: "hi" }, { configurable: { thread_id: "s1" } });
    const seen = model.requests[0]?.messages.filter((message) => message.getType() === "human");
    expect(seen?.map((message) => message.content)).toEqual(["hi"]);
  });

  test("RUN-117 seeding is one variables-set and one title-set before the state is entered", async () => {
    const { workflow, events, types } = await desk(f1(), [speaking("ok"), speaking("ok")]);
    await workflow.send("s1", { message: "m", variables: { a: 1, title: "T" } });
    const order = types().filter((type) => ["variables-set", "title-set", "state-enter"].includes(type));
    expect(order).toEqual(["variables-set", "title-set", "state-enter"]);
    const seeded = events.find((event) => event.type === "variables-set");
    expect(seeded).toMatchObject({ names: ["a"], locked: true });
    expect(seeded).not.toHaveProperty("state");
    expect(seeded).not.toHaveProperty("callId");
    const before = events.length;
    await workflow.send("s2", { message: "m" });
    expect(events.slice(before).map((event) => event.type)).not.toContain("variables-set");
  });

  test("RUN-113 a continued session runs no boundary again, and a completed one is left alone", async () => {
    const store = createMemorySessionStore();
    const first = await desk(
      f1(),
      [
        calling(advance("work")),
        () => {
          throw new Error("the process is killed here");
        },
      ],
      {},
      store,
    );
    await expect(first.workflow.send("s1", { message: "m" })).rejects.toThrow("the process is killed here");
    const second = await desk(f1(), [speaking("on")], {}, store);
    const config = { configurable: { thread_id: "s1" } };
    const state = await second.agent.invoke(null, config);
    expect(state).toMatchObject({ status: "completed", workflowState: "work" });
    const trail = state.auditTrail as { kind: string }[];
    expect(trail.filter((step) => step.kind === "trigger")).toHaveLength(1);
    expect(second.types()).not.toContain("workflow-reset");
    expect(second.of("advance").filter((event) => event.from === "__start__")).toHaveLength(0);
    const messages = (state.messages as unknown[]).length;
    const again = await second.agent.invoke(null, config);
    expect((again.messages as unknown[]).length).toBe(messages);
    expect(second.model.requests).toHaveLength(1);
  });

  test("RUN-105 a checkpoint with only messages and a position is open, and a raw invoke goes on from it", async () => {
    const { agent, workflow } = await desk(f1(), [speaking("ok")]);
    const config = { configurable: { thread_id: "s1" } };
    await agent.updateState(config, {
      messages: [new HumanMessage("m"), new AIMessage("n")],
      workflowState: "work",
    });
    expect(await agent.sessions.get("s1")).toMatchObject({ classification: "open" });
    expect((await agent.sessions.get("s1"))?.usage).toBeUndefined();
    await expect(workflow.send("s1", { message: "o" })).rejects.toMatchObject({
      name: "SessionNotResumableError",
    });
    const state = await agent.invoke({ messages: "o" }, config);
    expect(state).toMatchObject({ status: "completed", workflowState: "work" });
  });
});
