import { describe, expect, test } from "vitest";
import { runtimeNoteKind } from "../messages/index.ts";
import { advance, calling, desk, f1, hostTool, set, speaking } from "./turn-fixture.ts";

const tools = [hostTool("t")];
const t: [string, Record<string, unknown>] = ["t", {}];

describe("budgets, failures and returns", () => {
  test("RUN-057 a spent turn budget rejects before the next call", async () => {
    const held = await desk(
      f1({ intake: { budget: { maxTurns: 1 }, tools: { allow: ["t"] } } }),
      [calling(t)],
      { tools },
    );
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("rejected");
    expect(outcome.rejected).toContain("maxTurns: 1");
    expect(held.model.requests).toHaveLength(1);
  });

  test("RUN-058 the budget counts one visit", async () => {
    const held = await desk(
      f1({ intake: { budget: { maxTurns: 2 }, tools: { allow: ["t"] } }, work: { budget: { maxTurns: 1 } } }),
      [calling(t), calling(advance("work")), speaking("ok")],
      { tools },
    );
    expect(await held.workflow.send("s1", { message: "m" })).toMatchObject({
      kind: "completed",
      state: "work",
    });
  });

  test("RUN-059 a spent budget goes to on_error with its failure cleared", async () => {
    const held = await desk(
      f1({ intake: { budget: { maxTurns: 1 }, on_error: "work", tools: { allow: ["t"] } } }),
      [calling(t), speaking("ok")],
      { tools },
    );
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome).toMatchObject({ kind: "completed", state: "work" });
    const state = await held.agent.getState({ configurable: { thread_id: "s1" } });
    expect(state.values.rejected ?? null).toBeNull();
    expect(state.values.failedDelegations ?? null).toBeNull();
    expect(held.model.requests).toHaveLength(2);
  });

  test("RUN-060 a slow model call is a failure, and its stand-in leaves the transcript", async () => {
    const held = await desk(f1({ intake: { budget: { timeoutMs: 20 } } }), [
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 120));
        return speaking("late");
      },
    ]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("rejected");
    expect(outcome.rejected).toContain("timeoutMs: 20");
    expect(outcome.messages.map((message) => message.getType())).toEqual(["human"]);
  });

  const guarded = { intake: { tools: { allow: [{ tool: "t", args: { x: ["${{a}}"] } }] } } };

  test("RUN-061 a guard that cannot be evaluated fails the turn when the model finishes", async () => {
    const held = await desk(f1(guarded), [calling(["t", { x: "1" }]), speaking("ok")], { tools });
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(held.of("tool-blocked")).toHaveLength(1);
    expect(outcome.kind).toBe("rejected");
  });

  test("RUN-062 a move that lands clears the failure", async () => {
    const held = await desk(
      f1(guarded),
      [calling(["t", { x: "1" }]), calling(advance("work")), speaking("ok")],
      { tools },
    );
    expect(await held.workflow.send("s1", { message: "m" })).toMatchObject({
      kind: "completed",
      state: "work",
    });
  });

  const returning = (declaration: unknown) =>
    f1({ intake: { triggers: { manual: { returns: [declaration] } } } });

  test("RUN-063 an unset return is handed back once", async () => {
    const held = await desk(returning("total"), [speaking("x"), calling(set({ total: 3 })), speaking("y")]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("completed");
    const notes = outcome.messages.filter((m) => runtimeNoteKind(m) === "after" && m.getType() === "tool");
    expect(notes).toHaveLength(1);
    expect(notes[0]?.content).toContain("total");
  });

  test("RUN-064 a return still unset rejects, on_error or not", async () => {
    const spec = returning("total");
    Object.assign(spec.states.intake, { on_error: "work" });
    const held = await desk(spec, [speaking("x"), speaking("y")]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("rejected");
    expect(outcome.rejected).toContain("total");
    expect(held.types()).not.toContain("state-error-routed");
    expect(held.model.requests).toHaveLength(2);
  });

  test("RUN-065 a return of another type is refused when it is set", async () => {
    const held = await desk(returning({ name: "total", type: "integer" }), [
      calling(set({ total: "3" })),
      calling(set({ total: 3 })),
      speaking("ok"),
    ]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    const [refused] = outcome.messages.filter((message) => message.getType() === "tool");
    expect(refused?.content).toContain("integer");
    expect(held.of("variables-set")).toHaveLength(1);
    expect(outcome.variables.total).toEqual({ value: 3, locked: false });
  });
});
