import { describe, expect, test } from "vitest";
import { advance, calling, desk, f1, set, speaking } from "./turn-fixture.ts";

const reset: [string, Record<string, unknown>] = ["archmax_reset", { reason: "r" }];
const answers = (messages: { getType(): string; content: unknown }[]) =>
  messages.filter((message) => message.getType() === "tool");

describe("advance and reset", () => {
  test("RUN-029 a move along no edge is refused with the valid targets, as an ordinary message", async () => {
    const held = await desk(f1(), [calling(advance("nowhere")), speaking("ok")]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    const [answer] = answers(outcome.messages);
    expect(answer?.content).toMatch(/^archmax_advance rejected:/);
    for (const target of ["work", "done"]) expect(answer?.content).toContain(target);
    expect((answer as { status?: string }).status).not.toBe("error");
    expect(held.of("tool-result")).toEqual([expect.objectContaining({ status: "error" })]);
    expect(outcome.state).toBe("intake");
  });

  test("RUN-030 a move is told in one order, joined by its call", async () => {
    const held = await desk(f1(), [calling(advance("work")), speaking("ok")]);
    await held.workflow.send("s1", { message: "m" });
    const from = held.types().indexOf("tool-called");
    expect(held.types().slice(from, from + 5)).toEqual([
      "tool-called",
      "advance",
      "tool-result",
      "state-leave",
      "state-enter",
    ]);
    const moved = held.of("advance").find((event) => event.to === "work");
    expect(moved?.callId).toBe(held.of("tool-called")[0]?.callId);
    expect(moved).toMatchObject({ from: "intake", reason: "r" });
  });

  test("RUN-031 one move per message", async () => {
    const held = await desk(f1(), [calling(advance("work"), advance("done")), speaking("ok")]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.state).toBe("work");
    const second = answers(outcome.messages)[1];
    expect(second).toMatchObject({ status: "error" });
    expect(second?.content).toContain("work");
    expect(held.of("tool-called")).toHaveLength(2);
    expect(held.of("tool-result").map((event) => event.status)).toEqual(["ok", "error"]);
  });

  test("RUN-032 an empty reason is an invalid argument", async () => {
    const held = await desk(f1(), [
      calling(["archmax_advance", { to: "work", reason: " " }]),
      speaking("ok"),
    ]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(answers(outcome.messages)[0]?.content).toContain("invalid arguments");
    expect(outcome.state).toBe("intake");
  });

  test("RUN-033 a state is left with its requires set", async () => {
    const spec = f1({ intake: { requires: ["order_id"] } });
    const held = await desk(spec, [
      calling(advance("work")),
      calling(set({ order_id: 1 })),
      calling(advance("work")),
      speaking("ok"),
    ]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    const [refused] = answers(outcome.messages);
    expect(refused?.content).toContain("order_id");
    expect(refused?.content).toContain("archmax_set_variables");
    expect(outcome.state).toBe("work");
  });

  test("RUN-034 a missing variable is reported before a missing edge", async () => {
    const held = await desk(f1({ intake: { requires: ["order_id"] } }), [
      calling(advance("nowhere")),
      speaking("ok"),
    ]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(answers(outcome.messages)[0]?.content).toContain("order_id");
    expect(answers(outcome.messages)[0]?.content).not.toContain("Valid targets");
  });

  test("RUN-035 GOV-102 evidence for an agent state is refused before any hook runs", async () => {
    let ran = 0;
    const held = await desk(
      f1({ intake: { after: { probe: "x" } } }, { extensions: { hooks: ["probe"] } }),
      [
        calling(advance("work", { evidence: ["scratchpad/a"] })),
        calling(advance("work", { evidence: [] })),
        speaking("ok"),
      ],
      {
        hookExecutors: {
          probe: async () => {
            ran += 1;
            return { ok: true, value: undefined, logs: [], formatted: "" };
          },
        },
      },
    );
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(answers(outcome.messages)[0]).toMatchObject({ status: "error" });
    expect(ran).toBe(1);
    expect(outcome.state).toBe("work");
  });

  test("RUN-038 a reset goes back to the entry and keeps what was said and set", async () => {
    const held = await desk(f1(), [
      calling(set({ a: 1 })),
      calling(advance("work")),
      calling(reset),
      speaking("ok"),
    ]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.state).toBe("intake");
    expect(outcome.auditTrail.map((step) => step.kind)).toEqual(["trigger", "agent", "reset"]);
    expect(outcome.variables.a).toEqual({ value: 1, locked: false });
    expect(held.of("advance").map((event) => event.to)).toEqual(["intake", "work"]);
  });

  test("RUN-039 a reset the state forbids is blocked", async () => {
    const held = await desk(f1({ intake: { tools: { forbid: ["archmax_reset"] } } }), [
      calling(reset),
      speaking("ok"),
    ]);
    await held.workflow.send("s1", { message: "m" });
    expect(held.of("tool-blocked").map((event) => event.tool)).toEqual(["archmax_reset"]);
  });
});
