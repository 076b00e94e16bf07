/** The clauses of the verbs' acceptance cases that a whole agent alone can show. */
import type { RunnableConfig } from "@langchain/core/runnables";
import { describe, expect, test } from "vitest";
import { advance, calling, desk, f1, f2, hostTool, speaking, wait } from "../runtime/turn-fixture.ts";
import { createFilesystemSessionStore } from "../workspace/filesystem-session-store.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { bareStore } from "../workspace/testing-fixtures/backends.ts";
import { temporaryDirectory } from "../workspace/testing-fixtures/root.ts";

const BYTES = Uint8Array.of(0x25, 0x50, 0x44, 0x46, 0xff, 0x00);
const config = { configurable: { thread_id: "s1" } };
const answers = (messages: { getType(): string; content: unknown }[]) =>
  messages.filter((message) => message.getType() === "tool");

describe("files handed to a turn", () => {
  const invoice = { invoice: { name: "i.pdf", content: BYTES } };

  test("RUN-013 WS-086 bytes, path and lock, over two turns and a delivery", async () => {
    const store = createFilesystemSessionStore({ dir: await temporaryDirectory() });
    const held = await desk(f1(), [speaking("a"), speaking("b", wait("v")), speaking("c")], {}, store);
    const first = await held.workflow.send("s1", { message: "m", files: invoice });
    expect(first.variables.invoice).toEqual({ value: "scratchpad/attachments/i.pdf", locked: true });
    const second = await held.workflow.send("s1", { message: "n", files: invoice });
    expect(second.variables.invoice).toEqual({ value: "scratchpad/attachments/i-1.pdf", locked: true });
    const third = await held.workflow.deliver("s1", { trigger: { id: "mail" }, files: invoice });
    expect(third.variables.invoice).toEqual({ value: "scratchpad/attachments/i-2.pdf", locked: true });
    for (const name of ["i.pdf", "i-1.pdf", "i-2.pdf"]) {
      const [file] = (await store.backend.downloadFiles?.([`/s1/scratchpad/attachments/${name}`])) ?? [];
      expect(Uint8Array.from(file?.content ?? [])).toEqual(BYTES);
    }
    expect(held.of("variables-set").map(({ names, locked }) => [names, locked])).toEqual(
      Array(3).fill([["invoice"], true]),
    );
  });

  test.each([
    ["a path for a name", { invoice: { name: "../a", content: BYTES } }, {}],
    ["a variable given twice", invoice, { invoice: 1 }],
    ["a name that is no variable's", { "In-voice": { name: "a", content: BYTES } }, {}],
  ])("RUN-014 WS-087 %s is refused and nothing is written", async (_what, files, variables) => {
    const held = await desk(f1(), []);
    await expect(held.workflow.send("s1", { message: "m", files, variables })).rejects.toMatchObject({
      name: "InvalidTurnFileError",
      sessionId: "s1",
    });
    expect((await held.store.backend.ls("/")).files ?? []).toEqual([]);
    expect(held.model.requests).toHaveLength(0);
  });

  test("WS-087 a store that cannot hold the bytes is told before anything is written", async () => {
    const held = await desk(f1(), [], {}, bareStore(createMemorySessionStore()));
    const docx = { doc: { name: "a.docx", content: BYTES } };
    await expect(held.workflow.send("s1", { message: "m", files: docx })).rejects.toMatchObject({
      name: "InvalidTurnFileError",
      variable: "doc",
    });
    expect((await held.store.backend.ls("/")).files ?? []).toEqual([]);
  });

  test("WS-087 a session a person holds takes none, and its park stays as it was", async () => {
    const held = await desk(f2(), [calling(advance("review")), speaking("look")]);
    const parked = await held.workflow.send("s1", { message: "m" });
    const count = await held.agent.sessions.messageCount("s1");
    await expect(held.workflow.send("s1", { message: "n", files: invoice })).rejects.toMatchObject({
      name: "InvalidTurnFileError",
    });
    expect(await held.agent.sessions.messageCount("s1")).toBe(count);
    expect((await held.agent.getState(config)).values.pendingDecision).toEqual(parked.pending);
    expect((await held.store.backend.ls("/s1/scratchpad")).files ?? []).toEqual([]);
  });
});

describe("refusals, said through a whole turn", () => {
  test("RUN-003 the refusal of a disabled workflow's raw turn is a warning of its own", async () => {
    const held = await desk(f1({}, { disabled: true }), []);
    const assembled = held.events.length;
    await held.agent.invoke({ messages: "m" }, config);
    expect(held.events.slice(assembled)).toEqual([
      expect.objectContaining({ type: "warning", scope: "workflow", level: "warn", sessionId: "s1" }),
    ]);
  });

  test.each([
    ["21 paths", Array.from({ length: 21 }, (_, index) => `scratchpad/${index}`), "20"],
    ["a path above the root", ["../x"], "../x"],
    ["the runtime's own area", ["checkpoints/y"], "checkpoints/y"],
  ])("RUN-036 %s are refused as evidence, before any hook", async (_what, evidence, named) => {
    let ran = 0;
    const probe = async () => {
      ran += 1;
      return { ok: true, value: undefined, logs: [], formatted: "" };
    };
    const held = await desk(
      f2({ draft: { after: { probe: "x" } } }),
      [calling(advance("review", { evidence })), speaking("ok")],
      { hookExecutors: { probe } },
    );
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome).toMatchObject({ kind: "completed", state: "draft" });
    expect(answers(outcome.messages)).toEqual([expect.objectContaining({ status: "error" })]);
    expect(answers(outcome.messages)[0]?.content).toContain(named);
    expect(ran).toBe(0);
  });

  test("RUN-080 a wait past the state's budget is answered as an error naming it", async () => {
    const held = await desk(f1({ intake: { budget: { maxParks: 1 } } }), [
      speaking("w", wait("v")),
      calling(wait("v")),
      speaking("gave up"),
    ]);
    await held.workflow.send("s1", { message: "m" });
    const outcome = await held.workflow.deliver("s1", { trigger: { id: "e" } });
    expect(answers(outcome.messages).at(-1)).toMatchObject({
      status: "error",
      content: expect.stringContaining("maxParks: 1"),
    });
    expect(held.of("parked")).toHaveLength(1);
  });

  test("RUN-084 a raise beside another call is answered as an error, in either place", async () => {
    const raise: [string, Record<string, unknown>] = ["archmax_raise", { code: "x", reason: "r" }];
    const other: [string, Record<string, unknown>] = ["t", {}];
    for (const calls of [
      [raise, other],
      [other, raise],
    ]) {
      const held = await desk(
        f1({ intake: { tools: { allow: ["t"] } } }),
        [calling(...calls), speaking("ok")],
        { tools: [hostTool("t", () => "ran")] },
      );
      const outcome = await held.workflow.send("s1", { message: "m" });
      expect(outcome).toMatchObject({ kind: "completed", exit: { success: true } });
      const byName = new Map(
        answers(outcome.messages).map((message) => [(message as { name?: string }).name, message]),
      );
      expect(byName.get("t")?.content).toBe("ran");
      expect(byName.get("archmax_raise")).toMatchObject({ status: "error" });
    }
  });

  test("a caller no compiler checks is refused by the typed errors", async () => {
    const held = await desk(f2(), [calling(advance("review")), speaking("look")]);
    const nothing = undefined as never;
    await expect(held.workflow.send("s1", {} as never)).rejects.toMatchObject({ name: "EmptyMessageError" });
    await held.workflow.send("s1", { message: "m" });
    await expect(held.workflow.send("s1", {} as never)).rejects.toMatchObject({ name: "EmptyMessageError" });
    await expect(held.workflow.reply("s1", nothing)).rejects.toMatchObject({ name: "EmptyMessageError" });
    await expect(held.workflow.decide("s1", {} as never)).rejects.toMatchObject({
      name: "InvalidDecisionTargetError",
    });
    const waiting = await desk(f1(), [speaking("w", wait("v")), speaking("ok")]);
    await waiting.workflow.send("s1", { message: "m" });
    const woken = await waiting.workflow.send("s1", {
      trigger: { id: "mail" },
      variables: { a: 1 },
    } as never);
    expect(woken).toMatchObject({ kind: "completed", disposition: "deliver" });
  });
});

test("WS-013 a run takes 400 supersteps and the harness's mark, unless its caller says otherwise", async () => {
  const seen: unknown[] = [];
  const watching: RunnableConfig = {
    ...config,
    callbacks: [
      {
        handleChainStart: (_chain, _inputs, _run, _parent, _tags, metadata) => {
          seen.push(metadata?.ls_integration);
        },
      },
    ],
  };
  const looping = () =>
    desk(
      f1({ intake: { tools: { allow: ["t"] } } }),
      Array.from({ length: 20 }, () => calling(["t", {}])),
      {
        tools: [hostTool("t")],
      },
    );
  const held = await looping();
  const limited = held.agent.withConfig({ recursionLimit: 7 });
  await expect(limited.invoke({ messages: "m" }, config)).rejects.toMatchObject({
    name: "GraphRecursionError",
  });
  expect(held.model.requests.length).toBeLessThan(7);
  const free = await looping();
  await expect(free.agent.invoke({ messages: "m" }, watching)).rejects.toThrow(/no answer for call 21/);
  expect(new Set(seen)).toEqual(new Set(["archmax-harness"]));
  const own = await desk(f1(), [speaking("ok")]);
  seen.length = 0;
  await own.agent.invoke({ messages: "m" }, { ...watching, metadata: { ls_integration: "mine" } });
  expect(new Set(seen)).toEqual(new Set(["mine"]));
});

test("RUN-018 WS-090 an edited document is adopted by the next turn, an edit of metadata alone is no edit", async () => {
  const store = createMemorySessionStore();
  const turn = async (root: Record<string, unknown>) => {
    const held = await desk(f1({}, root), [speaking("ok")], {}, store);
    await held.workflow.send("s1", { message: "m" });
    return { agent: held.agent, hash: (await held.agent.sessions.get("s1"))?.specHash ?? "" };
  };
  const first = await turn({ metadata: { owner: "a" } });
  const same = await turn({ metadata: { owner: "b" } });
  const edited = await turn({ instructions: "other" });
  expect(same.hash).toBe(first.hash);
  expect(edited.hash).not.toBe(first.hash);
  const kept = (await store.backend.ls("/_specs")).files?.map(({ path }) => path).toSorted();
  expect(kept).toEqual([first.hash, edited.hash].map((hash) => `/_specs/${hash}.json`).toSorted());
  expect(await edited.agent.getSpecSnapshot(first.hash)).toMatchObject({ instructions: "x" });
  expect(await edited.agent.getSpecSnapshot(edited.hash)).toMatchObject({ instructions: "other" });
  expect(await edited.agent.getSpecSnapshot("nope")).toBeNull();
});
