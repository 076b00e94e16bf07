import { AIMessage, type ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { toolsFromMap } from "../workspace/host-tools.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import { advance, calling, desk, f1, hostTool, ScriptedModel, set, speaking } from "./turn-fixture.ts";

const granting = (...names: unknown[]) => f1({ intake: { tools: { allow: names } } });

describe("tool calls", () => {
  test("RUN-019 a text in a state that is not terminal completes the turn where it is", async () => {
    const { workflow, of } = await desk(f1(), [speaking("hello")]);
    expect(await workflow.send("s1", { message: "m" })).toMatchObject({ kind: "completed", state: "intake" });
    expect(of("state-leave")).toEqual([expect.objectContaining({ state: "intake", next: "intake" })]);
  });

  test("RUN-020 a tool that throws answers with its message, and the turn goes on", async () => {
    const held = await desk(granting("t"), [calling(["t", {}]), speaking("ok")], {
      tools: [
        hostTool("t", () => {
          throw new Error("boom");
        }),
      ],
    });
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("completed");
    const answer = outcome.messages.find((message) => message.getType() === "tool");
    expect(answer).toMatchObject({ content: "boom", status: "error" });
    expect(held.of("tool-result")).toEqual([
      expect.objectContaining({ tool: "t", status: "error", output: "boom" }),
    ]);
    expect(held.model.requests).toHaveLength(2);
  });

  test("RUN-020 arguments that do not fit a tool are answered with what is wrong, and with no stack", async () => {
    const inputSchema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
    const described = toolsFromMap({ m: { description: "m", inputSchema, handler: async () => "ran" } });
    const typed = tool(async () => "ran", {
      name: "z",
      description: "z",
      schema: z.object({ n: z.number() }),
    });
    const held = await desk(granting("m", "z"), [calling(["m", {}], ["z", { n: "x" }]), speaking("ok")], {
      tools: [...described, typed],
    });
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("completed");
    const answers = outcome.messages.filter((message) => message.getType() === "tool");
    expect(answers.map((message) => (message as ToolMessage).status)).toEqual(["error", "error"]);
    expect(answers[0]?.content).toMatch(/did not match expected schema[\s\S]*required property "path"/);
    expect(answers[1]?.content).toMatch(/did not match expected schema[\s\S]*at n/);
    const outputs = held.of("tool-result").map((event) => event.output);
    expect(outputs.toSorted()).toEqual(answers.map((message) => String(message.content)).toSorted());
    expect(outputs.join()).not.toMatch(/file:|node_modules|\.ts:/);
  });

  test("RUN-021 a sibling of a tool that throws keeps its result", async () => {
    const held = await desk(granting("t", "t2"), [calling(["t", {}], ["t2", {}]), speaking("ok")], {
      tools: [
        hostTool("t", () => {
          throw new Error("boom");
        }),
        hostTool("t2", () => "kept"),
      ],
    });
    const outcome = await held.workflow.send("s1", { message: "m" });
    const answers = outcome.messages.filter((message) => message.getType() === "tool").map((m) => m.content);
    expect(answers).toEqual(["boom", "kept"]);
  });

  test("RUN-022 a tool that is not granted is blocked and never runs", async () => {
    let ran = 0;
    const held = await desk(f1(), [calling(["t", {}]), speaking("ok")], {
      tools: [
        hostTool("t", () => {
          ran += 1;
          return "ran";
        }),
      ],
    });
    const outcome = await held.workflow.send("s1", { message: "m" });
    const answer = outcome.messages.find((message) => message.getType() === "tool");
    expect(answer).toMatchObject({ status: "error", additional_kwargs: { governance_blocked: true } });
    expect(held.of("tool-blocked").map((event) => event.tool)).toEqual(["t"]);
    expect(held.of("tool-called")).toHaveLength(0);
    expect(ran).toBe(0);
  });

  test("RUN-023 GOV-092 a short name runs as the one tool it can be, and several are named", async () => {
    const one = await desk(granting("crm__find"), [calling(["find", {}]), speaking("ok")], {
      tools: [hostTool("crm__find", () => "found")],
    });
    const outcome = await one.workflow.send("s1", { message: "m" });
    expect(outcome.messages.find((message) => message.getType() === "tool")?.content).toBe("found");
    expect(one.of("tool-called").map((event) => event.tool)).toEqual(["crm__find"]);
    const two = await desk(granting("crm__find", "erp__find"), [calling(["find", {}]), speaking("ok")], {
      tools: [hostTool("crm__find"), hostTool("erp__find")],
    });
    const unclear = await two.workflow.send("s1", { message: "m" });
    const answer = unclear.messages.find((message) => message.getType() === "tool");
    expect(answer).toMatchObject({ status: "error" });
    expect(answer?.content).toMatch(/not a tool/);
    expect(answer?.content).toContain("crm__find");
    expect(answer?.content).toContain("erp__find");
    expect(two.types()).not.toContain("tool-blocked");
  });

  test("RUN-024 an unknown tool is answered, without a block", async () => {
    const held = await desk(f1(), [calling(["nothing", {}]), speaking("ok")]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    const answer = outcome.messages.find((message) => message.getType() === "tool");
    expect(answer).toMatchObject({ status: "error" });
    expect(answer?.content).toMatch(/not a tool/);
    expect(answer?.additional_kwargs.governance_blocked).toBeUndefined();
    expect(held.types()).not.toContain("tool-blocked");
  });

  test("RUN-025 references in arguments are replaced; an unset one blocks", async () => {
    const seen: unknown[] = [];
    const tools = [
      hostTool("t", ({ x }) => {
        seen.push(x);
        return "ok";
      }),
    ];
    const reference = "${{a}}";
    const set5 = await desk(granting("t"), [calling(["t", { x: reference }]), speaking("ok")], { tools });
    await set5.workflow.send("s1", { message: "m", variables: { a: 5 } });
    expect(seen).toEqual(["5"]);
    expect(set5.of("tool-called")[0]?.args).toEqual({ x: reference });
    const unset = await desk(granting("t"), [calling(["t", { x: reference }]), speaking("ok")], { tools });
    const outcome = await unset.workflow.send("s1", { message: "m" });
    expect(outcome.kind).toBe("completed");
    const answer = outcome.messages.find((message) => message.getType() === "tool");
    expect(answer?.content).toContain(reference);
    expect(answer?.content).toContain("archmax_get_variables");
    expect(unset.of("tool-blocked")).toHaveLength(1);
    expect(seen).toHaveLength(1);
  });

  test("RUN-026 a long result is previewed in the event and whole for the model", async () => {
    const long = "y".repeat(5_000);
    const held = await desk(granting("t"), [calling(["t", {}]), speaking("ok")], {
      tools: [hostTool("t", () => long)],
    });
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(held.of("tool-result")[0]).toMatchObject({ output: long.slice(0, 4_096), truncated: true });
    expect(outcome.messages.find((message) => message.getType() === "tool")?.content).toBe(long);
  });

  test("RUN-027 text beside a call is told before the call", async () => {
    const held = await desk(granting("t"), [speaking("hm", ["t", {}]), speaking("ok")], {
      tools: [hostTool("t")],
    });
    await held.workflow.send("s1", { message: "m" });
    const order = held.types().filter((type) => type === "agent-text" || type === "tool-called");
    expect(order).toEqual(["agent-text", "tool-called", "agent-text"]);
    expect(held.of("agent-text").map((event) => event.text)).toEqual(["hm", "ok"]);
  });

  test("RUN-028 tools reach the model in one order, and a terminal state offers no advance", async () => {
    const held = await desk(granting("t"), [calling(["t", {}]), calling(advance("done")), speaking("ok")], {
      tools: [hostTool("t")],
    });
    await held.workflow.send("s1", { message: "m" });
    const [first, second, third] = held.model.requests.map((request) => request.tools);
    expect(second).toEqual(first);
    expect(first).toContain("archmax_advance");
    expect(first).toContain("t");
    expect(third).not.toContain("archmax_advance");
    expect(first).not.toContain("task");
  });

  test("RUN-114 a message without an id is given one, in the event and in the transcript", async () => {
    const held = await desk(f1(), [new AIMessage({ content: "hi" })]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    const said = outcome.messages.at(-1);
    expect(said?.id).toBeTruthy();
    expect(held.of("agent-text").map((event) => event.messageId)).toEqual([said?.id]);
  });

  test("RUN-095 a model that does not stream sends its text as one delta", async () => {
    const held = await desk(f1(), [speaking("hello there")]);
    await held.workflow.send("s1", { message: "m" });
    const [delta] = held.of("agent-text-delta");
    const [text] = held.of("agent-text");
    expect(held.of("agent-text-delta")).toHaveLength(1);
    expect(delta).toMatchObject({ text: text?.text, messageId: text?.messageId });
  });

  test("RUN-110 a plain object that reads as an assistant message is one; a string is an error", async () => {
    /** A model whose class hands its endpoint's answer on as it came. */
    class RawModel extends ScriptedModel {
      readonly raw: unknown;
      constructor(raw: unknown) {
        super([]);
        this.raw = raw;
      }
      override bindTools(): this {
        return this;
      }
      override async invoke(): Promise<never> {
        return this.raw as never;
      }
    }
    const held = await desk(f1(), [], { model: new RawModel({ type: "ai", content: "x" }) });
    expect(await held.workflow.send("s1", { message: "m" })).toMatchObject({ kind: "completed", reply: "x" });
    const bad = await desk(f1(), [], { model: new RawModel("text") });
    await expect(bad.workflow.send("s1", { message: "m" })).rejects.toThrow(/scripted/);
  });

  test("RUN-092 aborting while a tool runs rejects the turn with one failed result and no answer", async () => {
    const abort = new AbortController();
    const held = await desk(granting("t"), [calling(["t", {}]), speaking("never")], {
      tools: [
        hostTool("t", async () => {
          abort.abort();
          await new Promise((resolve) => setTimeout(resolve, 5));
          throw new Error("stopped");
        }),
      ],
    });
    await expect(held.workflow.send("s1", { message: "m" }, { signal: abort.signal })).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(held.of("tool-result")).toEqual([expect.objectContaining({ status: "error" })]);
    const state = await held.agent.getState({ configurable: { thread_id: "s1" } });
    const messages = state.values.messages as { getType(): string }[];
    expect(messages.filter((message) => message.getType() === "tool")).toHaveLength(0);
    held.agent.dispose("s1");
    held.agent.dispose("s1");
  });

  test("RUN-101 both of two writes in one message land", async () => {
    const both = await desk(f1(), [calling(set({ a: 1 }), set({ b: 2 })), speaking("ok")]);
    const outcome = await both.workflow.send("s1", { message: "m" });
    expect(outcome.variables).toMatchObject({
      a: { value: 1, locked: false },
      b: { value: 2, locked: false },
    });
    const locked = await desk(f1(), [calling(set({ a: 1 }, true), set({ b: 2 })), speaking("ok")]);
    const second = await locked.workflow.send("s1", { message: "m" });
    expect(second.variables).toMatchObject({ a: { value: 1, locked: true }, b: { value: 2, locked: false } });
  });

  test("GOV-112 eval and task are refused by the kernel, registered or not, without an event", async () => {
    const held = await desk(f1(), [calling(["task", {}], ["eval", { code: "1" }]), speaking("ok")]);
    const outcome = await held.workflow.send("s1", { message: "m" });
    const answers = outcome.messages.filter((message) => message.getType() === "tool");
    expect(answers.map((answer) => answer.additional_kwargs.governance_blocked)).toEqual([true, true]);
    expect(answers[1]?.content).toContain("archmax_eval");
    expect(held.types()).not.toContain("tool-blocked");
  });

  test("GOV-111 a policy rule that throws or answers nonsense refuses the call and is reported", async () => {
    for (const rule of [
      () => {
        throw new Error("policy down");
      },
      () => 7 as never,
    ]) {
      let ran = 0;
      const held = await desk(granting("t"), [calling(["t", {}]), speaking("ok")], {
        tools: [
          hostTool("t", () => {
            ran += 1;
            return "ran";
          }),
        ],
        policyRules: [(action) => (action.kind === "tool-call" && action.tool === "t" ? rule() : null)],
      });
      await held.workflow.send("s1", { message: "m" });
      expect(ran).toBe(0);
      expect(held.of("warning").filter((event) => event.scope === "policy")).toHaveLength(1);
    }
  });

  test("a search finds nothing of the runtime's records, by the session's own id or by a pattern", async () => {
    const searches = calling(
      ["grep", { pattern: "workflowState", path: "s1" }],
      ["grep", { pattern: "workflowState", path: "/s1/scratchpad/.." }],
      ["glob", { pattern: "**/*", path: "s1/" }],
      ["ls", { path: "./s1" }],
      ["glob", { pattern: "../s2/**" }],
      ["glob", { pattern: "{.,}./s2/**", path: "scratchpad" }],
    );
    const held = await desk(f1(), [speaking("first"), speaking("other's"), searches, speaking("ok")]);
    await held.workflow.send("s1", { message: "m" });
    await held.workflow.send("s2", { message: "m" });
    const outcome = await held.workflow.send("s1", { message: "m" });
    const answers = outcome.messages.filter((message) => message.getType() === "tool");
    expect(answers).toHaveLength(6);
    for (const { content } of answers) expect(content).not.toMatch(/checkpoints|s2\/c/);
  });

  test("GOV-093 GOV-094 GOV-095 what a state cannot reach is in no listing the model gets", async () => {
    const files = async (entries: Record<string, string>) => {
      const { backend } = createMemorySessionStore();
      for (const [path, text] of Object.entries(entries)) await backend.write(path, text);
      return backend;
    };
    const bundle = (slug: string) => `---\nname: ${slug}\ndescription: The ${slug} bundle.\n---\nneedle\n`;
    const held = await desk(
      f1({}, { skills: { allow_always: ["billing"] } }),
      [
        calling(
          ["ls", { path: "/" }],
          ["glob", { pattern: "skills/**/SKILL.md" }],
          ["grep", { pattern: "needle" }],
        ),
        speaking("ok"),
      ],
      {
        mounts: {
          "/skills/": await files({ "/billing/SKILL.md": bundle("billing"), "/hr/SKILL.md": bundle("hr") }),
          "/vault/": { backend: await files({ "/a.md": "needle\nneedle" }), governed: true },
          "/memo/": await files({ "/m.md": "needle" }),
        },
      },
    );
    const outcome = await held.workflow.send("s1", { message: "m" });
    expect(outcome.messages.filter((m) => m.getType() === "tool").map((m) => m.content)).toEqual([
      "/memo/ (directory)\n/skills/ (directory)",
      "/skills/billing/SKILL.md",
      "/memo/m.md:\n  1: needle\n/skills/billing/SKILL.md:\n  5: needle",
    ]);
  });
});
