/** The host's turns on session records and checkpoints in DynamoDB and files on S3. */
import { randomUUID } from "node:crypto";
import {
  type AgentProvider,
  type Command,
  createTurnRunner,
  fenceCheckpointer,
  silentLogger,
} from "@archmax-ai/host";
import { expect, test } from "vitest";
import {
  type Answer,
  advance,
  calling,
  desk,
  f2,
  speaking,
  wait,
} from "../../packages/harness/src/runtime/turn-fixture.ts";
import { createManualClock } from "../../packages/host/src/testing-fixtures/manual-clock.ts";
import {
  createMemoryQueue,
  createMemoryScheduler,
} from "../../packages/host/src/testing-fixtures/memory-queue.ts";
import {
  createMemoryEventLog,
  createMemoryPublisher,
} from "../../packages/host/src/testing-fixtures/memory-stores.ts";
import { type Tenant, useAwsStores } from "./aws-stores.ts";

const stores = useAwsStores();

const ADDRESS = { tenant: "acme", sessionId: "s1", workflow: "desk" };

/** A host over tables and a bucket of its own, whose model gives these answers turn by turn. */
async function hostOnAws(turns: Answer[][]) {
  const records = stores.records();
  const [tenant] = (await stores.tenants("acme")) as [Tenant];
  const spec = f2({ draft: { tools: { allow: ["archmax_wait"] } } });
  const agents: AgentProvider = {
    async agentFor(request) {
      const saver = tenant.saver({ fence: () => request.fence.token });
      const checkpointer = fenceCheckpointer(saver, request);
      const { workflow, agent } = await desk(spec, turns.shift() ?? [], { checkpointer }, tenant.store());
      return {
        workflow,
        invoke: (input, config) => agent.invoke(input, config),
        getState: (config) => agent.getState(config),
        dispose: (sessionId) => agent.dispose(sessionId),
      };
    },
  };
  const clock = createManualClock();
  const queue = createMemoryQueue(clock);
  const runner = createTurnRunner({
    agents,
    records,
    queue,
    scheduler: createMemoryScheduler(clock, queue),
    publisher: createMemoryPublisher(),
    eventLog: createMemoryEventLog(),
    clock,
    logger: silentLogger,
    newId: randomUUID,
  });
  /** What the harness lists, and what the host lists with these statuses. */
  async function listed(...statuses: ("awaiting_input" | "awaiting_decision" | "completed")[]) {
    const { agent } = await tenant.agent(spec);
    const { records: found } = await records.list({ tenant: "acme", workflow: "desk", statuses, limit: 10 });
    return { harness: await agent.sessions.list(), host: found.map(({ sessionId }) => sessionId) };
  }
  return { runner, records, listed };
}

test("AWS-028 the harness lists no session of a supplied checkpointer; the host lists each from its records", {
  timeout: 60_000,
}, async () => {
  const { runner, records, listed } = await hostOnAws([
    [speaking("waiting", wait("vendor"))],
    [calling(advance("review")), speaking("please look")],
    [speaking("done")],
  ]);
  const run = async (commandId: string, command: Partial<Command>) => {
    const whole = { ...ADDRESS, turnId: commandId, commandId, ...command } as Command;
    expect(await runner.run(whole)).toMatchObject({ kind: "settled" });
  };
  await run("c1", { kind: "send", message: "m" });
  expect(await listed("awaiting_input")).toEqual({ harness: [], host: ["s1"] });
  await run("c2", { kind: "deliver", trigger: { id: "mail" } });
  expect(await listed("awaiting_input")).toEqual({ harness: [], host: [] });
  expect(await listed("awaiting_decision")).toEqual({ harness: [], host: ["s1"] });
  await run("c3", { kind: "decide", target: "sent" });
  expect(await listed("completed")).toEqual({ harness: [], host: ["s1"] });
  const stored = await records.get(ADDRESS);
  expect(stored?.record).toMatchObject({ status: "completed", state: "sent", leaseToken: 3, parkSeq: 2 });
  expect(stored?.record.turn).toBeUndefined();
});
