/** The verbs over real HTTP. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  allEvents,
  arrival,
  type Caller,
  call,
  events,
  session,
  until,
  WORKFLOW,
} from "../support/api-client.ts";
import type { ServedWorkspace } from "../support/served-workspace.ts";

/** Plays them on a host. */
export function verbCases(serve: () => Promise<ServedWorkspace>): void {
  let served: ServedWorkspace;
  let host: Caller;

  beforeAll(async () => {
    served = await serve();
    host = served.host;
  }, 60_000);

  afterAll(async () => {
    await served?.stop();
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
      const { stranger } = served;
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
      const release = served.model.hold();
      const sends = [open("h4"), open("h4")];
      // The one that runs waits for its model, so the first answer is the other's.
      await Promise.race(sends).finally(release);
      const both = await Promise.all(sends);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(both.find(({ status }) => status === 409)?.headers.get("retry-after")).toMatch(/^\d+$/);
      const { messages } = (await call(host, `${session("h4")}/messages`)).json as { messages: unknown[] };
      const said = messages.filter((message) =>
        JSON.stringify(message).includes("A new invoice has arrived."),
      );
      expect(said).toHaveLength(1);
    });

    test("HOST-005 one turn per idempotency key", async () => {
      await open("h5");
      const key = { "idempotency-key": "decide-h5" };
      const release = served.model.hold();
      const modelAsked = served.model.nextAsked();
      const running = decide("h5", "checking", key);
      await modelAsked;
      const during = await decide("h5", "checking", key).finally(release);
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
      expect((await decide("h8", "scheduled")).json).toMatchObject({
        kind: "parked",
        parkedChannel: "input",
      });
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

    test("HOST-017 an id with a slash or of other scripts is one session, stored exactly", async () => {
      for (const id of ["team/7", "счёт-№7"]) {
        expect((await open(id)).json).toMatchObject({ kind: "parked" });
        expect((await call(host, session(id))).json.sessionId).toBe(id);
      }
    });

    test("HOST-024 a disabled workflow starts nothing, and its parked sessions still take a decision and a delivery", async () => {
      const file = join(served.workspace, "workflows/other-approval/workflow.yaml");
      const text = await readFile(file, "utf8");
      const { other } = served;
      await call(host, `${session("h24", other)}/send`, { body: arrival("h24", "atlas-freight") });
      await writeFile(file, `disabled: true\n${text}`);
      await served.redeploy();
      try {
        const decided = await call(host, `${session("h24", other)}/decide`, {
          body: { target: "scheduled" },
        });
        expect(decided.json).toMatchObject({ kind: "parked", parkedChannel: "input" });
        const woken = await call(host, `${session("h24", other)}/deliver`, {
          body: { trigger: { id: "timer" } },
        });
        expect(woken.json).toMatchObject({ kind: "completed", state: "paid" });
        const again = await call(host, `${session("h24", other)}/send`, { body: arrival("h24") });
        expect(again.status).toBe(409);
      } finally {
        await writeFile(file, text);
        await served.redeploy();
      }
      const answer = await call(host, "/workflows/off/sessions/h24-off/send", { body: arrival("h24-off") });
      expect(answer.status).toBe(409);
      expect(answer.json.type).toBe("/problems/workflow-disabled-error");
    });
  });
}
