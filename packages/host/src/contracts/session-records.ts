import assert from "node:assert/strict";
import type { SessionRecord, SessionStatus } from "../ports/session-record.ts";
import type { SessionRecords } from "../ports/session-records.ts";
import { AWKWARD_SESSION_IDS, type ContractApi, type ContractSubject, withSubject } from "./contract-api.ts";

/** A record for tests; everything but the parts given is at rest. */
export function exampleRecord(part: Partial<SessionRecord> = {}): SessionRecord {
  return {
    tenant: "acme",
    sessionId: "s-1",
    workflow: "desk",
    status: "completed",
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    parkSeq: 0,
    leaseToken: 1,
    attempts: {},
    carriedOut: [],
    unpublished: [],
    ...part,
  };
}

function everyField(): SessionRecord {
  return exampleRecord({
    status: "awaiting_input",
    state: "wait",
    title: "Bücher für 3 €",
    usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheCreationTokens: 0, costUsd: 0.25 },
    parkSeq: 3,
    park: {
      seq: 3,
      channel: "input",
      identity: "input:2026-01-01T00:00:00.000Z",
      state: "wait",
      resumeAt: "2026-01-02T00:00:00.000Z",
      armed: true,
      record: { state: "wait", reason: "the reply", nested: [{ "": null }], __proto__x: 1 },
    },
    head: "1f0-checkpoint",
    turn: { turnId: "t", commandId: "c", kind: "send", startedAt: "2026-01-01T00:00:00.000Z", base: null },
    lastTurn: {
      turnId: "t0",
      commandId: "c0",
      kind: "deliver",
      digest: "ab",
      at: "2026-01-01T00:00:00.000Z",
    },
    stalled: { reason: "no model", commandId: "c", at: "2026-01-01T00:00:00.000Z" },
    lease: { owner: "o", token: 7, until: 1_767_225_600_000 },
    leaseToken: 7,
    attempts: { c: 2 },
    carriedOut: [{ commandId: "c0", at: 1_767_225_600_000 }],
    unpublished: [
      {
        id: "t0-1",
        type: "SessionParked",
        time: "2026-01-01T00:00:00.000Z",
        detail: { tenant: "acme", workflow: "desk", sessionId: "s-1", state: "wait" },
      },
    ],
    attentionAt: 1_767_225_600_000,
  });
}

function at(second: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
}

async function listAll(
  records: SessionRecords,
  query: { tenant?: string; workflow?: string; statuses?: readonly SessionStatus[]; limit: number },
): Promise<SessionRecord[]> {
  const all: SessionRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await records.list({
      tenant: "acme",
      workflow: "desk",
      ...query,
      ...(cursor === undefined ? {} : { cursor }),
    });
    assert.ok(page.records.length <= query.limit, "a page holds at most its limit");
    all.push(...page.records);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}

/** What every `SessionRecords` must do. */
export function sessionRecordsContract(
  api: ContractApi,
  make: () => Promise<ContractSubject<SessionRecords>>,
): void {
  const test = withSubject(api, make);
  api.describe("session records", () => {
    test("a record comes back as it was stored", async ({ subject }) => {
      const record = everyField();
      assert.equal(await subject.get(record), null);
      const version = await subject.create(record);
      assert.equal(typeof version, "string");
      const stored = await subject.get(record);
      assert.deepEqual(stored, { record, version });
    });

    test("a record is created once", async ({ subject }) => {
      const versions = await Promise.all(
        [1, 2, 3, 4].map((leaseToken) => subject.create(exampleRecord({ leaseToken }))),
      );
      assert.equal(versions.filter((version) => version !== null).length, 1);
      const winner = versions.findIndex((version) => version !== null) + 1;
      assert.equal((await subject.get({ tenant: "acme", sessionId: "s-1" }))?.record.leaseToken, winner);
    });

    test("of several writers on one version exactly one writes", async ({ subject }) => {
      const version = (await subject.create(exampleRecord())) ?? "";
      const written = await Promise.all(
        [1, 2, 3, 4, 5].map((leaseToken) => subject.replace(exampleRecord({ leaseToken }), version)),
      );
      const winners = written.filter((one) => one !== null);
      assert.equal(winners.length, 1);
      const stored = await subject.get({ tenant: "acme", sessionId: "s-1" });
      assert.equal(stored?.version, winners[0]);
      assert.equal(stored?.record.leaseToken, written.findIndex((one) => one !== null) + 1);
    });

    test("a stale version neither replaces nor removes", async ({ subject }) => {
      const first = (await subject.create(exampleRecord())) ?? "";
      const second = (await subject.replace(exampleRecord({ parkSeq: 1 }), first)) ?? "";
      assert.equal(await subject.replace(exampleRecord({ parkSeq: 9 }), first), null);
      assert.equal(await subject.remove({ tenant: "acme", sessionId: "s-1" }, first), false);
      assert.equal((await subject.get({ tenant: "acme", sessionId: "s-1" }))?.record.parkSeq, 1);
      assert.equal(await subject.remove({ tenant: "acme", sessionId: "s-1" }, second), true);
      assert.equal(await subject.remove({ tenant: "acme", sessionId: "s-1" }, second), false);
      assert.equal(await subject.get({ tenant: "acme", sessionId: "s-1" }), null);
      assert.equal(await subject.replace(exampleRecord(), second), null);
    });

    test("a version of a removed record does not fit its successor", async ({ subject }) => {
      const first = (await subject.create(exampleRecord())) ?? "";
      await subject.remove({ tenant: "acme", sessionId: "s-1" }, first);
      await subject.create(exampleRecord({ parkSeq: 5 }));
      assert.equal(await subject.replace(exampleRecord({ parkSeq: 9 }), first), null);
      assert.equal(await subject.remove({ tenant: "acme", sessionId: "s-1" }, first), false);
    });

    test("fields that are gone from the replacement are gone from the record", async ({ subject }) => {
      const version = (await subject.create(everyField())) ?? "";
      await subject.replace(exampleRecord(), version);
      assert.deepEqual((await subject.get({ tenant: "acme", sessionId: "s-1" }))?.record, exampleRecord());
      assert.deepEqual(await subject.due({ until: Number.MAX_SAFE_INTEGER, limit: 10 }), { records: [] });
    });

    test("awkward session ids are kept apart and exact", async ({ subject }) => {
      for (const sessionId of AWKWARD_SESSION_IDS) {
        assert.notEqual(await subject.create(exampleRecord({ sessionId })), null, JSON.stringify(sessionId));
      }
      for (const sessionId of AWKWARD_SESSION_IDS) {
        assert.equal((await subject.get({ tenant: "acme", sessionId }))?.record.sessionId, sessionId);
      }
      const listed = await listAll(subject, { limit: 4 });
      assert.deepEqual(listed.map((record) => record.sessionId).sort(), [...AWKWARD_SESSION_IDS].sort());
    });

    test("tenants see nothing of each other", async ({ subject }) => {
      const version = (await subject.create(exampleRecord({ tenant: "acme" }))) ?? "";
      await subject.create(exampleRecord({ tenant: "acme-2", parkSeq: 2 }));
      assert.equal(await subject.get({ tenant: "acm", sessionId: "s-1" }), null);
      assert.equal((await subject.get({ tenant: "acme-2", sessionId: "s-1" }))?.record.parkSeq, 2);
      await subject.remove({ tenant: "acme", sessionId: "s-1" }, version);
      assert.equal((await listAll(subject, { limit: 10 })).length, 0);
      assert.equal((await listAll(subject, { tenant: "acme-2", limit: 10 })).length, 1);
    });

    test("a listing is newest first, by workflow and by status, page by page", async ({ subject }) => {
      const statuses: SessionStatus[] = ["running", "awaiting_decision", "awaiting_input", "completed"];
      for (let index = 0; index < 24; index += 1) {
        await subject.create(
          exampleRecord({
            sessionId: `s-${index}`,
            workflow: index % 6 === 5 ? "other" : "desk",
            status: statuses[index % 4] ?? "failed",
            updatedAt: at(index),
          }),
        );
      }
      const desk = await listAll(subject, { limit: 7 });
      assert.deepEqual(
        desk.map((record) => record.sessionId),
        Array.from({ length: 24 }, (_, index) => 23 - index)
          .filter((index) => index % 6 !== 5)
          .map((index) => `s-${index}`),
      );
      const parked = await listAll(subject, { statuses: ["awaiting_decision", "awaiting_input"], limit: 3 });
      assert.deepEqual(
        parked.map((record) => record.sessionId),
        desk.filter((record) => record.status.startsWith("awaiting")).map((record) => record.sessionId),
      );
      assert.deepEqual(await listAll(subject, { statuses: ["failed"], limit: 3 }), []);
      assert.equal((await listAll(subject, { workflow: "other", limit: 100 })).length, 4);
    });

    test("a record moves in the listing as its status and time change", async ({ subject }) => {
      await subject.create(exampleRecord({ sessionId: "old", updatedAt: at(1) }));
      const version = (await subject.create(exampleRecord({ sessionId: "s-1", updatedAt: at(0) }))) ?? "";
      await subject.replace(exampleRecord({ status: "failed", updatedAt: at(2) }), version);
      assert.deepEqual(
        (await listAll(subject, { limit: 10 })).map((record) => record.sessionId),
        ["s-1", "old"],
      );
      assert.equal((await listAll(subject, { statuses: ["completed"], limit: 10 })).length, 1);
    });

    test("records of one instant are each listed once", async ({ subject }) => {
      for (let index = 0; index < 9; index += 1) {
        await subject.create(exampleRecord({ sessionId: `s-${index}` }));
      }
      const ids = (await listAll(subject, { limit: 2 })).map((record) => record.sessionId);
      assert.equal(new Set(ids).size, 9);
      assert.equal(ids.length, 9);
    });

    test("a foreign cursor is refused", async ({ subject }) => {
      for (let index = 0; index < 3; index += 1) {
        await subject.create(exampleRecord({ sessionId: `s-${index}`, tenant: "other" }));
      }
      const { cursor } = await subject.list({ tenant: "other", workflow: "desk", limit: 1 });
      assert.ok(cursor);
      for (const bad of ["", "nonsense", "e30", "null", "../../x", cursor]) {
        await assert.rejects(
          subject.list({ tenant: "acme", workflow: "desk", limit: 1, cursor: bad }),
          { name: "InvalidCursorError" },
          JSON.stringify(bad),
        );
      }
    });

    test("the due list holds every tenant's records whose time has come, soonest first", async ({
      subject,
    }) => {
      const times: [string, string, number | undefined][] = [
        ["acme", "late", 3000],
        ["other", "soon", 1000],
        ["acme", "middle", 2000],
        ["acme", "never", undefined],
        ["acme", "future", 9000],
      ];
      for (const [tenant, sessionId, attentionAt] of times) {
        await subject.create(
          exampleRecord({ tenant, sessionId, ...(attentionAt === undefined ? {} : { attentionAt }) }),
        );
      }
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await subject.due({
          until: 3000,
          limit: 2,
          ...(cursor === undefined ? {} : { cursor }),
        });
        ids.push(...page.records.map((record) => record.sessionId));
        cursor = page.cursor;
      } while (cursor !== undefined);
      assert.deepEqual(ids, ["soon", "middle", "late"]);
    });

    test("what is handed out is not what is kept", async ({ subject }) => {
      await subject.create(everyField());
      const first = await subject.get({ tenant: "acme", sessionId: "s-1" });
      if (first !== null) first.record.attempts.c = 99;
      assert.equal((await subject.get({ tenant: "acme", sessionId: "s-1" }))?.record.attempts.c, 2);
    });
  });
}
