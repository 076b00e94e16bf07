import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BaseMessage } from "@langchain/core/messages";
import { FilesystemBackend } from "deepagents";
import { dump } from "js-yaml";
import { createMiddleware } from "langchain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAgent } from "./create-agent.ts";
import type { CreateAgentParams } from "./create-agent-params.ts";
import { contentToString } from "./messages/index.ts";
import { calling, desk, f1, hostTool, ScriptedModel, speaking } from "./runtime/turn-fixture.ts";
import { toolsFromMap } from "./workspace/host-tools.ts";
import { createMemorySessionStore } from "./workspace/memory-session-store.ts";
import { bare, bareStore, memoryBackend, recorded } from "./workspace/testing-fixtures/backends.ts";
import { currentToolContext } from "./workspace/tool-context.ts";

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "archmax-assembly-"));
  await put("desk", { instructions: "x", states: f1().states });
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function put(slug: string, spec: unknown): Promise<void> {
  await mkdir(join(root, "workflows", slug), { recursive: true });
  await writeFile(join(root, "workflows", slug, "workflow.yaml"), dump(spec));
}

const assemble = (
  params: CreateAgentParams = {},
  answers: ConstructorParameters<typeof ScriptedModel>[0] = [],
) =>
  createAgent({
    model: new ScriptedModel(answers),
    onEvent: () => {},
    ...params,
    workspace: { rootDir: root, sessionStore: createMemorySessionStore(), ...params.workspace },
  });

describe("assembly", () => {
  test("WS-001 without a workflow an agent is plain", async () => {
    const agent = await assemble();
    expect(agent.workflow).toBeUndefined();
    expect(await agent.sessions.list()).toEqual([]);
  });

  test("WS-002 WS-003 the default workflow governs unless it is declined, and an invalid one is an error", async () => {
    await put("order-lookup", { instructions: "x", states: f1().states });
    const { backend, calls } = recorded(new FilesystemBackend({ rootDir: root, virtualMode: true }));
    expect((await assemble({ workflow: false, authoring: backend })).workflow).toBeUndefined();
    expect(calls.filter(({ args }) => String(args[0]).includes("workflows"))).toEqual([]);
    expect((await assemble()).workflow?.name).toBe("order-lookup");
    await put("order-lookup", ["a", "list"]);
    await expect(assemble()).rejects.toMatchObject({ name: "WorkflowLoadError" });
    await rm(join(root, "workflows/order-lookup"), { recursive: true });
  });

  test("WS-004 a named workflow must load, and prose must not compete with it", async () => {
    await expect(assemble({ workflow: "nope" })).rejects.toMatchObject({
      name: "WorkflowLoadError",
      workflow: "nope",
    });
    await put("torn", { instructions: "x", states: f1().states });
    await writeFile(join(root, "workflows/torn/WORKFLOW.md"), "---\nstates: {}\n---\nText\n");
    await expect(assemble({ workflow: "torn" })).rejects.toMatchObject({ name: "WorkflowLoadError" });
  });

  test("a tool's path declaration is refused before a workflow that does not load", async () => {
    const toolPaths = { t: {} };
    await expect(assemble({ workflow: "nope", toolPaths })).rejects.toMatchObject({ name: "ToolPathsError" });
  });

  test("WS-005 WS-006 GOV-097 reserved tool names are refused, prefixed ones first", async () => {
    const named = (...names: string[]) => names.map((name) => hostTool(name));
    for (const workflow of ["desk", false] as const) {
      await expect(
        assemble({ workflow, tools: named("archmax_a", "ok", "archmax_b", "copy_file") }),
      ).rejects.toMatchObject({
        name: "ReservedToolNameError",
        names: ["archmax_a", "archmax_b"],
      });
    }
    await expect(assemble({ tools: named("copy_file") })).rejects.toMatchObject({
      names: ["copy_file"],
      reservation: "file-operation",
    });
  });

  test("WS-005 reserved tool names are refused before anything is read", async () => {
    const { backend, calls } = recorded(await memoryBackend());
    for (const workflow of ["desk", false] as const) {
      const params = { workflow, authoring: backend, backend, mounts: {}, tools: [hostTool("archmax_a")] };
      await expect(assemble(params)).rejects.toMatchObject({ name: "ReservedToolNameError" });
    }
    expect(calls).toEqual([]);
  });

  test.each(["desk", false] as const)(
    "WS-006 a host's read_file takes the built-in's place (workflow %s)",
    async (workflow) => {
      const answers = [calling(["read_file", { x: "a" }]), speaking("done")];
      const model = new ScriptedModel(answers);
      const agent = await assemble({ workflow, model, tools: [hostTool("read_file", () => "the host's")] });
      const config = { configurable: { thread_id: "s1" } };
      const { messages } = (await agent.invoke({ messages: "m" }, config)) as { messages: BaseMessage[] };
      expect(messages.map((message) => message.content)).toEqual(["m", "", "the host's", "done"]);
      expect(model.requests[0]?.tools.filter((name) => name === "read_file")).toHaveLength(1);
    },
  );

  test.each([{ read_file: { file_path: "read" } }, { t: { p: "peek" } }, { t: {} }])(
    "WS-007 GOV-098 the declaration %j is refused",
    async (toolPaths) => {
      await expect(assemble({ toolPaths: toolPaths as never })).rejects.toMatchObject({
        name: "ToolPathsError",
      });
    },
  );

  test("WS-008 built-in hook kinds cannot be registered", async () => {
    const execute = async () => ({ ok: true, value: undefined, logs: [], formatted: "" });
    await expect(assemble({ workflow: "desk", hookExecutors: { rubric: execute } })).rejects.toThrow(
      /rubric/,
    );
    await expect(assemble({ workflow: "desk", hookExecutors: { webhook: execute } })).resolves.toBeDefined();
  });

  test("WS-009 a default trigger and seeds are checked", async () => {
    await expect(assemble({ workflow: "desk", trigger: { id: "nope" } })).rejects.toMatchObject({
      name: "UnknownTriggerError",
      available: ["manual"],
    });
    await expect(assemble({ workflow: "desk", variables: { "Bad-Name": 1 } })).rejects.toMatchObject({
      name: "InvalidVariableNameError",
    });
  });

  test("WS-010 WS-011 the runtime contract is resolved and enforced", async () => {
    await put("v9", { instructions: "x", runtime: { version: "9" }, states: f1().states });
    await expect(assemble({ workflow: "v9" })).rejects.toThrow(
      /archmax-harness@9.*archmax-harness@1, archmax-harness@2/,
    );
    await put("other", { instructions: "x", runtime: { engine: "other" }, states: f1().states });
    await expect(assemble({ workflow: "other" })).rejects.toThrow(/other@1/);
    expect((await assemble({ workflow: "desk" })).runtimeContract).toEqual({
      engine: "archmax-harness",
      version: "1",
      source: "defaulted",
      sandbox: 1,
      testFormat: "1",
    });
    await put("v2", { instructions: "x", runtime: { version: 2 }, states: f1().states });
    expect((await assemble({ workflow: "v2" })).runtimeContract).toMatchObject({
      version: "2",
      source: "declared",
      sandbox: 2,
    });
  });

  test("WS-012 a disabled workflow assembles and starts nothing", async () => {
    await put("off", { instructions: "x", disabled: true, states: f1().states });
    const agent = await assemble({ workflow: "off" });
    expect(agent.workflow?.machine.disabled).toBe(true);
    await expect(agent.workflow?.send("s1", { message: "m" })).rejects.toMatchObject({
      name: "WorkflowDisabledError",
    });
    expect(await agent.sessions.list()).toEqual([]);
  });

  test("WS-019 toolMocks says whether the mock middleware is among the middleware", async () => {
    const mocks = createMiddleware({ name: "ToolMockMiddleware" });
    const other = createMiddleware({ name: "OtherMiddleware" });
    for (const workflow of ["desk", false] as const) {
      expect((await assemble({ workflow, middleware: [other, mocks] })).toolMocks).toBe(true);
      expect((await assemble({ workflow, middleware: [other] })).toolMocks).toBe(false);
      expect((await assemble({ workflow })).toolMocks).toBe(false);
    }
  });

  test("WS-056 a plain agent over stores with nothing but the required methods is told its skills", async () => {
    const skills = bare(
      await memoryBackend({ "/notes/SKILL.md": "---\nname: notes\ndescription: Takes notes.\n---\n" }),
    );
    const model = new ScriptedModel([speaking("ok")]);
    const agent = await assemble({
      workflow: false,
      model,
      authoring: bare(await memoryBackend()),
      mounts: { "/skills/": skills },
      workspace: { sessionStore: bareStore(createMemorySessionStore()) },
    });
    await agent.invoke({ messages: "m" }, { configurable: { thread_id: "s1" } });
    expect(contentToString(model.requests[0]?.messages[0]?.content)).toContain("Takes notes.");
  });

  test("WS-057 models see remove_file, never delete; a governed one never task", async () => {
    const governed = new ScriptedModel([speaking("ok")]);
    const agent = await assemble({ workflow: "desk", model: governed });
    await agent.workflow?.send("s1", { message: "m" });
    const plain = new ScriptedModel([speaking("ok")]);
    await (await assemble({ model: plain })).invoke({ messages: "m" }, { configurable: { thread_id: "p1" } });
    for (const model of [governed, plain]) {
      expect(model.requests[0]?.tools).toContain("remove_file");
      expect(model.requests[0]?.tools).not.toContain("delete");
    }
    expect(governed.requests[0]?.tools).not.toContain("task");
    expect(plain.requests[0]?.tools).toContain("task");
  });

  test("WS-048 a plain invoke under a reserved id is a rejection, and the store stays empty", async () => {
    const agent = await assemble({}, [speaking("ok")]);
    await expect(
      agent.invoke({ messages: "m" }, { configurable: { thread_id: "scratchpad" } }),
    ).rejects.toMatchObject({ name: "SessionStoreIdError" });
    expect(await agent.sessions.list()).toEqual([]);
  });

  test("WS-074 a host tool is handed its session, and outside a turn says why it has none", async () => {
    let seen: string | undefined;
    const tools = toolsFromMap({
      note: {
        description: "note",
        inputSchema: { type: "object", properties: {} },
        handler: async (_input, context) => {
          seen = context.sessionId;
          await context.workspace.write("scratchpad/n.txt", "n");
          return "noted";
        },
      },
    });
    const store = createMemorySessionStore();
    const held = await desk(
      f1({ intake: { tools: { allow: ["note"] } } }),
      [calling(["note", {}]), speaking("ok")],
      { tools },
      store,
    );
    await held.workflow.send("s7", { message: "m" });
    expect(seen).toBe("s7");
    expect((await store.backend.readRaw("/s7/scratchpad/n.txt")).data?.content).toBe("n");
    const outside = currentToolContext("note");
    expect(outside).toEqual({});
    expect("workspace" in outside).toBe(true);
    expect(() => outside.sessionId).toThrow(/note.*outside a turn/);
  });

  test("WS-076 another agent over the store goes on with the session", async () => {
    const store = createMemorySessionStore();
    const first = await desk(f1(), [speaking("one")], {}, store);
    await first.workflow.send("s1", { message: "m" });
    const second = await desk(f1(), [speaking("two")], {}, store);
    const outcome = await second.workflow.send("s1", { message: "n" });
    expect(outcome.messages.map(({ content }) => content)).toEqual(["m", "one", "n", "two"]);
  });

  test("WS-097 a fresh session resolves by a declared trigger alone", async () => {
    const { workflow } = await assemble({ workflow: "desk" });
    await expect(
      workflow?.resolveSession({ trigger: { id: "mail" }, sessionId: "s1" }),
    ).rejects.toMatchObject({
      name: "UnknownTriggerError",
      triggerId: "mail",
      available: ["manual"],
    });
    await expect(
      workflow?.resolveSession({ trigger: { id: "manual" }, sessionId: "s1" }),
    ).resolves.toMatchObject({
      disposition: "turn",
      startState: "intake",
    });
  });

  test("WS-092 one mount table, under either name", async () => {
    const { backend } = createMemorySessionStore();
    await expect(
      assemble({ mounts: { "/a/": backend }, workspace: { mounts: { "/a/": backend } } }),
    ).rejects.toThrow(/mounts.*workspace\.mounts/);
    await expect(assemble({ mounts: { "/a/": backend } })).resolves.toBeDefined();
  });
});
