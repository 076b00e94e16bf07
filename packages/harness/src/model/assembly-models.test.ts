/** The models and the environment of an assembly, through `createAgent`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dump } from "js-yaml";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createAgent } from "../create-agent.ts";
import type { WorkflowLifecycleEvent } from "../events/types.ts";
import { advance, calling, f1, ScriptedModel, speaking } from "../runtime/turn-fixture.ts";
import { createMemorySessionStore } from "../workspace/memory-session-store.ts";
import type { ModelFactory } from "./model-set.ts";

const VARIABLES = [
  "ARCHMAX_API_BASE_URL",
  "ARCHMAX_API_KEY",
  "ARCHMAX_MODEL",
  "ARCHMAX_STREAMING",
  "ARCHMAX_PROMPT_CACHE",
];
const MODELS = f1({ work: { model: "large" }, done: { model: "large" } }, { settings: { model: "small" } });

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "archmax-models-"));
  for (const name of VARIABLES) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

async function authored(spec: Record<string, unknown>) {
  const authoring = createMemorySessionStore().backend;
  await authoring.write("/workflows/desk/workflow.yaml", dump(spec));
  return { workflow: "desk", authoring, mounts: {}, workspace: { sessionStore: createMemorySessionStore() } };
}

describe("declared models", () => {
  test("WS-015 a factory is called exactly for agent, agent small and agent large", async () => {
    const calls: string[] = [];
    const modelFactory: ModelFactory = (role, _env, requested) => {
      calls.push([role, requested].filter(Boolean).join(" "));
      return new ScriptedModel([]);
    };
    await createAgent({ ...(await authored(MODELS)), modelFactory, onEvent: () => {} });
    expect(calls).toEqual(["agent", "agent small", "agent large"]);
  });

  test("WS-015 each state's turns run on the model of its own id", async () => {
    const models = new Map([
      [undefined, new ScriptedModel([])],
      ["small", new ScriptedModel([calling(advance("work"))])],
      ["large", new ScriptedModel([calling(advance("done")), speaking("bye")])],
    ]);
    const agent = await createAgent({
      ...(await authored(MODELS)),
      modelFactory: (_role, _env, requested) => models.get(requested) ?? new ScriptedModel([]),
      onEvent: () => {},
    });
    const outcome = await agent.workflow?.send("s", { message: "m" });
    expect(outcome?.kind).toBe("completed");
    expect([...models.values()].map(({ requests }) => requests.length)).toEqual([0, 1, 2]);
  });

  test("WS-016 an explicit model runs all turns, with one warning naming what it displaces", async () => {
    const events: WorkflowLifecycleEvent[] = [];
    const model = new ScriptedModel([calling(advance("work")), calling(advance("done")), speaking("bye")]);
    const agent = await createAgent({ ...(await authored(MODELS)), model, onEvent: (e) => events.push(e) });
    const outcome = await agent.workflow?.send("s", { message: "m" });
    expect(outcome?.kind).toBe("completed");
    expect(model.requests).toHaveLength(3);
    const warnings = events.filter((event) => event.type === "warning");
    expect(warnings).toHaveLength(1);
    for (const named of ["settings.model", "work", "done"]) expect(warnings[0]?.message).toContain(named);
  });
});

describe("the environment", () => {
  test("WS-017 no model, no factory, no base URL rejects naming ARCHMAX_API_BASE_URL", async () => {
    await expect(createAgent({ ...(await authored(f1())), onEvent: () => {} })).rejects.toThrow(
      "ARCHMAX_API_BASE_URL",
    );
  });

  test("WS-017 ARCHMAX_STREAMING=maybe rejects naming it", async () => {
    vi.stubEnv("ARCHMAX_API_BASE_URL", "http://127.0.0.1:9/v1");
    vi.stubEnv("ARCHMAX_API_KEY", "k");
    vi.stubEnv("ARCHMAX_MODEL", "m");
    vi.stubEnv("ARCHMAX_STREAMING", "maybe");
    await expect(createAgent({ ...(await authored(f1())), onEvent: () => {} })).rejects.toThrow(
      "ARCHMAX_STREAMING",
    );
  });

  test("WS-018 an exported ARCHMAX_MODEL wins over the workspace root's .env", async () => {
    writeFileSync(
      join(root, ".env"),
      "ARCHMAX_API_BASE_URL=http://127.0.0.1:9/v1\nARCHMAX_API_KEY=k\nARCHMAX_MODEL=root\n",
    );
    const read = async () => {
      const seen: string[] = [];
      await createAgent({
        workflow: false,
        workspace: { rootDir: root },
        onEvent: () => {},
        modelFactory: (_role, env) => {
          seen.push(env().model);
          return new ScriptedModel([]);
        },
      });
      return seen;
    };
    expect(await read()).toEqual(["root"]);
    vi.stubEnv("ARCHMAX_MODEL", "exported");
    expect(await read()).toEqual(["exported"]);
  });
});

test("a workspace root without a .env changes nothing", async () => {
  mkdirSync(join(root, "skills"));
  const before = { ...process.env };
  await createAgent({
    workflow: false,
    workspace: { rootDir: root },
    onEvent: () => {},
    model: new ScriptedModel([]),
  });
  expect({ ...process.env }).toEqual(before);
});
