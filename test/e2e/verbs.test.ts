/** The verbs over real HTTP, against the process that `npm start` runs. */

import { createHash } from "node:crypto";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  allEvents,
  arrival,
  call,
  events,
  invoice,
  session,
  until,
  WORKFLOW,
} from "../support/api-client.ts";
import { type HostProcess, runDemo, startHost } from "../support/host-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
let host: HostProcess;
let dataDir: string;
let workspace: string;
const keyOf = (secret: string, tenant: string, scopes: string[]) => ({
  label: secret,
  sha256: createHash("sha256").update(secret).digest("hex"),
  tenant,
  scopes,
});

beforeAll(async () => {
  dataDir = await temporaryFolder();
  workspace = await temporaryFolder();
  await cp(join(ROOT, "skills"), join(workspace, "skills"), { recursive: true });
  await cp(join(ROOT, "workflows"), join(workspace, "workflows"), { recursive: true });
  const example = await readFile(join(ROOT, "workflows/invoice-approval/workflow.yaml"), "utf8");
  for (const [slug, text] of [
    ["other-approval", example],
    ["off", `disabled: true\n${example}`],
    ["broken", "states: [\n"],
  ] as const) {
    await mkdir(join(workspace, "workflows", slug), { recursive: true });
    await writeFile(join(workspace, "workflows", slug, "workflow.yaml"), text);
  }
  await writeFile(
    join(dataDir, "api-keys.json"),
    JSON.stringify([
      keyOf("stranger", "elsewhere", ["sessions:send", "sessions:read", "sessions:decide", "workflows:read"]),
      keyOf("sender", "local", ["sessions:send", "sessions:read"]),
    ]),
    { flag: "w" },
  );
  host = await startHost({ dataDir, workspace, args: ["--model-latency=20"] });
}, 60_000);

afterAll(async () => {
  await host?.stop();
});

const open = (id: string, supplier?: string) =>
  call(host, `${session(id)}/send`, { body: arrival(id, supplier) });
const decide = (id: string, target: string, headers: Record<string, string> = {}) =>
  call(host, `${session(id)}/decide`, { body: { target }, headers });
const seqOf = async (id: string) => ((await call(host, session(id))).json.park as { seq: number }).seq;
const listed = async (status: string) =>
  (
    (await call(host, `${WORKFLOW}/sessions?status=${status}&limit=1000`)).json.sessions as {
      sessionId: string;
    }[]
  ).map(({ sessionId }) => sessionId);

describe("the verbs over HTTP", () => {
  test("HOST-001 a turn parks with a person, is listed, and a decision moves it on", async () => {
    const parked = await open("h1");
    expect(parked.status).toBe(200);
    expect(parked.json).toMatchObject({
      kind: "parked",
      parkedChannel: "decision",
      state: "approve-payment",
    });
    expect(await listed("parked")).toContain("h1");
    const done = await decide("h1", "rejected");
    expect(done.json).toMatchObject({ kind: "completed", state: "rejected" });
    expect(await listed("parked")).not.toContain("h1");
    expect(await listed("finished")).toContain("h1");
  });

  test("HOST-002 a decision on no session, on another tenant's, and on one not parked", async () => {
    await open("h2");
    const stranger = { url: host.url, apiKey: "stranger" };
    const never = await call(stranger, `${session("never")}/decide`, { body: { target: "rejected" } });
    const foreign = await call(stranger, `${session("h2")}/decide`, { body: { target: "rejected" } });
    const without = (text: string, id: unknown) => text.replaceAll(String(id), "");
    expect([never.status, foreign.status]).toEqual([404, 404]);
    expect(without(foreign.text, foreign.json.requestId)).toBe(without(never.text, never.json.requestId));
    await decide("h2", "rejected");
    const finished = await decide("h2", "rejected");
    expect(finished.status).toBe(409);
    expect(finished.json.type).toBe("/problems/session-not-parked-error");
  });

  test("HOST-003 a decision for no edge names the allowed ones and leaves the park", async () => {
    await open("h3");
    const before = await seqOf("h3");
    const refused = await decide("h3", "nowhere");
    expect(refused.status).toBe(422);
    expect(refused.json.validTargets).toEqual(["scheduled", "checking", "rejected"]);
    expect(await seqOf("h3")).toBe(before);
  });

  test("HOST-004 two sends at once: one runs, the other is told so", async () => {
    const both = await Promise.all([open("h4"), open("h4")]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.headers.get("retry-after")).toMatch(/^\d+$/);
    const { messages } = (await call(host, `${session("h4")}/messages`)).json as { messages: unknown[] };
    const said = messages.filter((message) => JSON.stringify(message).includes("A new invoice has arrived."));
    expect(said).toHaveLength(1);
  });

  test("HOST-005 one turn per idempotency key", async () => {
    await open("h5");
    const key = { "idempotency-key": "decide-h5" };
    const running = decide("h5", "checking", key);
    await new Promise((resolve) => setTimeout(resolve, 15));
    const during = await decide("h5", "checking", key);
    expect(during.status).toBe(409);
    const first = await running;
    expect(first.status).toBe(200);
    const again = await decide("h5", "checking", key);
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect((await decide("h5", "rejected", key)).status).toBe(422);
    const trail = first.json.auditTrail as { kind: string }[];
    expect(trail.filter(({ kind }) => kind === "human")).toHaveLength(1);
  });

  test("HOST-007 events come in order, the outcome last, and a client that drops replays the rest", async () => {
    const all = await allEvents(host, `${session("h7")}/send`, { body: arrival("h7") });
    expect(all.at(-1)?.type).toBe("outcome");
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((left, right) => left - right));
    const seqs = all.slice(0, -1).map(({ data }) => Number(data.seq));
    expect(seqs).toEqual([...seqs].sort((left, right) => left - right));
    const delta = all.findIndex(({ type }) => type === "agent-text-delta");
    expect(delta).toBeGreaterThanOrEqual(0);
    expect(delta).toBeLessThan(all.findIndex(({ type }) => type === "agent-text"));

    const dropped: number[] = [];
    const abort = new AbortController();
    for await (const event of events(host, `${session("h7b")}/send`, {
      body: arrival("h7b"),
      signal: abort.signal,
    })) {
      dropped.push(event.id);
      if (dropped.length === 4) break;
    }
    abort.abort();
    await until(
      () => call(host, session("h7b")),
      ({ json }) => json.status === "awaiting_decision",
    );
    const rest = (
      await call(host, `${session("h7b")}/events`, { headers: { "last-event-id": String(dropped.at(-1)) } })
    ).json.events as { id: number; type: string }[];
    expect(rest.at(-1)?.type).toBe("outcome");
    expect(rest.filter(({ id }) => dropped.includes(id))).toEqual([]);
    const whole = (await call(host, `${session("h7b")}/events`)).json.events as { id: number }[];
    expect([...dropped, ...rest.map(({ id }) => id)]).toEqual(whole.map(({ id }) => id));
  });

  test("HOST-008 HOST-009 a timed wait wakes by its timer, or earlier by a delivery", async () => {
    await open("h8");
    expect((await decide("h8", "scheduled")).json).toMatchObject({ kind: "parked", parkedChannel: "input" });
    const paid = await until(
      () => call(host, session("h8")),
      ({ json }) => json.status === "completed",
    );
    expect((paid.json.variables as Record<string, { value: unknown }>).trigger?.value).toBe("timer");

    // Its supplier's wait is 90 s, so a schedule is armed and the delivery comes first.
    await open("h9", "atlas-freight");
    const waiting = await decide("h9", "scheduled");
    expect(waiting.json).toMatchObject({ kind: "parked", parkedChannel: "input" });
    const delivered = await call(host, `${session("h9")}/deliver`, {
      body: { trigger: { id: "payment_day" } },
    });
    expect(delivered.json).toMatchObject({ kind: "completed", state: "paid" });
    const trail = delivered.json.auditTrail as { reason?: string }[];
    expect(trail.filter(({ reason }) => reason === "timer")).toEqual([]);
  }, 30_000);

  test("HOST-016 a start whose values do not conform opens nothing", async () => {
    const refused = await call(host, `${session("h16")}/send`, {
      body: { ...arrival("h16"), variables: { ...invoice("h16"), amount: "12", due: undefined } },
    });
    expect(refused.status).toBe(422);
    const issues = refused.json.issues as { path: string }[];
    expect(issues.map(({ path }) => path)).toEqual(["amount", "due"]);
    expect((await call(host, session("h16"))).status).toBe(404);
  });

  test.each([
    ["a parent segment", "..%2Fx", 400],
    ["a reserved name", "checkpoints", 400],
    ["a NUL", "a%00b", 400],
    ["2 KB", "x".repeat(2_048), 400],
    ["a bare tilde", "a~", 400],
    ["a mount's name", "skills", 400],
  ])("HOST-017 a session id with %s is refused", async (_what, id, status) => {
    const answer = await call(host, `${WORKFLOW}/sessions/${id}/send`, { body: arrival("x") });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
  });

  test("HOST-017 an id with a slash or of other scripts is one session, stored exactly", async () => {
    for (const id of ["team/7", "счёт-№7"]) {
      expect((await open(id)).json).toMatchObject({ kind: "parked" });
      expect((await call(host, session(id))).json.sessionId).toBe(id);
    }
  });

  test("HOST-019 no key, a wrong key, another tenant's key, a missing scope", async () => {
    await open("h19");
    const path = `${session("h19")}/decide`;
    const body = { target: "rejected" };
    expect((await call({ url: host.url }, path, { body })).status).toBe(401);
    expect((await call({ url: host.url, apiKey: "wrong" }, path, { body })).status).toBe(401);
    expect((await call({ url: host.url, apiKey: "stranger" }, path, { body })).status).toBe(404);
    expect((await call({ url: host.url, apiKey: "sender" }, path, { body })).status).toBe(403);
  });

  test("HOST-024 a disabled workflow starts nothing, and its parked sessions still take a decision and a delivery", async () => {
    const file = join(workspace, "workflows/other-approval/workflow.yaml");
    const text = await readFile(file, "utf8");
    const other = "/workflows/other-approval";
    await call(host, `${session("h24", other)}/send`, { body: arrival("h24", "atlas-freight") });
    await writeFile(file, `disabled: true\n${text}`);
    try {
      const decided = await call(host, `${session("h24", other)}/decide`, { body: { target: "scheduled" } });
      expect(decided.json).toMatchObject({ kind: "parked", parkedChannel: "input" });
      const woken = await call(host, `${session("h24", other)}/deliver`, {
        body: { trigger: { id: "timer" } },
      });
      expect(woken.json).toMatchObject({ kind: "completed", state: "paid" });
      const again = await call(host, `${session("h24", other)}/send`, { body: arrival("h24") });
      expect(again.status).toBe(409);
    } finally {
      await writeFile(file, text);
    }
    const answer = await call(host, "/workflows/off/sessions/h24-off/send", { body: arrival("h24-off") });
    expect(answer.status).toBe(409);
    expect(answer.json.type).toBe("/problems/workflow-disabled-error");
  });

  test("HOST-026 a child session's id is not driven", async () => {
    for (const [verb, body] of [
      ["send", arrival("s~1")],
      ["decide", { target: "x" }],
      ["reply", { message: "x" }],
      ["deliver", { trigger: { id: "x" } }],
    ] as const) {
      expect((await call(host, `${session("s~1")}/${verb}`, { body })).status).toBe(400);
    }
  });

  test("HOST-027 a session is unknown under another workflow's routes", async () => {
    await open("h27");
    const other = "/workflows/other-approval";
    for (const [verb, body] of [
      ["send", arrival("h27")],
      ["decide", { target: "rejected" }],
      ["reply", { message: "hi" }],
      ["deliver", { trigger: { id: "x" } }],
    ] as const) {
      expect((await call(host, `${session("h27", other)}/${verb}`, { body })).status).toBe(404);
    }
    const bySend = await call(host, `${other}/send`, { body: { ...arrival("h27"), sessionId: "h27" } });
    expect(bySend.status).toBe(404);
    expect((await call(host, session("h27"))).json).toMatchObject({ status: "awaiting_decision" });
  });

  test.each([
    ["malformed JSON", `${WORKFLOW}/send`, "{", 400, "malformed-body-error"],
    ["an unknown workflow", "/workflows/nothing/send", arrival("b"), 404, "unknown-workflow-error"],
    ["a workflow that does not load", "/workflows/broken/send", arrival("b"), 500, "workflow-load-error"],
    [
      "an unknown trigger",
      `${session("bad")}/send`,
      { message: "m", trigger: { id: "no" } },
      404,
      "unknown-trigger-error",
    ],
    [
      "an empty message",
      `${session("bad")}/send`,
      { ...arrival("bad"), message: " " },
      422,
      "empty-message-error",
    ],
    [
      "a bad variable name",
      `${session("bad")}/send`,
      { ...arrival("bad"), variables: { ...invoice("bad"), "Bad-Name": 1 } },
      422,
      "invalid-variable-name-error",
    ],
    [
      "an unknown key",
      `${session("bad")}/send`,
      { ...arrival("bad"), mesage: "x" },
      422,
      "invalid-request-error",
    ],
    [
      "a body of 6 MB",
      `${session("bad")}/send`,
      { message: "x".repeat(6 * 1024 * 1024) },
      413,
      "body-too-large-error",
    ],
  ])("bad input, %s, is told and nothing is written", async (_what, path, body, status, type) => {
    const before = await call(host, `${WORKFLOW}/sessions?limit=1000`);
    const answer = await call(host, path, { body });
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ type: `/problems/${type}`, status, requestId: expect.any(String) });
    expect(answer.text).not.toContain(ROOT);
    expect((await call(host, session("bad"))).status).toBe(404);
    expect((await call(host, `${WORKFLOW}/sessions?limit=1000`)).text).toBe(before.text);
  });
});

test("npm start -- --once plays the example along its path and exits 0", async () => {
  const { code, output } = await runDemo(["--once", "--model-latency=0"]);
  expect(output).toContain("The example completed along the expected path.");
  expect(code).toBe(0);
}, 60_000);
