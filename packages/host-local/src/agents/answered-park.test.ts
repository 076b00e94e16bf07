/** A process that dies once a park's answer is stored and before anything else is. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextLoop } from "node:timers/promises";
import { createAgent, createFilesystemSessionStore } from "@archmax-ai/harness";
import { BackendCheckpointSaver, Workspace } from "@archmax-ai/harness/internal/sessions";
import {
  type AgentProvider,
  type Command,
  createTurnRunner,
  fenceCheckpointer,
  silentLogger,
} from "@archmax-ai/host";
import { afterEach, beforeEach, expect, test } from "vitest";
import { advance, calling, ScriptedModel, speaking } from "../../../harness/src/runtime/turn-fixture.ts";
import { createManualClock } from "../../../host/src/testing-fixtures/manual-clock.ts";
import { createMemoryQueue, createMemoryScheduler } from "../../../host/src/testing-fixtures/memory-queue.ts";
import { createMemoryRecords } from "../../../host/src/testing-fixtures/memory-records.ts";
import {
  createMemoryEventLog,
  createMemoryPublisher,
} from "../../../host/src/testing-fixtures/memory-stores.ts";

const DESK = `
instructions: Handle the request.
states:
  intake:
    instructions: Go on.
    triggers: { manual: null }
    transitions: [{ to: review, description: it is read }]
  review:
    type: human
    instructions: Is it fine?
    transitions: [{ to: done, description: fine, type: approve }]
  done: {}
`;

class ProcessGone extends Error {
  override readonly name = "ProcessGone";
}

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "archmax-answered-"));
  await mkdir(join(folder, "workspace", "workflows", "desk"), { recursive: true });
  await writeFile(join(folder, "workspace", "workflows", "desk", "workflow.yaml"), DESK);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const addressed = { tenant: "acme", sessionId: "s1", workflow: "desk" };
const command = (kind: "send" | "decide" | "continue", id: string): Command => {
  const common = { ...addressed, turnId: id, commandId: id };
  if (kind === "decide") return { kind, ...common, target: "done" };
  return kind === "send" ? { kind, ...common, message: "hello" } : { kind, ...common };
};

/** A host whose process dies at the `at`-th write of a checkpoint, records and all; `restart` starts a new one. */
function mortalHost() {
  const clock = createManualClock();
  const records = createMemoryRecords();
  const replace = records.replace.bind(records);
  const queue = createMemoryQueue(clock);
  const model = new ScriptedModel([
    calling(advance("review")),
    speaking("Please decide."),
    speaking("Done."),
    speaking("Done."),
  ]);
  const { backend, ...store } = createFilesystemSessionStore({ dir: join(folder, "data") });
  let left = Number.POSITIVE_INFINITY;
  let gone = false;
  /** Writes under way. Several of one step are: what one process wrote is there, or never will be, for the next. */
  const writing = new Set<Promise<unknown>>();
  const agents: AgentProvider = {
    async agentFor(request) {
      const saver = new BackendCheckpointSaver(new Workspace(backend));
      for (const name of ["put", "putWrites"] as const) {
        const write = saver[name].bind(saver) as (...args: unknown[]) => Promise<never>;
        saver[name] = (...args: unknown[]) => {
          const written = write(...args).finally(() => writing.delete(written));
          writing.add(written);
          return written;
        };
      }
      const fence = {
        token: request.fence.token,
        async assertHeld() {
          left -= 1;
          if (left <= 0) gone = true;
          if (gone) throw new ProcessGone();
          await request.fence.assertHeld();
        },
      };
      const { workflow, ...agent } = await createAgent({
        workflow: request.workflow,
        model,
        workspace: { rootDir: join(folder, "workspace"), sessionStore: { ...store, backend } },
        checkpointer: fenceCheckpointer(saver, { ...request, fence }),
        onEvent: request.onEvent,
      });
      if (workflow === undefined) throw new TypeError("The agent has no workflow.");
      return { ...agent, workflow };
    },
  };
  records.replace = async (...args) => {
    if (gone) throw new ProcessGone();
    return replace(...args);
  };
  let ids = 0;
  const ports = {
    agents,
    records,
    queue,
    scheduler: createMemoryScheduler(clock, queue),
    publisher: createMemoryPublisher(),
    eventLog: createMemoryEventLog(),
    clock,
    logger: silentLogger,
    newId: () => `id-${++ids}`,
  };
  return {
    runner: createTurnRunner(ports),
    record: async () => (await records.get(addressed))?.record,
    dieAt(write: number) {
      left = write;
    },
    async restart() {
      await nextLoop();
      await Promise.allSettled(writing);
      gone = false;
      left = Number.POSITIVE_INFINITY;
      await clock.advance(120_000);
    },
  };
}

test.each([
  ["the decision delivered again", "decide", "d1"],
  ["the sweep's command to go on", "continue", "d1"],
] as const)(
  "HOST-012 a decision whose process died at any write is carried out once by %s",
  async (_what, kind, id) => {
    let answered = 0;
    for (let write = 1; ; write += 1) {
      await rm(join(folder, "data"), { recursive: true, force: true });
      const host = mortalHost();
      expect(await host.runner.run(command("send", "a"))).toMatchObject({ kind: "settled" });
      host.dieAt(write);
      const lived = await host.runner.run(command("decide", "d1")).then(
        () => true,
        () => false,
      );
      await host.restart();
      if (lived) break;
      const result = await host.runner.run(command(kind, id));
      if (result.kind === "stale") {
        // Nothing of the decision had been stored: the session waits as before, and takes it.
        expect(await host.runner.run(command("decide", "d2"))).toMatchObject({ kind: "settled" });
      } else answered += 1;
      const { status, park } = (await host.record()) ?? {};
      expect({ status, park }, `died at write ${write}`).toEqual({ status: "completed", park: undefined });
    }
    expect(answered).toBeGreaterThan(3);
  },
);
