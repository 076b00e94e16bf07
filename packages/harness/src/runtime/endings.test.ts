import { AIMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { createUsageTracker } from "../events/usage.ts";
import { advance, calling, desk, f1, f2, hostTool, set, speaking } from "./turn-fixture.ts";

const raise = (code: string): [string, Record<string, unknown>] => ["archmax_raise", { code, reason: "r" }];
const get = (args: Record<string, unknown>): [string, Record<string, unknown>] => [
  "archmax_get_variables",
  args,
];
const answers = (messages: { getType(): string; content: unknown }[]) =>
  messages.filter((message) => message.getType() === "tool").map((message) => String(message.content));

/** A message with a provider's token counts. */
function spending(message: AIMessage, input: number, output: number): AIMessage {
  return new AIMessage({
    ...(message.lc_kwargs as { content: string }),
    usage_metadata: { input_tokens: input, output_tokens: output, total_tokens: input + output },
  } as never);
}

describe("endings, variables and usage", () => {
  test("RUN-083 a raise ends the session as failed, without a further call", async () => {
    const held = await desk(f1({ intake: { triggers: { manual: { returns: ["total"] } } } }), [
      calling(raise("no_stock")),
      calling(set({ total: 1 })),
      speaking("ok"),
    ]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome).toMatchObject({
      kind: "failed",
      status: "failed",
      exit: { success: false, code: "no_stock", reason: "r" },
    });
    expect(held.model.requests).toHaveLength(1);
    const end = held.types().slice(-4);
    expect(end).toEqual(["tool-called", "tool-result", "raised", "state-leave"]);
    expect((await held.agent.sessions.get("s1"))?.exit).toEqual({
      success: false,
      code: "no_stock",
      reason: "r",
    });
    const next = await held.workflow.send("s1", { message: "n" });
    expect(next).toMatchObject({ kind: "completed", exit: { success: true } });
  });

  test("RUN-084 a raise beside another call is refused, and the other runs", async () => {
    let ran = 0;
    const held = await desk(
      f1({ intake: { tools: { allow: ["t"] } } }),
      [calling(raise("x"), ["t", {}]), speaking("ok")],
      {
        tools: [
          hostTool("t", () => {
            ran += 1;
            return "ran";
          }),
        ],
      },
    );
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("completed");
    expect(ran).toBe(1);
    expect(held.types()).not.toContain("raised");
  });

  test("RUN-085 a title is one bounded line, stored trimmed and told by its own event", async () => {
    const held = await desk(f1(), [calling(set({ title: " Order 9 " })), speaking("ok")]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.variables.title).toEqual({ value: "Order 9", locked: false });
    expect(held.of("variables-set")[0]).toMatchObject({ names: ["title"] });
    expect(held.of("title-set")[0]).toMatchObject({ title: "Order 9", state: "intake" });
    expect(held.of("title-set")[0]?.callId).toBe(held.of("tool-called")[0]?.callId);
    for (const [title, lock] of [
      ["ok", true],
      ["x".repeat(201), false],
      ["two\nlines", false],
    ] as const) {
      const refused = await desk(f1(), [calling(set({ title }, lock)), speaking("ok")]);
      await refused.workflow.send("s1", { message: "m" });
      expect(refused.types()).not.toContain("variables-set");
      expect(refused.types()).not.toContain("title-set");
    }
  });

  test("RUN-086 one bad name refuses the whole write", async () => {
    const held = await desk(f1(), [calling(set({ a: 1, "a.b": 2 })), speaking("ok")]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.variables.a).toBeUndefined();
    expect(answers(outcome.messages)[0]).toContain("a.b");
  });

  test("RUN-087 an unset name is answered with the set ones; no name answers with all", async () => {
    const held = await desk(f1(), [calling(get({ name: "b" })), calling(get({})), speaking("ok")]);
    const outcome = await held.workflow.send("s1", { message: "m", variables: { a: 1 } });
    const [unset, all] = answers(outcome.messages);
    expect(unset).toContain("trigger");
    expect(unset).toContain("a");
    expect(JSON.parse(all ?? "")).toEqual({
      trigger: { value: "manual", locked: true },
      a: { value: 1, locked: true },
    });
  });

  test("RUN-102 an empty write is refused, and a locked value stays", async () => {
    const held = await desk(f1(), [
      calling(set({})),
      calling(set({ a: 1 }, true)),
      calling(set({ a: 2 })),
      speaking("ok"),
    ]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(answers(outcome.messages)[0]).toContain("no variables");
    expect(outcome.variables.a).toEqual({ value: 1, locked: true });
    expect(held.of("tool-result").map((event) => event.status)).toEqual(["error", "ok", "error"]);
  });

  test("RUN-106 usage adds up over turns and a resume, and equals the tracker's", async () => {
    const tracker = createUsageTracker();
    const held = await desk(
      f2(),
      [
        spending(calling(advance("review")), 10, 1),
        spending(speaking("look"), 20, 2),
        spending(speaking("sent"), 30, 3),
        spending(speaking("more"), 40, 4),
      ],
      { onEvent: tracker.handler },
    );
    await held.workflow.send("s1", { message: "m" });
    await held.workflow.decide("s1", { target: "sent" });
    const outcome = await held.workflow.send("s1", { message: "n" });
    const total = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheCreationTokens: 0 };
    expect(outcome.usage).toEqual(total);
    expect(tracker.totals("s1")).toEqual(total);
    expect((await held.agent.sessions.get("s1"))?.usage).toEqual(total);
  });

  test("RUN-093 seq grows over two sessions at once", async () => {
    const held = await desk(f1(), [speaking("a"), speaking("b")]);
    await Promise.all([
      held.workflow.send("s1", { message: "m" }),
      held.workflow.send("s2", { message: "m" }),
    ]);
    const seqs = held.events.map((event) => event.seq);
    expect(seqs).toEqual([...seqs].sort((left, right) => left - right));
    expect(new Set(seqs).size).toBe(seqs.length);
    const ids = new Set(held.events.map((event) => event.sessionId).filter((id) => id !== undefined));
    expect(ids).toEqual(new Set(["s1", "s2"]));
  });

  test("RUN-115 a handler that throws never disturbs a turn", async () => {
    const quiet = await desk(f1(), [speaking("ok")]);
    const held = await desk(f1(), [speaking("ok")], {
      onEvent: () => {
        throw new Error("handler");
      },
    });
    const outcome = await held.workflow.send("s1", { message: "m" });
    const plain = await quiet.workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("completed");
    expect(outcome.messages.map((message) => message.content)).toEqual(
      plain.messages.map((message) => message.content),
    );
  });

  test("WS-088 two sends at once: one runs, one is refused, one turn in the transcript", async () => {
    const held = await desk(f1(), [speaking("ok")]);
    const both = await Promise.allSettled([
      held.workflow.send("s1", { message: "m" }),
      held.workflow.send("s1", { message: "m" }),
    ]);
    expect(both.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = both.find((result) => result.status === "rejected");
    expect((refused as PromiseRejectedResult).reason).toMatchObject({ name: "SessionNotResumableError" });
    expect(await held.agent.sessions.messageCount("s1")).toBe(2);
  });

  test("WS-013 WS-014 the wrapper keeps its members, its defaults and its methods", async () => {
    const held = await desk(f1(), [speaking("ok")]);
    const other = held.agent.withConfig({ recursionLimit: 7 });
    expect(other).not.toBe(held.agent);
    expect(other.workflow?.machine).toBe(held.workflow.machine);
    expect(other.sessions).toBe(held.agent.sessions);
    const { invoke, getState } = held.agent;
    const config = { configurable: { thread_id: "s1" } };
    await invoke({ messages: "hi" }, config);
    expect((await getState(config)).values.status).toBe("completed");
    expect((held.agent.graph as { lg_is_pregel?: boolean }).lg_is_pregel).toBe(true);
    expect((held.agent as { lg_is_pregel?: boolean }).lg_is_pregel).toBeUndefined();
  });
});
