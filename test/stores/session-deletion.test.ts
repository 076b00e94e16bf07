/** Deleting a session that is kept on AWS, by a process that dies at each of its storage calls in turn (spec 08 C). */
import { randomUUID } from "node:crypto";
import { isChildSessionOf, NO_MOUNTS } from "@archmax-ai/harness/spec";
import { createSessionsApp, finishDeletion, type SessionRecord, silentLogger, sweep } from "@archmax-ai/host";
import { expect, test } from "vitest";
import { all, Conversation } from "../../packages/checkpoint-dynamodb/src/testing-fixtures/conversation.ts";
import { seeded } from "../../packages/checkpoint-dynamodb/src/testing-fixtures/prose.ts";
import { createManualClock } from "../../packages/host/src/testing-fixtures/manual-clock.ts";
import {
  createMemoryQueue,
  createMemoryScheduler,
} from "../../packages/host/src/testing-fixtures/memory-queue.ts";
import {
  createMemoryEventLog,
  createMemoryPublisher,
} from "../../packages/host/src/testing-fixtures/memory-stores.ts";
import { type Reach, type Tenant, useAwsStores } from "./aws-stores.ts";
import { type Crash, dieAt } from "./crashes.ts";

const stores = useAwsStores();
const NOW = Date.UTC(2026, 0, 1);
const DUE = new Date(NOW + 3_600_000).toISOString();

const record = (tenant: string, sessionId: string): SessionRecord => ({
  tenant,
  sessionId,
  workflow: "desk",
  status: "awaiting_input",
  createdAt: new Date(NOW).toISOString(),
  updatedAt: new Date(NOW).toISOString(),
  parkSeq: 1,
  park: { seq: 1, channel: "input", identity: "p1", state: "draft", resumeAt: DUE, armed: true, record: {} },
  leaseToken: 3,
  attempts: {},
  carriedOut: [],
  unpublished: [],
});

/** Text no codec makes smaller by much. */
function noise(length: number): string {
  const random = seeded(5);
  return Array.from({ length }, () => String.fromCharCode(33 + Math.floor(random() * 90))).join("");
}
const HUGE = noise(600_000);
const LARGE = noise(3_000);

/** A thread and a folder as some turns leave them: values of every size, pending writes, a subgraph, files. */
async function live(tenant: Tenant, sessionId: string, steps: number): Promise<void> {
  const saver = tenant.saver({ fence: () => 3 });
  const thread = new Conversation(saver, sessionId);
  await thread.put({ step: 0, huge: HUGE });
  await new Conversation(saver, sessionId, "tools:1").put({ inner: LARGE });
  for (let step = 1; step <= steps; step += 1) {
    await thread.put({ step, text: `${step}${LARGE}`, cold: LARGE });
    await saver.putWrites(thread.config, [["out", `${step}${LARGE}${LARGE}`]], "task");
  }
  const { backend } = tenant.store();
  await backend.write(`/${sessionId}/scratchpad/d.md`, "the draft");
  await backend.write(`/${sessionId}/artifacts/é 1.md`, "done");
}

/** A host with some sessions: one to delete, with a child; its neighbours by name; another tenant's of the same name. */
async function hostWithSessions() {
  const name = `acme-${randomUUID()}`;
  const [acme, other] = (await stores.tenants(name, `${name}-2`)) as [Tenant, Tenant];
  const clock = createManualClock(NOW);
  const queue = createMemoryQueue(clock);
  const scheduler = createMemoryScheduler(clock, queue);
  const eventLog = createMemoryEventLog();
  for (const [tenant, id] of [
    [acme, "s1"],
    [acme, "s10"],
    [other, "s1"],
  ] as const) {
    await live(tenant, id, id === "s1" && tenant === acme ? 8 : 1);
    await stores.records().create(record(tenant.name, id));
    await scheduler.arm({ tenant: tenant.name, sessionId: id, workflow: "desk", seq: 1, dueAt: DUE });
  }
  await live(acme, "s1~1", 2);

  /** The ports of a process with clients of its own. */
  function process(reach: Reach) {
    const data = {
      forTenant(wanted: string) {
        const tenant = wanted === acme.name ? acme : other;
        const [sessionStore, checkpointer] = [tenant.store(reach), tenant.saver({}, reach)];
        return {
          sessionStore,
          checkpointer,
          async childrenOf(sessionId: string) {
            const folders = (await sessionStore.backend.ls("/")).files ?? [];
            const names = folders.map(({ path }) => path.slice(1, -1));
            return names.filter((name) => isChildSessionOf(name, sessionId));
          },
        };
      },
    };
    const records = stores.records(reach);
    const ports = {
      records,
      data,
      scheduler,
      queue,
      eventLog,
      clock,
      publisher: createMemoryPublisher(),
      logger: silentLogger,
      newId: randomUUID,
      authenticator: {
        authenticate: async () => ({
          tenant: acme.name,
          subject: "test",
          scopes: ["sessions:read", "sessions:delete"] as const,
        }),
      },
      catalog: {
        list: async () => ["desk"],
        get: async () => ({ slug: "desk", spec: { states: {} } as never, mountPrefixes: NO_MOUNTS }),
      },
    };
    const app = createSessionsApp(ports);
    return {
      records,
      request: (method: string) => app.request("/workflows/desk/sessions/s1", { method }),
      sweep: () => sweep({ ...ports, finishDeletion: (due) => finishDeletion(ports, due) }),
    };
  }

  /** Everything that is stored and is not the session's, and how much is. */
  async function stored() {
    const isDoomed = (name: string) => /(^|#|\/)s1(~1)?(\/|$)/.test(name);
    const items = await acme.items();
    const objects = await acme.objects();
    return {
      doomed: [
        ...items.filter(({ pk, sk }) => isDoomed(pk?.S ?? "") || isDoomed(sk?.S ?? "")),
        ...objects.filter((key) => key.includes("/runs/") && isDoomed(key.split("/runs/")[1] ?? "")),
        ...(await scheduler.list({ tenant: acme.name, sessionId: "s1" })),
      ],
      overflow: objects.filter((key) => key.includes("/overflow/")).length,
      kept: [
        ...items.filter(({ pk, sk }) => !isDoomed(pk?.S ?? "") && !isDoomed(sk?.S ?? "")),
        ...objects.filter((key) => key.includes("/runs/s10/")),
        ...(await other.items()),
        ...(await other.objects()),
        ...(await scheduler.list({ tenant: acme.name, sessionId: "s10" })),
        await stores.records().get({ tenant: acme.name, sessionId: "s10" }),
        await stores.records().get({ tenant: other.name, sessionId: "s1" }),
      ],
    };
  }
  return { process, stored, acme };
}

/** Deletes the session by a process that dies there, and has it finished. @returns whether the process died */
async function deletedDespite(crash: Crash): Promise<boolean> {
  const { process, stored, acme } = await hostWithSessions();
  const before = await stored();
  const reach = stores.reach();
  const fate = dieAt(reach, crash);
  const answer = await process(reach).request("DELETE");
  expect(answer.status).toBe(fate.died ? 503 : 204);

  const healthy = process(stores.reach());
  const found = await healthy.records.get({ tenant: acme.name, sessionId: "s1" });
  if (found?.record.deleting) {
    // Nobody is shown half a session, and the sweep finds it without being told.
    expect((await healthy.request("GET")).status).toBe(404);
    expect(await healthy.sweep()).toMatchObject({ deleted: 1 });
  } else if (found !== null) {
    // It died before anything was decided: nothing is missing.
    expect(await stored()).toEqual(before);
    expect((await healthy.request("DELETE")).status).toBe(204);
  }
  expect(await healthy.records.get({ tenant: acme.name, sessionId: "s1" })).toBeNull();
  const after = await stored();
  expect(after.doomed).toEqual([]);
  expect(after.overflow).toBe(1);
  expect(after.kept).toEqual(before.kept);
  expect(await all(acme.saver().list({ configurable: { thread_id: "s1" } }))).toEqual([]);
  expect((await healthy.request("DELETE")).status).toBe(404);
  expect(await healthy.sweep()).toMatchObject({ deleted: 0 });
  return fate.died;
}

test.each(["before", "after"] as const)(
  "AWS-010 a session's deletion that dies %s any one storage call is finished by the sweep, and takes nobody else's",
  { timeout: 300_000 },
  async (when) => {
    let at = 1;
    while (await deletedDespite({ at, when })) at += 1;
    expect(at).toBeGreaterThan(20);
  },
);
