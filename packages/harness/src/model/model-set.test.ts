import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { describe, expect, test, vi } from "vitest";
import { WorkflowMachine } from "../machine/workflow-machine.ts";
import type { MachineSpec } from "../spec/schema.ts";
import type { AgentEnv } from "./environment.ts";
import { createJudgeModel, createModelSet, type ModelFactory } from "./model-set.ts";

const edge = (to: string) => [{ to, description: "d" }];
const spec: MachineSpec = {
  settings: { model: "small" },
  states: {
    a: { triggers: { manual: null }, transitions: edge("b") },
    b: { model: "large", transitions: edge("c") },
    c: { model: "large" },
  },
};
const machine = WorkflowMachine.fromSpec(spec);
const env: AgentEnv = { apiBaseUrl: "http://127.0.0.1:9/v1", apiKey: "k", model: "env-model" };

function recordingFactory() {
  const calls: string[] = [];
  const modelFactory: ModelFactory = (role, _env, requested) => {
    calls.push(requested === undefined ? role : `${role} ${requested}`);
    return new FakeListChatModel({ responses: ["ok"] });
  };
  return { calls, modelFactory };
}

function noEnv(): AgentEnv {
  throw new Error("the environment was read");
}

const fake = (): BaseChatModel => new FakeListChatModel({ responses: ["ok"] });
const idOf = (model: BaseChatModel): unknown => Reflect.get(model, "model");

describe("createModelSet", () => {
  test("WS-015 a factory is called for agent, agent small and agent large, and reads no environment", () => {
    const { calls, modelFactory } = recordingFactory();
    const set = createModelSet({ modelFactory, machine, warn: vi.fn(), readEnv: noEnv });
    expect(calls).toEqual(["agent", "agent small", "agent large"]);
    expect(set.forState("b")).toBe(set.forState("c"));
    expect(set.forState("a")).not.toBe(set.forState("b"));
    expect(set.forState()).toBe(set.forState("a"));
    expect([set.configuredId("a"), set.configuredId("b")]).toEqual(["small", "large"]);
    expect(calls).toHaveLength(3);
  });

  test("WS-016 an explicit model serves every state, with one warning naming every ignored position", () => {
    const { calls, modelFactory } = recordingFactory();
    const warn = vi.fn<(message: string) => void>();
    const model = fake();
    const set = createModelSet({ model, modelFactory, machine, warn, readEnv: noEnv });
    expect(warn).toHaveBeenCalledTimes(1);
    for (const position of ["settings.model", "states.b.model", "states.c.model"]) {
      expect(warn.mock.calls[0]?.[0]).toContain(position);
    }
    for (const state of ["a", "b", "c"]) {
      expect(set.forState(state)).toBe(model);
      expect(set.configuredId(state)).toBeUndefined();
    }
    expect(calls).toEqual([]);
  });

  test("WS-017 without model, factory and base URL rejects naming ARCHMAX_API_BASE_URL", () => {
    vi.stubEnv("ARCHMAX_API_BASE_URL", "");
    expect(() => createModelSet({ machine, warn: vi.fn() })).toThrow("ARCHMAX_API_BASE_URL");
    vi.unstubAllEnvs();
  });

  test("the default applies a declared id over the environment, which is read once", () => {
    const readEnv = vi.fn(() => env);
    const set = createModelSet({ machine, warn: vi.fn(), readEnv });
    expect(idOf(set.forState("b"))).toBe("large");
    expect(idOf(set.rubric())).toBe("env-model");
    expect(idOf(set.rubric("grader"))).toBe("grader");
    expect(readEnv).toHaveBeenCalledTimes(1);
  });

  test("without declared ids nothing is warned of and the agent's model serves", () => {
    const warn = vi.fn();
    const model = fake();
    const set = createModelSet({ model, warn });
    expect(set.forState()).toBe(model);
    expect(warn).not.toHaveBeenCalled();
  });

  test("a rubric's model is built once per id when it is first asked for", () => {
    const { calls, modelFactory } = recordingFactory();
    const set = createModelSet({ modelFactory, warn: vi.fn(), readEnv: noEnv });
    expect(set.rubric("x")).toBe(set.rubric("x"));
    expect(set.rubric()).not.toBe(set.rubric("x"));
    expect(calls).toEqual(["agent", "rubric x", "rubric"]);
  });

  test("without a factory an instance serves rubrics that name no model", () => {
    const model = fake();
    const set = createModelSet({ model, warn: vi.fn(), readEnv: () => env });
    expect(set.rubric()).toBe(model);
    expect(idOf(set.rubric("x"))).toBe("x");
  });

  test("a factory supplies rubrics beside an instance", () => {
    const { calls, modelFactory } = recordingFactory();
    createModelSet({ model: fake(), modelFactory, warn: vi.fn() }).rubric();
    expect(calls).toEqual(["rubric"]);
  });

  test("a sub-workflow resolves its own ids, inherits none and shares the models", () => {
    const { calls, modelFactory } = recordingFactory();
    const set = createModelSet({ modelFactory, machine, warn: vi.fn(), readEnv: noEnv });
    const child = WorkflowMachine.fromSpec({
      states: { k: { triggers: { manual: null }, transitions: edge("l") }, l: { model: "large" } },
    });
    const childSet = set.forWorkflow(child, vi.fn());
    expect(childSet.forState("k")).toBe(childSet.forState());
    expect(childSet.forState("k")).not.toBe(set.forState("a"));
    expect(childSet.configuredId("k")).toBeUndefined();
    expect(childSet.forState("l")).toBe(set.forState("b"));
    expect(calls).toEqual(["agent", "agent small", "agent large"]);
  });

  test("a sub-workflow under an explicit model warns for itself", () => {
    const warn = vi.fn<(message: string) => void>();
    createModelSet({ model: fake(), warn: vi.fn() }).forWorkflow(machine, warn);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

describe("createJudgeModel", () => {
  test("lays its settings over the environment's", () => {
    const judge = createJudgeModel({ settings: { model: "judge-1", temperature: 0 }, readEnv: () => env });
    expect(judge).toMatchObject({ model: "judge-1", temperature: 0 });
  });

  test("hands a factory the thunk and does not call it", () => {
    const { calls, modelFactory } = recordingFactory();
    createJudgeModel({ modelFactory, settings: {}, readEnv: noEnv });
    expect(calls).toEqual(["judge"]);
  });

  test("reads the environment once for a factory that asks twice", () => {
    const readEnv = vi.fn(() => env);
    const seen: string[] = [];
    createJudgeModel({
      settings: { model: "j" },
      readEnv,
      modelFactory: (_role, thunk) => {
        seen.push(thunk().model, thunk().model);
        return fake();
      },
    });
    expect(seen).toEqual(["j", "j"]);
    expect(readEnv).toHaveBeenCalledTimes(1);
  });
});
