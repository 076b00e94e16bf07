/** Events in, on the host as it runs: over HTTP, with its own queue and clock (spec 07 §5). */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiKeyHash } from "@archmax-ai/host";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Answer,
  advance,
  calling,
  ScriptedModel,
  speaking,
  wait,
} from "../../harness/src/runtime/turn-fixture.ts";
import { createLocalHost, type LocalHost } from "./local-host.ts";
import { openLocalStorage } from "./storage/local-storage.ts";

const DESK = `
instructions: Handle the request.
states:
  intake:
    instructions: Go on.
    triggers:
      manual:
      invoice_received:
        session: invoice_id
        requires: [{ name: invoice_id, type: string }, { name: amount, type: number }]
        eventbridge:
          pattern: { source: [erp.invoices], detail-type: [InvoiceReceived] }
          variables: { invoice_id: $.detail.id, amount: $.detail.amount }
          message: $.detail.note
      tick:
        schedule: { cron: "0 9 ? * MON *", timezone: Europe/Berlin }
    transitions: [{ to: review, description: ready }, { to: done, description: nothing to do }]
  review:
    type: human
    instructions: Decide.
    transitions: [{ to: done, description: fine, type: approve }]
  done: {}
`;

let folder: string;
let host: LocalHost | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "archmax-events-"));
  await mkdir(join(folder, "workspace", "workflows", "desk"), { recursive: true });
  await writeFile(join(folder, "workspace", "workflows", "desk", "workflow.yaml"), DESK);
});

afterEach(async () => {
  await host?.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(answers: Answer[] = []): Promise<{ host: LocalHost; model: ScriptedModel }> {
  const model = new ScriptedModel(answers);
  host = await createLocalHost({
    rootDir: join(folder, "workspace"),
    dataDir: join(folder, "data"),
    agent: { model },
  });
  return { host, model };
}

async function call(on: LocalHost, method: string, path: string, body?: unknown, headers = {}) {
  const answer = await fetch(`${on.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${on.developmentKey}`, "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) };
}

const session = (on: LocalHost, id: string) => call(on, "GET", `/workflows/desk/sessions/${id}`);

async function until<T>(ask: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask();
    if (holds(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const invoice = (id: string, detail: Record<string, unknown>) => ({
  version: "0",
  id,
  source: "erp.invoices",
  "detail-type": "InvoiceReceived",
  account: "111122223333",
  time: "2026-03-01T09:00:00Z",
  region: "eu-central-1",
  resources: [],
  detail,
});

/** What the host put aside, read from its storage once it has stopped. */
async function deadLetters() {
  await host?.close();
  const storage = openLocalStorage(join(folder, "data"));
  const letters = storage.queue.deadLetters();
  storage.close();
  return letters;
}

/** The words a model was last sent. */
const lastHeard = (model: ScriptedModel): string =>
  (model.requests.at(-1)?.messages ?? []).map(({ content }) => String(content)).join("\n");

test("HOST-014 an event opens the session its path names; again it is a no-op; another one with the path is delivered", async () => {
  const { host: on, model } = await start([
    calling(wait("for the goods")),
    speaking("I wait."),
    calling(advance("done")),
    speaking("Paid."),
  ]);
  const first = invoice("e-1", { id: "INV-7", amount: 1240.5, note: "Please settle it." });
  const queued = { workflow: "desk", trigger: "invoice_received", sessionId: "INV-7", result: "queued" };
  expect(await call(on, "POST", "/events", first)).toMatchObject({
    status: 202,
    body: { events: [{ id: "e-1", firings: [{ ...queued, disposition: "turn" }] }] },
  });
  const parked = await until(
    () => session(on, "INV-7"),
    ({ body }) => body.status === "awaiting_input",
  );
  expect(lastHeard(model)).toContain("Please settle it.");
  expect(model.requests).toHaveLength(2);

  // Beyond the queue's own memory of five minutes it is the record that knows.
  expect((await call(on, "POST", "/events", first)).body.events[0].firings).toEqual([
    { workflow: "desk", trigger: "invoice_received", sessionId: "INV-7", result: "repeated" },
  ]);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect((await session(on, "INV-7")).body).toEqual(parked.body);
  expect(model.requests).toHaveLength(2);

  const second = invoice("e-2", { id: "INV-7", amount: 9 });
  expect((await call(on, "POST", "/events", second)).body.events[0].firings).toEqual([
    { ...queued, disposition: "resume" },
  ]);
  const done = await until(
    () => session(on, "INV-7"),
    ({ body }) => body.status === "completed",
  );
  expect(done.body.lastTurn.kind).toBe("deliver");
  expect(done.body.variables).toMatchObject({
    amount: { value: 9, locked: true },
    trigger: { value: "invoice_received" },
  });
  expect(model.requests).toHaveLength(4);
  expect(await deadLetters()).toEqual([]);
});

test("HOST-014 two events at once with one path: the second waits for the first and is delivered, not begun anew", async () => {
  const { host: on, model } = await start([
    calling(wait("for the goods")),
    speaking("I wait."),
    calling(advance("done")),
    speaking("Paid."),
  ]);
  const { body } = await call(on, "POST", "/events", [
    invoice("e-1", { id: "INV-8", amount: 1 }),
    invoice("e-2", { id: "INV-8", amount: 2 }),
  ]);
  // As the session stood when they came, both would have opened it.
  expect(body.events.map(({ firings }: { firings: object[] }) => firings[0])).toMatchObject([
    { result: "queued", disposition: "turn" },
    { result: "queued", disposition: "turn" },
  ]);
  const { body: done } = await until(
    () => session(on, "INV-8"),
    ({ body: seen }) => seen.status === "completed",
  );
  expect(done.lastTurn.kind).toBe("deliver");
  // No message was mapped: the turn opened with the fixed text, the delivery has none of it.
  const { messages } = (await call(on, "GET", "/workflows/desk/sessions/INV-8/messages")).body;
  const texts = messages.map(({ kwargs }: { kwargs: { content: string } }) => kwargs.content);
  expect(texts.filter((text: string) => text === "Trigger `invoice_received` fired.")).toHaveLength(1);
  expect(model.requests).toHaveLength(4);
});

test("HOST-015 an event without a required variable lies with the dead letters, with its reason; nothing is opened", async () => {
  const { host: on, model } = await start();
  const event = invoice("e-1", { id: "INV-9" });
  const { status, body } = await call(on, "POST", "/events", event);
  expect({ status, body }).toEqual({
    status: 202,
    body: {
      events: [
        {
          id: "e-1",
          firings: [
            {
              workflow: "desk",
              trigger: "invoice_received",
              result: "dead-letter",
              reason: expect.stringMatching(/^SignatureMismatchError: .*amount/),
            },
          ],
        },
      ],
    },
  });
  expect((await session(on, "INV-9")).status).toBe(404);
  expect((await call(on, "GET", "/workflows/desk/sessions")).body.sessions).toEqual([]);
  expect(model.requests).toEqual([]);
  expect(await deadLetters()).toEqual([
    {
      letter: { workflow: "desk", trigger: "invoice_received", tenant: "local", event },
      reason: body.events[0].firings[0].reason,
    },
  ]);
});

describe("POST /events", () => {
  test("an event no pattern matches fires nothing; what a bus gives an event may be left out", async () => {
    const { host: on } = await start();
    const { status, body } = await call(on, "POST", "/events", { source: "other", "detail-type": "T" });
    expect({ status, body }).toEqual({
      status: 202,
      body: { events: [{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), firings: [] }] },
    });
  });

  test("a body that is no event, or one event too many, is refused whole", async () => {
    const { host: on } = await start();
    const good = invoice("e-1", { id: "INV-7", amount: 1 });
    const refused = await call(on, "POST", "/events", [good, { ...good, "detail-type": 5 }]);
    expect(refused).toMatchObject({
      status: 422,
      body: { type: "/problems/invalid-request-error", issues: [{ path: "1.detail-type" }] },
    });
    for (const body of [[], "x", { source: "erp" }, { ...good, detail: [] }, Array(101).fill(good)]) {
      expect((await call(on, "POST", "/events", body)).status).toBe(422);
    }
    const raw = await fetch(`${on.url}/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${on.developmentKey}` },
      body: "{",
    });
    expect(raw.status).toBe(400);
    expect(
      (await call(on, "POST", "/events", { ...good, detail: { x: "y".repeat(6_000_000) } })).status,
    ).toBe(413);
    expect((await session(on, "INV-7")).status).toBe(404);
  });

  test("it needs the scope to send, and the events are the caller's tenant's", async () => {
    await mkdir(join(folder, "data"), { recursive: true });
    const keys = [
      { label: "reader", sha256: apiKeyHash("reader"), tenant: "acme", scopes: ["sessions:read"] },
      {
        label: "sender",
        sha256: apiKeyHash("sender"),
        tenant: "acme",
        scopes: ["sessions:send", "sessions:read"],
      },
    ];
    await writeFile(join(folder, "data", "api-keys.json"), JSON.stringify(keys));
    const { host: on } = await start([calling(advance("done")), speaking("Paid.")]);
    const event = invoice("e-1", { id: "INV-7", amount: 1 });
    const as = (key: string) => ({ authorization: `Bearer ${key}` });
    expect((await call(on, "POST", "/events", event, as("nobody"))).status).toBe(401);
    expect((await call(on, "POST", "/events", event, as("reader"))).status).toBe(403);
    expect((await call(on, "POST", "/events", event, as("sender"))).status).toBe(202);
    await until(
      () => call(on, "GET", "/workflows/desk/sessions/INV-7", undefined, as("sender")),
      ({ body }) => body.status === "completed",
    );
    expect((await session(on, "INV-7")).status).toBe(404);
  });

  test("an Idempotency-Key gives the first answer again", async () => {
    const { host: on } = await start();
    const event = { source: "other", "detail-type": "T" };
    const [first, second] = [
      await call(on, "POST", "/events", event, { "idempotency-key": "k" }),
      await call(on, "POST", "/events", event, { "idempotency-key": "k" }),
    ];
    expect(second.body).toEqual(first.body);
  });
});

test("an event meets a session held for a decision as a reply where it has a message, else it is put aside", async () => {
  const { host: on } = await start([
    calling(advance("review")),
    speaking("Please decide."),
    speaking("The note says so."),
  ]);
  await call(on, "POST", "/events", invoice("e-1", { id: "INV-7", amount: 1 }));
  await until(
    () => session(on, "INV-7"),
    ({ body }) => body.status === "awaiting_decision",
  );
  const mute = await call(on, "POST", "/events", invoice("e-2", { id: "INV-7", amount: 1 }));
  expect(mute.body.events[0].firings).toMatchObject([
    { result: "dead-letter", reason: expect.stringContaining("no message to reply with") },
  ]);
  const speaksUp = invoice("e-3", { id: "INV-7", amount: 1, note: "What says the note?" });
  expect((await call(on, "POST", "/events", speaksUp)).body.events[0].firings).toMatchObject([
    { result: "queued", disposition: "reply" },
  ]);
  const { body } = await until(
    () => session(on, "INV-7"),
    ({ body: seen }) => seen.lastTurn?.kind === "reply",
  );
  expect(body).toMatchObject({ status: "awaiting_decision", park: { seq: 1 } });
  expect(await deadLetters()).toHaveLength(1);
});

test("a workflow's route shows what fires its triggers, and what is wrong with them", async () => {
  const text = DESK.replace('cron: "0 9 ? * MON *"', 'cron: "0 9 * * MON *"');
  const { host: on } = await start();
  const sound = await call(on, "GET", "/workflows/desk");
  expect(sound.body).toMatchObject({
    diagnostics: [],
    triggers: [
      { id: "manual", startState: "intake" },
      {
        id: "invoice_received",
        eventbridge: {
          pattern: { source: ["erp.invoices"], "detail-type": ["InvoiceReceived"] },
          variables: { invoice_id: "$.detail.id", amount: "$.detail.amount" },
          message: "$.detail.note",
        },
      },
      { id: "tick", schedule: { expression: "cron(0 9 ? * MON *)", timezone: "Europe/Berlin" } },
    ],
  });
  await writeFile(join(folder, "workspace", "workflows", "desk", "workflow.yaml"), text);
  const broken = await call(on, "GET", "/workflows/desk");
  expect(broken.body.diagnostics).toMatchObject([
    { severity: "error", field: "states.intake.triggers.tick.schedule.cron" },
  ]);
  expect(broken.body.triggers[2]).toEqual({ id: "tick", startState: "intake" });
  const described = await call(on, "GET", "/openapi.json");
  expect(Object.keys(described.body.paths["/events"].post.responses)).toEqual(["202", "default"]);
});

test("HOST-018 a body of 6 MB is refused; a file of 50 MB is stored byte for byte and read by the agent", async () => {
  const { host: on, model } = await start([
    calling(["read_file", { file_path: "inbox/big.txt", offset: 400_000, limit: 1 }]),
    calling(advance("done")),
    speaking("Read."),
  ]);
  const large = await call(on, "POST", "/workflows/desk/sessions/s/send", {
    message: "x".repeat(6 * 1024 * 1024),
  });
  expect(large).toMatchObject({
    status: 413,
    body: {
      type: "/problems/body-too-large-error",
      detail: expect.stringContaining("PUT /workflows/{workflow}/sessions/{session}/files/{path}"),
    },
  });
  expect((await session(on, "s")).status).toBe(404);

  // 50 MiB of lines, each its own, with characters of several bytes.
  const size = 50 * 1024 * 1024;
  const lines: string[] = [];
  for (let at = 0, bytes = 0; bytes < size; at += 1) {
    const line = `line ${at} ${"äß🙂-".repeat(10)}`;
    lines.push(line);
    bytes += Buffer.byteLength(line) + 1;
  }
  const bytes = Buffer.from(`${lines.join("\n")}\n`).subarray(0, size);
  const path = `/workflows/desk/sessions/s/files/${encodeURIComponent("inbox/big.txt")}`;
  const authorization = `Bearer ${on.developmentKey}`;
  const stored = await fetch(`${on.url}${path}`, {
    method: "PUT",
    headers: { authorization, "content-type": "application/octet-stream" },
    body: bytes,
  });
  expect(stored.status).toBe(204);
  const turn = await call(on, "POST", "/workflows/desk/sessions/s/send", { message: "read it" });
  expect(turn).toMatchObject({ status: 200, body: { kind: "completed" } });
  const heard = model.requests[1]?.messages.at(-1)?.content;
  expect(JSON.stringify(heard)).toContain(lines[400_000]);
  const back = await fetch(`${on.url}${path}`, { headers: { authorization } });
  expect(Buffer.compare(Buffer.from(await back.arrayBuffer()), bytes)).toBe(0);
}, 60_000);
