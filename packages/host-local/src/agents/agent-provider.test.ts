import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentRequest, LeaseLostError } from "@archmax-ai/host";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type Answer,
  advance,
  calling,
  ScriptedModel,
  speaking,
} from "../../../harness/src/runtime/turn-fixture.ts";
import { createSessionData } from "../files/session-data.ts";
import { createLocalAgentProvider } from "./agent-provider.ts";

const DESK = `
instructions: Handle the request.
states:
  intake:
    instructions: Write the note, then go on.
    triggers: { manual: null }
    tools: { allow: [write_file] }
    transitions: [{ to: review, description: it is written }]
  review:
    type: human
    transitions: [{ to: done, description: fine, type: approve }]
  done: {}
`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "archmax-agents-"));
  await mkdir(join(folder, "workspace", "workflows", "desk"), { recursive: true });
  await writeFile(join(folder, "workspace", "workflows", "desk", "workflow.yaml"), DESK);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function provider(answers: Answer[]) {
  return createLocalAgentProvider(
    { rootDir: join(folder, "workspace"), dataDir: join(folder, "data") },
    { model: new ScriptedModel(answers) },
  );
}

function request(part: Partial<AgentRequest> = {}): AgentRequest {
  return {
    tenant: "acme",
    sessionId: "s1",
    workflow: "desk",
    fence: { token: 1, assertHeld: async () => {} },
    afterCheckpoint() {},
    onEvent() {},
    ...part,
  };
}

test("a turn is stored below its tenant, and the next agent and the light functions read it", async () => {
  const events: string[] = [];
  let checkpoints = 0;
  const first = await provider([
    calling(["write_file", { file_path: "scratchpad/note.txt", content: "noted" }]),
    calling(advance("review")),
    speaking("Please decide."),
  ]).agentFor(
    request({
      onEvent: (event) => events.push(event.type),
      afterCheckpoint() {
        checkpoints += 1;
      },
    }),
  );
  const parked = await first.workflow.send("s1", { message: "hello" });
  expect(parked).toMatchObject({ kind: "parked", state: "review", parkedChannel: "decision" });
  first.dispose("s1");
  expect(events).toContain("tool-called");
  expect(checkpoints).toBeGreaterThan(2);
  const runs = join(folder, "data", "tenants", "acme", "runs");
  expect((await readdir(runs)).sort()).toEqual(["_specs", "s1"]);
  expect(await readdir(join(runs, "s1", "scratchpad"))).toEqual(["note.txt"]);
  expect(await readdir(join(folder, "data", "tenants", "acme", "incoming"))).toEqual([]);

  const stored = createSessionData(join(folder, "data"));
  const tuple = await stored
    .forTenant("acme")
    .checkpointer.getTuple({ configurable: { thread_id: "s1", checkpoint_ns: "" } });
  expect(tuple?.checkpoint.channel_values).toMatchObject({ status: "awaiting_decision" });

  const second = await provider([speaking("Done.")]).agentFor(request());
  expect(await second.workflow.send("s1", { decision: { target: "done" } })).toMatchObject({
    kind: "completed",
    disposition: "decide",
  });
});

test("a writer whose lease is lost stores nothing more", async () => {
  const agent = await provider([calling(advance("review")), speaking("Please decide.")]).agentFor(
    request({
      fence: {
        token: 1,
        assertHeld: async () => {
          throw new LeaseLostError();
        },
      },
    }),
  );
  await expect(agent.workflow.send("s1", { message: "hello" })).rejects.toThrow(LeaseLostError);
  const checkpoints = join(folder, "data", "tenants", "acme", "runs", "s1", "checkpoints");
  expect(await readdir(checkpoints).catch(() => [])).toEqual([]);
});

test("a turn cut off when nothing but its input was stored goes on from there", async () => {
  const answers = [calling(advance("review")), speaking("Please decide.")];
  const first = await provider(answers).agentFor(
    request({
      afterCheckpoint() {
        throw new LeaseLostError();
      },
    }),
  );
  await expect(first.workflow.send("s1", { message: "hello" })).rejects.toThrow(LeaseLostError);
  const second = await provider(answers).agentFor(request());
  const config = { configurable: { thread_id: "s1" } };
  await second.invoke(null, config);
  expect((await second.getState(config)).values).toMatchObject({ status: "awaiting_decision" });
  expect(answers).toEqual([]);
});

test("an unknown workflow is refused by the harness's own error", async () => {
  await expect(provider([]).agentFor(request({ workflow: "none" }))).rejects.toMatchObject({
    name: "WorkflowLoadError",
  });
});

test("an id that no folder can be named after is refused before anything is written", async () => {
  const sessionId = `${"ü".repeat(120)}x`;
  await expect(provider([]).agentFor(request({ sessionId }))).rejects.toMatchObject({
    name: "SessionStoreIdError",
  });
  expect(await readdir(folder)).toEqual(["workspace"]);
});
