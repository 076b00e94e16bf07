/** The system message a model is sent in the course of a turn. */
import type { BaseMessage } from "@langchain/core/messages";
import { dump } from "js-yaml";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createAgent } from "../../create-agent.ts";
import { createMemorySessionStore } from "../../workspace/memory-session-store.ts";
import {
  advance,
  calling,
  desk,
  f1,
  f2,
  type ModelRequest,
  ScriptedModel,
  speaking,
} from "../turn-fixture.ts";
import { TOOL_GUIDANCE } from "./tool-guidance.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

interface Block {
  type: string;
  text: string;
  cache_control?: unknown;
}

function blocksOf(request: ModelRequest | undefined): [Block, Block] {
  const system: BaseMessage | undefined = request?.messages[0];
  const content: unknown = system?.content;
  if (!Array.isArray(content) || content.length !== 2)
    throw new Error("The system message has not two blocks.");
  return content as [Block, Block];
}

const edgesOf = (text: string) => text.split("\n").filter((line) => line.startsWith("- to "));

describe("RUN-090", () => {
  test("RUN-090 the static block is equal in intake and work, the volatile one lists each state's own edges", async () => {
    const { workflow, model } = await desk(f1(), [calling(advance("work")), speaking("ok")]);
    await workflow.send("s", { message: "m" });
    const [inIntake, inWork] = model.requests.map(blocksOf);
    expect(inIntake?.[0]).toEqual(inWork?.[0]);
    expect(edgesOf(inIntake?.[1].text ?? "")).toEqual(["- to `work` — w", "- to `done` (terminal) — d"]);
    expect(edgesOf(inWork?.[1].text ?? "")).toEqual(["- to `done` (terminal) — d"]);
    expect(edgesOf(inIntake?.[0].text ?? "")).toEqual([]);
  });

  test("the guidance on todos and files ends the static block", async () => {
    const { workflow, model } = await desk(f1(), [speaking("ok")]);
    await workflow.send("s", { message: "m" });
    expect(blocksOf(model.requests[0])[0].text.endsWith(TOOL_GUIDANCE)).toBe(true);
  });

  test("RUN-090 at 10:19:59 and 10:10:00 the static and the clock text are identical", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const at = async (time: string) => {
      vi.setSystemTime(new Date(`2026-03-01T${time}Z`));
      const { workflow, model } = await desk(f1(), [speaking("ok")]);
      await workflow.send("s", { message: "m" });
      return blocksOf(model.requests[0]);
    };
    const late = await at("10:19:59");
    expect(late).toEqual(await at("10:10:00"));
    expect(late[1].text).toContain("2026-03-01 10:10 UTC");
  });
});

describe("RUN-091", () => {
  test("RUN-091 a follow-up turn in done has the directive, a turn that advanced there has not", async () => {
    const { workflow, model } = await desk(f1(), [
      calling(advance("done")),
      speaking("bye"),
      speaking("more"),
    ]);
    await workflow.send("s", { message: "m" });
    await workflow.send("s", { message: "and?" });
    const volatile = model.requests.map((request) => blocksOf(request)[1].text);
    expect(volatile.map((text) => text.includes("## Current state: done"))).toEqual([false, true, true]);
    expect(volatile.map((text) => text.includes("follows up on finished work"))).toEqual([
      false,
      false,
      true,
    ]);
  });
});

test("the reply-only call of a parked session names no transition", async () => {
  const { workflow, model } = await desk(f2(), [calling(advance("review")), speaking("please look")]);
  await workflow.send("s", { message: "m" });
  const [, volatile] = blocksOf(model.requests[1]);
  expect(volatile.text).toContain("## This run is parked");
  expect(volatile.text).toContain("## Current state: review");
  expect(edgesOf(volatile.text)).toEqual([]);
  expect(volatile.text).not.toContain("`sent`");
});

describe("RUN-096", () => {
  class NamedModel extends ScriptedModel {
    readonly model: string;
    constructor(model: string) {
      super([speaking("ok")]);
      this.model = model;
    }
    override bindTools(): this {
      return this;
    }
  }

  const marksFor = async (id: string) => {
    vi.stubEnv("ARCHMAX_PROMPT_CACHE", "");
    const model = new NamedModel(id);
    const { workflow, of } = await desk(f1(), [], { model, promptCache: { ttl: "9m" } });
    await workflow.send("s", { message: "m" });
    return {
      marks: blocksOf(model.requests[0]).map((block) => block.cache_control),
      warnings: of("warning"),
    };
  };

  test("RUN-096 a Claude-named compatible model has the first system block marked, with 5m", async () => {
    const { marks } = await marksFor("vendor/claude-x");
    expect(marks).toEqual([{ type: "ephemeral", ttl: "5m" }, undefined]);
  });

  test("RUN-096 gpt-x has no mark and no warning", async () => {
    const { marks, warnings } = await marksFor("gpt-x");
    expect(marks).toEqual([undefined, undefined]);
    expect(warnings).toEqual([]);
  });
});

describe("RUN-094", () => {
  const run = async (onEvent?: () => void) => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const authoring = createMemorySessionStore().backend;
    await authoring.write("/workflows/desk/workflow.yaml", dump(f1()));
    const agent = await createAgent({
      workflow: "desk",
      model: new ScriptedModel([calling(advance("done")), speaking("bye")]),
      authoring,
      mounts: {},
      workspace: { sessionStore: createMemorySessionStore() },
      ...(onEvent === undefined ? {} : { onEvent }),
    });
    await agent.workflow?.send("s", { message: "m" });
    return [...log.mock.calls, ...warn.mock.calls].map(([line]) => String(line));
  };

  test("RUN-094 with onEvent the console is silent", async () => {
    expect(await run(() => {})).toEqual([]);
  });

  test("RUN-094 without it advance is printed and tool-called is not", async () => {
    const lines = await run();
    expect(lines.some((line) => line.includes("'intake' -> 'done'"))).toBe(true);
    expect(lines.some((line) => line.includes("archmax_advance"))).toBe(false);
  });
});
