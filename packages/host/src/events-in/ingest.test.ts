import { type MachineSpec, NO_MOUNTS } from "@archmax-ai/harness/spec";
import { describe, expect, test } from "vitest";
import type { Command } from "../ports/command.ts";
import { silentLogger } from "../ports/logger.ts";
import type { SessionRecord } from "../ports/session-record.ts";
import type { CatalogEntry, WorkflowCatalog } from "../ports/workflow-catalog.ts";
import { completes, createFakeAgents, type FakeTurn } from "../testing-fixtures/fake-agents.ts";
import { createManualClock } from "../testing-fixtures/manual-clock.ts";
import { createMemoryQueue, createMemoryScheduler } from "../testing-fixtures/memory-queue.ts";
import { createMemoryRecords } from "../testing-fixtures/memory-records.ts";
import { createMemoryEventLog, createMemoryPublisher } from "../testing-fixtures/memory-stores.ts";
import { createTurnRunner } from "../turns/turn-runner.ts";
import { createCommandWorker } from "../worker/command-worker.ts";
import { createIngest } from "./ingest.ts";

const RECEIVED = {
  session: "ticket",
  requires: [{ name: "ticket", type: "string" }, "subject"],
  eventbridge: {
    pattern: { source: ["desk"] },
    variables: { ticket: "$.detail.ticket", subject: "$.detail.subject", note: "$.detail.note" },
    message: "$.detail.text",
  },
};

/** A host in memory whose workflow `desk` declares these triggers on its start state. */
function hostWith(triggers: Record<string, unknown>, root: Record<string, unknown> = {}) {
  const clock = createManualClock();
  const records = createMemoryRecords();
  const queue = createMemoryQueue(clock);
  const agents = createFakeAgents();
  const workflows: Record<string, unknown> = {
    desk: { states: { intake: { triggers, transitions: [] } }, ...root },
  };
  const catalog: WorkflowCatalog = {
    list: async () => Object.keys(workflows),
    async get(_tenant, slug): Promise<CatalogEntry | null> {
      const spec = workflows[slug];
      if (spec instanceof Error) throw spec;
      return spec === undefined ? null : { slug, spec: spec as MachineSpec, mountPrefixes: NO_MOUNTS };
    },
  };
  let ids = 0;
  const runner = createTurnRunner({
    agents,
    records,
    queue,
    scheduler: createMemoryScheduler(clock, queue),
    publisher: createMemoryPublisher(),
    eventLog: createMemoryEventLog(),
    clock,
    logger: silentLogger,
    newId: () => `id-${++ids}`,
  });
  const worker = createCommandWorker({ runner, records, clock, logger: silentLogger });
  return {
    clock,
    records,
    queue,
    agents,
    workflows,
    ingest: createIngest({ catalog, records, queue, logger: silentLogger }, { tenant: "acme" }),
    commands: (): Command[] => queue.pending().map(({ command }) => command),
    async drain() {
      for (let delivery = await queue.receive(); delivery !== null; delivery = await queue.receive()) {
        await worker.handle(delivery);
      }
    },
    async seed(record: Partial<SessionRecord>) {
      const at = new Date(clock.now()).toISOString();
      await records.create({
        tenant: "acme",
        sessionId: "T-1",
        workflow: "desk",
        status: "completed",
        createdAt: at,
        updatedAt: at,
        parkSeq: 1,
        leaseToken: 1,
        attempts: {},
        carriedOut: [],
        unpublished: [],
        ...record,
      });
    },
  };
}

const event = (id: string, detail: Record<string, unknown> = { ticket: "T-1", subject: "Printer" }) => ({
  id,
  source: "desk",
  "detail-type": "Ticket",
  detail,
});

const park = (channel: "input" | "decision") => ({
  status: channel === "input" ? ("awaiting_input" as const) : ("awaiting_decision" as const),
  park: { seq: 1, channel, identity: "x", state: "intake", armed: true, record: { state: "intake" } },
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;

describe("how an event meets its session", () => {
  test("no session: a turn with the mapped variables, and the fixed text for want of a message", async () => {
    const host = hostWith({ ticket: RECEIVED });
    const detail = { ticket: "T-1", subject: { any: [1] }, note: null };
    expect(await host.ingest.take(event("e-1", detail))).toEqual([
      { result: "queued", workflow: "desk", trigger: "ticket", sessionId: "T-1", disposition: "turn" },
    ]);
    expect(host.queue.pending()).toEqual([
      {
        group: "acme#T-1",
        deduplicationId: "acme:event:e-1:desk:ticket",
        command: {
          kind: "send",
          tenant: "acme",
          workflow: "desk",
          sessionId: "T-1",
          turnId: expect.stringMatching(UUID),
          commandId: "event:e-1:desk:ticket",
          firing: true,
          trigger: { id: "ticket" },
          variables: { ticket: "T-1", subject: { any: [1] }, note: null },
          message: "Trigger `ticket` fired.",
        },
      },
    ]);
  });

  test.each(["completed", "failed", "rejected"] as const)("a %s session: a turn", async (status) => {
    const host = hostWith({ ticket: RECEIVED });
    await host.seed({ status });
    expect(await host.ingest.take(event("e-1"))).toMatchObject([{ disposition: "turn" }]);
  });

  test("a waiting session: a delivery, without a message where none is mapped", async () => {
    const host = hostWith({ ticket: RECEIVED });
    await host.seed(park("input"));
    expect(await host.ingest.take(event("e-1"))).toMatchObject([{ disposition: "resume" }]);
    const [command] = host.commands();
    expect(command).toMatchObject({ kind: "deliver", firing: true, trigger: { id: "ticket" } });
    expect(command).not.toHaveProperty("message");
    expect(command).not.toHaveProperty("unfit");
  });

  test("a waiting session takes a delivery that would open no turn, and the command says so", async () => {
    const host = hostWith({ ticket: RECEIVED });
    await host.seed(park("input"));
    expect(await host.ingest.take(event("e-1", { ticket: "T-1" }))).toMatchObject([{ result: "queued" }]);
    expect(host.commands()).toMatchObject([{ kind: "deliver", unfit: expect.stringContaining("subject") }]);
  });

  test("a session held for a decision: a reply with the message, and none without", async () => {
    const host = hostWith({ ticket: RECEIVED });
    await host.seed(park("decision"));
    const told = event("e-1", { ticket: "T-1", subject: "x", text: "And now?" });
    expect(await host.ingest.take(told)).toMatchObject([{ disposition: "reply" }]);
    expect(host.commands()).toMatchObject([{ kind: "reply", message: "And now?", firing: true }]);
    expect(await host.ingest.take(event("e-2"))).toMatchObject([
      { result: "dead-letter", reason: expect.stringContaining("no message to reply with") },
    ]);
    expect(host.queue.letters).toHaveLength(1);
  });

  test("a running session is no obstacle: the command waits and is classified when it runs", async () => {
    const host = hostWith({ ticket: RECEIVED });
    const turn = { turnId: "t", commandId: "t", kind: "send" as const, startedAt: "x", base: null };
    await host.seed({ status: "running", turn });
    expect(await host.ingest.take(event("e-1"))).toMatchObject([
      { result: "queued", disposition: "running" },
    ]);
    expect(host.commands()).toMatchObject([{ kind: "deliver", firing: true }]);
  });

  test("another workflow's session, one being deleted, a child's id and a bad one: put aside", async () => {
    const host = hostWith({ ticket: RECEIVED });
    await host.seed({ workflow: "other" });
    await host.seed({ sessionId: "T-2", deleting: true });
    for (const [ticket, reason] of [
      ["T-1", /^UnknownSessionError/],
      ["T-2", /^UnknownSessionError/],
      ["T-1~1", /^ChildSessionError/],
      ["../T-1", /^SessionStoreIdError/],
      ["x".repeat(600), /^SessionStoreIdError/],
    ] as const) {
      expect(await host.ingest.take(event("e-1", { ticket, subject: "x" }))).toEqual([
        { result: "dead-letter", workflow: "desk", trigger: "ticket", reason: expect.stringMatching(reason) },
      ]);
    }
    expect(host.commands()).toEqual([]);
    expect(host.queue.letters).toHaveLength(5);
  });

  test("a trigger without a session path: the same event names the same session however often it comes", async () => {
    const { session: _path, ...native } = RECEIVED;
    const host = hostWith({ ticket: native });
    const take = async (id: string) => {
      const [report] = await host.ingest.take(event(id));
      return report?.result === "dead-letter" ? undefined : report?.sessionId;
    };
    const [first, again, other] = [await take("e-1"), await take("e-1"), await take("e-2")];
    expect(first).toMatch(/^session-[0-9a-f-]{36}$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(host.commands()).toHaveLength(2);
  });
});

describe("HOST-014 the same event again", () => {
  test("within five minutes it is not queued twice, later the session's record knows it", async () => {
    const host = hostWith({ ticket: RECEIVED });
    host.agents.turns.push(completes);
    await host.ingest.take(event("e-1"));
    await host.ingest.take(event("e-1"));
    expect(host.commands()).toHaveLength(1);
    await host.drain();
    await host.clock.advance(6 * 60_000);
    expect(await host.ingest.take(event("e-1"))).toEqual([
      { result: "repeated", workflow: "desk", trigger: "ticket", sessionId: "T-1" },
    ]);
    expect(host.commands()).toEqual([]);
  });

  test("queued again before the first has run, it runs once", async () => {
    const host = hostWith({ ticket: RECEIVED });
    host.agents.turns.push(completes);
    await host.ingest.take(event("e-1"));
    await host.clock.advance(6 * 60_000);
    await host.ingest.take(event("e-1"));
    expect(host.commands()).toHaveLength(2);
    await host.drain();
    expect(host.agents.turns).toEqual([]);
    expect(host.queue.letters).toEqual([]);
  });

  test("a queue that does not answer is the caller's to try again", async () => {
    const host = hostWith({ ticket: RECEIVED });
    const { enqueue } = host.queue;
    host.queue.enqueue = async () => {
      throw new Error("down");
    };
    await expect(host.ingest.take(event("e-1"))).rejects.toThrow("down");
    host.queue.enqueue = enqueue;
    expect(await host.ingest.take(event("e-1"))).toMatchObject([{ result: "queued" }]);
  });
});

describe("the message of a firing", () => {
  const at = (over: Record<string, unknown>) => ({ ...RECEIVED, ...over });
  test.each<
    [
      what: string,
      trigger: Record<string, unknown>,
      detail: Record<string, unknown>,
      text: string | undefined,
    ]
  >([
    ["what eventbridge.message finds", at({ message: "note" }), { text: "A", note: "B" }, "A"],
    ["a number", at({}), { text: 7 }, "7"],
    ["else what the trigger's own path finds in the variables", at({ message: "note" }), { note: "B" }, "B"],
    ["below a variable", at({ message: "note.last" }), { note: { last: "C" } }, "C"],
    ["none, where neither finds a text", at({ message: "note" }), { text: { a: 1 }, note: " " }, undefined],
    ["none, where neither is declared", at({}), {}, undefined],
    ["none, where the trigger says so", at({ message: false }), { text: "A", note: "B" }, undefined],
  ])("%s", async (_what, trigger, detail, text) => {
    const whole = { ticket: "T-1", subject: "x", ...detail };
    const fresh = hostWith({ ticket: trigger });
    await fresh.ingest.take(event("e-1", whole));
    expect(fresh.commands()).toMatchObject([{ kind: "send", message: text ?? "Trigger `ticket` fired." }]);
    const waiting = hostWith({ ticket: trigger });
    await waiting.seed(park("input"));
    await waiting.ingest.take(event("e-1", whole));
    const [command] = waiting.commands();
    expect((command as { message?: string }).message).toBe(text);
  });
});

describe("where an event goes", () => {
  test("to every trigger whose pattern matches, of every workflow that loads", async () => {
    const host = hostWith({
      ticket: RECEIVED,
      other: { eventbridge: { pattern: { source: ["elsewhere"] } } },
      all: { eventbridge: { pattern: { source: [{ prefix: "" }] } } },
      broken: { eventbridge: { pattern: {} } },
    });
    host.workflows.second = {
      states: { a: { triggers: { any: { eventbridge: { pattern: { source: ["desk"] } } } } } },
    };
    host.workflows.third = Object.assign(new Error("x"), { name: "WorkflowLoadError" });
    const reports = await host.ingest.take(event("e-1"));
    expect(reports.map((report) => [report.workflow, report.trigger, report.result])).toEqual([
      ["desk", "ticket", "queued"],
      ["desk", "all", "queued"],
      ["second", "any", "queued"],
    ]);
    expect(await host.ingest.take({ ...event("e-2"), source: 5 })).toEqual([
      { result: "dead-letter", reason: expect.stringContaining("this is no EventBridge event: source") },
    ]);
    expect(host.queue.letters).toMatchObject([{ letter: { id: "e-2", source: 5 } }]);
  });

  test("no pattern matches: nothing, and nothing is put aside", async () => {
    const host = hostWith({ ticket: RECEIVED });
    expect(await host.ingest.take({ ...event("e-1"), source: "other" })).toEqual([]);
    expect(host.queue.letters).toEqual([]);
  });

  test("routed by a rule: to the trigger named, whatever its pattern, in the tenant named", async () => {
    const host = hostWith({ ticket: RECEIVED });
    const routed = { workflow: "desk", trigger: "ticket", event: { ...event("e-1"), source: "renamed" } };
    expect(await host.ingest.take(routed)).toMatchObject([{ result: "queued", trigger: "ticket" }]);
    await host.ingest.take({ ...routed, tenant: "globex" });
    await host.ingest.take({ ...routed, tenant: "globex" }, { tenant: "initech" });
    expect(host.commands().map(({ tenant }) => tenant)).toEqual(["acme", "globex", "initech"]);
    expect(new Set(host.commands().map(({ turnId }) => turnId)).size).toBe(3);
  });

  test.each<[what: string, input: unknown, reason: RegExp]>([
    ["an unknown workflow", { workflow: "x", trigger: "ticket", event: event("e") }, /no workflow "x"/],
    ["one that does not load", { workflow: "bad", trigger: "ticket", event: event("e") }, /is broken/],
    [
      "an unknown trigger",
      { workflow: "desk", trigger: "x", event: event("e") },
      /no trigger "x" with eventbridge/,
    ],
    [
      "a trigger without such a block",
      { workflow: "desk", trigger: "tick", event: event("e") },
      /with eventbridge/,
    ],
    [
      "one with a fault",
      { workflow: "desk", trigger: "off", event: event("e") },
      /off\.eventbridge\.pattern: /,
    ],
    [
      "a route with a slip",
      { workflow: "desk", triger: "ticket", event: event("e") },
      /no routed event: .*trigger/,
    ],
    ["a tenant that is none", { workflow: "desk", trigger: "t", tenant: "A B", event: event("e") }, /tenant/],
    [
      "a time that is none",
      { workflow: "desk", trigger: "tick", scheduledAt: "monday" },
      /no scheduled firing/,
    ],
    [
      "no time of that trigger's",
      { workflow: "desk", trigger: "ticket", scheduledAt: "2026-03-02T08:00:00Z" },
      /with schedule/,
    ],
    ["nothing", null, /no EventBridge event/],
  ])("routed to %s: put aside as it came", async (_what, input, reason) => {
    const host = hostWith({
      ticket: RECEIVED,
      tick: { schedule: { rate: "1 day" } },
      off: { eventbridge: { pattern: {} } },
    });
    host.workflows.bad = Object.assign(new Error("bad is broken"), { name: "WorkflowLoadError" });
    expect(await host.ingest.take(input)).toMatchObject([
      { result: "dead-letter", reason: expect.stringMatching(reason) },
    ]);
    expect(host.queue.letters).toHaveLength(1);
    expect(host.commands()).toEqual([]);
  });

  test("a catalogue that does not answer is no fault of the event's", async () => {
    const host = hostWith({ ticket: RECEIVED });
    host.workflows.desk = new Error("the store does not answer");
    await expect(host.ingest.take(event("e-1"))).rejects.toThrow("does not answer");
    expect(host.queue.letters).toEqual([]);
  });

  test("a schedule's firing opens a session of its own with the fixed text, once for each time", async () => {
    const host = hostWith({ tick: { schedule: { rate: "1 day" } } });
    const at = (scheduledAt: string) => ({ workflow: "desk", trigger: "tick", scheduledAt });
    await host.ingest.take(at("2026-03-02T08:00:00Z"));
    await host.ingest.take(at("2026-03-02T08:00:00Z"));
    await host.ingest.take(at("2026-03-03T08:00:00Z"));
    expect(host.commands()).toMatchObject([
      { kind: "send", message: "Trigger `tick` fired.", variables: {}, trigger: { id: "tick" } },
      { kind: "send" },
    ]);
    expect(new Set(host.commands().map(({ sessionId }) => sessionId)).size).toBe(2);
  });

  test("HOST-015 a disabled workflow and values of the wrong type: put aside, nothing opened", async () => {
    const disabled = hostWith({ ticket: RECEIVED }, { disabled: true });
    expect(await disabled.ingest.take(event("e-1"))).toMatchObject([
      { result: "dead-letter", reason: expect.stringMatching(/^WorkflowDisabledError/) },
    ]);
    const host = hostWith({ ticket: { ...RECEIVED, session: undefined } });
    expect(await host.ingest.take(event("e-1", { ticket: 7 }))).toMatchObject([
      { result: "dead-letter", reason: expect.stringMatching(/^SignatureMismatchError: .*ticket.*subject/) },
    ]);
    expect(host.commands()).toEqual([]);
  });
});

describe("a firing is classified again when it runs", () => {
  const waits: FakeTurn = () => ({
    kind: "parked",
    status: "awaiting_input",
    state: "intake",
    parkedChannel: "input",
    pending: { state: "intake", reason: "r", parkedAt: "2026-01-01T00:00:00.000Z" },
  });
  const asks: FakeTurn = () => ({
    kind: "parked",
    status: "awaiting_decision",
    state: "intake",
    parkedChannel: "decision",
    pending: { state: "intake", seq: 1, createdAt: "2026-01-01T00:00:00.000Z", transitions: [] },
  });

  test("queued as a turn, it is delivered to the session that the turn before it left waiting", async () => {
    const host = hostWith({ ticket: RECEIVED });
    const inputs: unknown[] = [];
    host.agents.turns.push(waits, (input) => {
      inputs.push(input);
      return { kind: "completed", status: "completed" };
    });
    await host.ingest.take(event("e-1"));
    await host.ingest.take(event("e-2"));
    expect(host.commands().map(({ kind }) => kind)).toEqual(["send", "send"]);
    await host.drain();
    expect(inputs).toEqual([
      {
        delivery: {
          message: "",
          trigger: { id: "ticket" },
          variables: { ticket: "T-1", subject: "Printer" },
        },
      },
    ]);
    expect((await host.records.get({ tenant: "acme", sessionId: "T-1" }))?.record.lastTurn).toMatchObject({
      kind: "deliver",
      commandId: "event:e-2:desk:ticket",
    });
  });

  test("queued as a turn, it is put aside where a person holds the session and it has no message", async () => {
    const host = hostWith({ ticket: RECEIVED });
    host.agents.turns.push(asks);
    await host.ingest.take(event("e-1"));
    await host.ingest.take(event("e-2"));
    await host.drain();
    expect(host.queue.letters).toMatchObject([
      {
        message: { command: { commandId: "event:e-2:desk:ticket" } },
        reason: expect.stringContaining("no message"),
      },
    ]);
    expect((await host.records.get({ tenant: "acme", sessionId: "T-1" }))?.record).toMatchObject({
      status: "awaiting_decision",
      lastTurn: { refused: "UnfitFiringError" },
    });
  });

  test("queued as a delivery, it opens a turn with the fixed text on the session that has finished since", async () => {
    const host = hostWith({ ticket: RECEIVED });
    await host.seed(park("input"));
    await host.ingest.take(event("e-1"));
    const stored = await host.records.get({ tenant: "acme", sessionId: "T-1" });
    if (stored === null) throw new Error("no record");
    const { park: _park, ...finished } = { ...stored.record, status: "completed" as const };
    await host.records.replace(finished, stored.version);
    const inputs: unknown[] = [];
    host.agents.turns.push((input) => {
      inputs.push(input);
      return { kind: "completed", status: "completed" };
    });
    await host.drain();
    expect(inputs).toMatchObject([{ message: "Trigger `ticket` fired.", trigger: { id: "ticket" } }]);
  });

  test("queued as a delivery that can open no turn, it is put aside on a session that has gone since", async () => {
    const host = hostWith({ ticket: RECEIVED });
    await host.seed(park("input"));
    await host.ingest.take(event("e-1", { ticket: "T-1" }));
    const stored = await host.records.get({ tenant: "acme", sessionId: "T-1" });
    await host.records.remove({ tenant: "acme", sessionId: "T-1" }, stored?.version ?? "");
    await host.drain();
    expect(host.queue.letters).toMatchObject([{ reason: expect.stringContaining("subject") }]);
    expect(await host.records.get({ tenant: "acme", sessionId: "T-1" })).toBeNull();
  });
});
