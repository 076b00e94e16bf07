import { describe, expect, test } from "vitest";
import { runtimeNoteKind } from "../messages/index.ts";
import type { HookArguments, HookExecutor, HookResult } from "./hook-types.ts";
import { type Answer, advance, calling, desk, f1, hostTool, speaking } from "./turn-fixture.ts";

const verdict = (value: unknown): HookResult => ({ ok: true, value, logs: [], formatted: "" });

/** F1 with hooks of the custom kind `probe`, answered by `execute`. */
async function hooked(
  states: Record<string, Record<string, unknown>>,
  answers: Answer[],
  execute: HookExecutor,
  tools: string[] = [],
) {
  return desk(f1(states, { extensions: { hooks: ["probe"] } }), answers, {
    hookExecutors: { probe: execute },
    tools: tools.map((name) => hostTool(name)),
  });
}

describe("hooks of custom kinds", () => {
  test("RUN-040 a veto on entering the first state rejects without a model call", async () => {
    const held = await hooked({ intake: { before: { probe: "x" } } }, [], async () =>
      verdict({ verdict: "veto", reason: "no" }),
    );
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("rejected");
    expect(outcome.reply).toContain("no");
    expect(held.model.requests).toHaveLength(0);
  });

  test("RUN-041 the same veto goes to on_error", async () => {
    const held = await hooked(
      { intake: { before: { probe: "x" }, on_error: "done" } },
      [speaking("x")],
      async () => verdict({ verdict: "veto", reason: "no" }),
    );
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome).toMatchObject({ kind: "completed", state: "done" });
    expect(held.of("state-error-routed")).toHaveLength(1);
    expect(outcome.messages.filter((message) => runtimeNoteKind(message) === "error")).toHaveLength(2);
    expect(held.model.requests).toHaveLength(1);
    expect(outcome.auditTrail.map((step) => step.kind)).toEqual(["trigger", "on_error"]);
  });

  test("RUN-042 a veto of the target's entry refuses the move", async () => {
    const held = await hooked(
      { work: { before: { probe: "x" } } },
      [calling(advance("work")), speaking("ok")],
      async () => verdict({ verdict: "veto", reason: "no" }),
    );
    expect(await held.workflow.send("s1", { message: "m" })).toMatchObject({
      kind: "completed",
      state: "intake",
    });
  });

  test("RUN-043 a veto on leaving refuses the move, told in order", async () => {
    const held = await hooked(
      { intake: { after: { probe: "x" } } },
      [calling(advance("work")), speaking("ok")],
      async () => verdict({ verdict: "veto", reason: "no" }),
    );
    const outcome = await held.workflow.send("s1", { message: "m" });
    const answer = outcome.messages.find((message) => message.getType() === "tool");
    expect(answer?.content).toContain("hook veto:");
    expect(outcome.state).toBe("intake");
    expect(held.types().filter((type) => type.startsWith("hook-"))).toEqual([
      "hook-start",
      "hook-verdict",
      "hook-rejected",
    ]);
  });

  test("RUN-044 a hook on leaving reads the move", async () => {
    const seen: HookArguments[] = [];
    const held = await hooked(
      { intake: { after: { probe: "x" } } },
      [calling(advance("work")), speaking("ok")],
      async (_hook, _context, args) => {
        seen.push(args);
        return verdict(undefined);
      },
    );
    await held.workflow.send("s1", { message: "m" });
    expect(seen[0]).toMatchObject({
      from: "intake",
      to: "work",
      reason: "r",
      phase: "after",
      state: "intake",
      trigger: "manual",
    });
    expect(seen[0]?.messages[0]).toEqual({ role: "user", text: "m" });
  });

  test("RUN-047 a hook without a budget of corrections: the first one is terminal", async () => {
    const held = await hooked(
      { done: { after: { probe: "x" } } },
      [calling(advance("done")), speaking("a"), speaking("b")],
      async () => verdict({ verdict: "correct", reason: "name the amount" }),
    );
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("rejected");
    expect(outcome.rejected).toContain("name the amount");
    expect(outcome.messages.filter((message) => runtimeNoteKind(message) === "after")).toHaveLength(0);
    expect(held.model.requests).toHaveLength(2);
  });

  test("RUN-048 an entry check runs once per visit, and again on the next turn", async () => {
    let ran = 0;
    const held = await hooked(
      { work: { before: { probe: "x" }, tools: { allow: ["t"] } } },
      [calling(advance("work")), calling(["t", {}]), speaking("x"), speaking("y")],
      async () => {
        ran += 1;
        return verdict(undefined);
      },
      ["t"],
    );
    await held.workflow.send("s1", { message: "m" });
    expect(ran).toBe(1);
    await held.workflow.send("s1", { message: "n" });
    expect(ran).toBe(2);
  });

  test("RUN-049 false is a veto; true and undefined pass", async () => {
    const refused = await hooked(
      { work: { before: { probe: "x" } } },
      [calling(advance("work")), speaking("ok")],
      async () => verdict(false),
    );
    const outcome = await refused.workflow.send("s1", { message: "m" });
    expect(outcome.messages.find((message) => message.getType() === "tool")?.content).toContain(
      "precondition not met",
    );
    for (const value of [true, undefined]) {
      const passed = await hooked(
        { work: { before: { probe: "x" } } },
        [calling(advance("work")), speaking("ok")],
        async () => verdict(value),
      );
      expect((await passed.workflow.send("s1", { message: "m" })).state).toBe("work");
    }
  });

  test("RUN-050 an object that is no verdict is terminal, with its keys named", async () => {
    const object = await hooked({ intake: { before: { probe: "x" } } }, [], async () =>
      verdict({ ok: false, reason: "x" }),
    );
    const outcome = await object.workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("rejected");
    expect(outcome.rejected).toContain("ok, reason");
    const array = await hooked({ intake: { before: { probe: "x" } } }, [], async () => verdict([]));
    expect((await array.workflow.send("s1", { message: "m" })).rejected).toContain("an array");
  });

  test("RUN-052 a phase stops at the first hook that is not ok", async () => {
    const started: unknown[] = [];
    const held = await hooked(
      { work: { before: [{ probe: "ok" }, { probe: "veto" }, { probe: "never" }] } },
      [calling(advance("work")), speaking("ok")],
      async (hook) => {
        started.push(hook.probe);
        return verdict({ verdict: hook.probe === "veto" ? "veto" : "ok" });
      },
    );
    await held.workflow.send("s1", { message: "m" });
    expect(started).toEqual(["ok", "veto"]);
  });

  test("a script or a rubric hook fails closed while nothing runs its kind", async () => {
    for (const hook of [{ script: "hooks/x.js" }, { rubric: { instructions: "x" } }]) {
      const held = await desk(f1({ intake: { before: hook } }), []);
      const outcome = await held.workflow.send("s1", { message: "m" });
      expect(outcome.kind).toBe("rejected");
      expect(held.model.requests).toHaveLength(0);
    }
  });

  test("RUN-053 a kind without an executor is terminal; its label is kind:value", async () => {
    const spec = f1({ intake: { before: { webhook: "p" } } }, { extensions: { hooks: ["webhook"] } });
    const without = await desk(spec, []);
    const outcome = await without.workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("rejected");
    expect(without.of("hook-start").map((event) => event.label)).toEqual(["webhook:p"]);
    const vetoing = await desk(spec, [], {
      hookExecutors: { webhook: async () => verdict({ verdict: "veto", reason: "z" }) },
    });
    expect((await vetoing.workflow.send("s1", { message: "m" })).rejected).toContain("z");
  });

  test("RUN-054 an executor's failure is terminal with its text; built-in kinds cannot be registered", async () => {
    const held = await hooked({ intake: { before: { probe: "x" } } }, [], async () => ({
      ok: false,
      value: undefined,
      logs: [],
      error: "down",
      formatted: "",
    }));
    expect((await held.workflow.send("s1", { message: "m" })).rejected).toContain("down");
    await expect(
      desk(f1(), [], { hookExecutors: { script: async () => verdict(undefined) } }),
    ).rejects.toThrow(/script/);
  });
});
