import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
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
import { useS3Server } from "../../../store-s3/src/testing-fixtures/s3-server.ts";
import { createAwsSessionData } from "../session-data/session-data.ts";
import { type SessionStorageOptions, tenantCheckpointer } from "../session-data/tenant-storage.ts";
import { useDatabase } from "../testing-fixtures/database.ts";
import { createAwsAgentProvider } from "./agent-provider.ts";

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

const database = useDatabase();
const server = useS3Server();
let workspaceDir: string;
let storage: SessionStorageOptions;

beforeEach(async () => {
  workspaceDir = await mkdtemp(join(tmpdir(), "archmax-aws-agents-"));
  await mkdir(join(workspaceDir, "workflows", "desk"), { recursive: true });
  await writeFile(join(workspaceDir, "workflows", "desk", "workflow.yaml"), DESK);
  const { client: s3, bucket } = await server.bucket();
  storage = {
    dynamo: database.client(),
    checkpointsTable: await database.checkpointsTable(),
    s3,
    bucket,
  };
});

afterEach(() => rm(workspaceDir, { recursive: true, force: true }));

function provider(answers: Answer[], part: Partial<SessionStorageOptions> = {}) {
  return createAwsAgentProvider({ ...storage, ...part, workspaceDir }, { model: new ScriptedModel(answers) });
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

const fence = (token: number) => ({ token, assertHeld: async () => {} });
const saver = () => createAwsSessionData(storage).forTenant("acme").checkpointer;
const thread = (id: string) => ({ configurable: { thread_id: id, checkpoint_ns: "" } });

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
  expect(await first.workflow.send("s1", { message: "hello" })).toMatchObject({
    kind: "parked",
    state: "review",
    parkedChannel: "decision",
  });
  first.dispose("s1");
  expect(events).toContain("tool-called");
  expect(checkpoints).toBeGreaterThan(2);

  const acme = createAwsSessionData(storage).forTenant("acme");
  expect((await acme.sessionStore.backend.read("/s1/scratchpad/note.txt")).content).toBe("noted");
  const tuple = await acme.checkpointer.getTuple(thread("s1"));
  expect(tuple?.checkpoint.channel_values).toMatchObject({ status: "awaiting_decision" });

  const second = await provider([speaking("Done.")]).agentFor(request({ fence: fence(2) }));
  expect(await second.workflow.send("s1", { decision: { target: "done" } })).toMatchObject({
    kind: "completed",
    disposition: "decide",
  });
});

test("HOST-013 a writer whose lease is lost stores nothing more, as its record says", async () => {
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
  expect(await saver().getTuple(thread("s1"))).toBeUndefined();
});

test("HOST-013 a writer overtaken after it asked is refused by the checkpoints' own fence", async () => {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = await provider([
    async () => {
      asked.resolve();
      await answer.promise;
      return calling(advance("review"));
    },
    speaking("Please decide."),
  ]).agentFor(request());
  const refused = late.workflow.send("s1", { message: "hello" }, { durability: "sync" });
  refused.catch(() => {});
  await asked.promise;
  const next = await provider([calling(advance("review")), speaking("The later turn's.")]).agentFor(
    request({ fence: fence(2) }),
  );
  await next.invoke(null, { ...thread("s1"), durability: "sync" });
  answer.resolve();
  await expect(refused).rejects.toMatchObject({ name: "StaleWriterError" });
  const { channel_values } = (await saver().getTuple(thread("s1")))?.checkpoint ?? {};
  expect(JSON.stringify(channel_values)).toContain("The later turn's.");
  expect(JSON.stringify(channel_values)).not.toContain("Please decide.");
});

test("a child's checkpoints are fenced by its root's token", async () => {
  const checkpoint = {
    v: 4,
    id: "1ef00000-0000-6000-8000-000000000000",
    ts: "2026-01-01T00:00:00.000Z",
    channel_values: { step: 1 },
    channel_versions: { step: 1 },
    versions_seen: {},
  };
  const metadata = { source: "loop" as const, step: 0, parents: {} };
  const writer = (token: number | undefined) => tenantCheckpointer(storage, "acme", () => token);
  await writer(7).put(thread("s1~1"), checkpoint, metadata, { step: 1 });
  for (const stale of [6, undefined]) {
    await expect(
      writer(stale).put(
        { configurable: { ...thread("s1~1").configurable, checkpoint_id: checkpoint.id } },
        { ...checkpoint, id: "1ef00000-0000-6000-8000-000000000001" },
        metadata,
        {},
      ),
    ).rejects.toMatchObject({ name: "StaleWriterError" });
  }
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
  const second = await provider(answers).agentFor(request({ fence: fence(2) }));
  const config = { configurable: { thread_id: "s1" } };
  await second.invoke(null, config);
  expect((await second.getState(config)).values).toMatchObject({ status: "awaiting_decision" });
  expect(answers).toEqual([]);
});

test.each([
  ["whose checkpoints stay", {}],
  ["whose checkpoints expire too", { ttlSeconds: 86_400 }],
])("a session that begins anew takes over nothing of an expired one %s, and no other's", async (_, part) => {
  for (const [sessionId, token] of [
    ["s1", 9],
    ["s1-other", 9],
  ] as const) {
    const old = await provider([calling(advance("review")), speaking("Please decide.")]).agentFor(
      request({ sessionId, fence: fence(token) }),
    );
    await old.workflow.send(sessionId, { message: "the old one" });
  }
  const fresh = await provider([calling(advance("review")), speaking("Please decide.")], part).agentFor(
    request(),
  );
  const outcome = await fresh.workflow.send("s1", { message: "the new one" });
  expect(outcome).toMatchObject({ kind: "parked", disposition: "turn" });
  expect(JSON.stringify(outcome.messages)).not.toContain("the old one");
  expect(await saver().getTuple(thread("s1-other"))).toBeDefined();
});

test("an unknown workflow is refused by the harness's own error", async () => {
  await expect(provider([]).agentFor(request({ workflow: "none" }))).rejects.toMatchObject({
    name: "WorkflowLoadError",
  });
});

test.each([
  ["a control character", "a\tb"],
  ["half a surrogate pair", "a\ud800"],
  ["too many bytes for a key", "é".repeat(451)],
  ["too many bytes once escaped", " ".repeat(301)],
])("HOST-017 an id that no key can hold is refused before anything is written: %s", async (_, sessionId) => {
  await expect(provider([]).agentFor(request({ sessionId }))).rejects.toMatchObject({
    name: "SessionStoreIdError",
  });
  expect(await database.items(storage.checkpointsTable)).toEqual([]);
});

test.each([
  ["512 bytes", "é".repeat(256)],
  ["what keys escape", "a b%#/c".repeat(60)],
  ["unicode", "日本語/🙂.…"],
])("HOST-017 an id is stored exactly: %s", async (_, sessionId) => {
  const agent = await provider([calling(advance("review")), speaking("Please decide.")]).agentFor(
    request({ sessionId }),
  );
  expect(await agent.workflow.send(sessionId, { message: "hello" })).toMatchObject({ kind: "parked" });
  expect(await saver().getTuple(thread(sessionId))).toBeDefined();
});
