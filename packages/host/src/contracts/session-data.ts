import assert from "node:assert/strict";
import type { SessionData } from "../ports/session-data.ts";
import { AWKWARD_SESSION_IDS, type ContractApi, type ContractSubject, withSubject } from "./contract-api.ts";

/** Stored sessions under test. */
export interface SessionDataContractSubject extends ContractSubject<SessionData> {
  /** Session ids no folder of this store can be named after. It must refuse them, not alter them. */
  unstorable?: readonly string[];
}

/** What every `SessionData` must do beside the session store's and the checkpointer's own contracts. */
export function sessionDataContract(api: ContractApi, make: () => Promise<SessionDataContractSubject>): void {
  const test = withSubject(api, make);
  api.describe("session data", () => {
    test("tenants see nothing of each other's folders", async ({ subject }) => {
      const acme = subject.forTenant("acme").sessionStore.backend;
      const other = subject.forTenant("acme-2").sessionStore.backend;
      await acme.write("/s-1/note.txt", "acme's");
      await other.write("/s-1/note.txt", "other's");
      assert.equal(
        (await subject.forTenant("acme").sessionStore.backend.read("/s-1/note.txt")).content,
        "acme's",
      );
      assert.equal(await subject.forTenant("acme").sessionStore.deleteSession("s-1"), true);
      assert.equal((await other.read("/s-1/note.txt")).content, "other's");
    });

    test("tenants see nothing of each other's checkpoints, and a read shows what is stored now", async (made) => {
      const config = { configurable: { thread_id: "s-1", checkpoint_ns: "" } };
      const reader = () => made.subject.forTenant("acme").checkpointer.getTuple(config);
      assert.equal(await reader(), undefined);
      for (const step of [0, 1]) {
        const id = `1ef00000-0000-6000-8000-00000000000${step}`;
        await made.subject.forTenant("acme").checkpointer.put(
          config,
          {
            v: 4,
            id,
            ts: "2026-01-01T00:00:00.000Z",
            channel_values: { step },
            channel_versions: { step: step + 1 },
            versions_seen: {},
          },
          { source: "loop", step, parents: {} },
          { step: step + 1 },
        );
        assert.deepEqual((await reader())?.checkpoint.channel_values, { step });
      }
      assert.equal(await made.subject.forTenant("acme-2").checkpointer.getTuple(config), undefined);
      await made.subject.forTenant("acme").checkpointer.deleteThread("s-1");
      assert.equal(await reader(), undefined);
    });

    test("a session's children are found by their files or by their checkpoints, and nobody else's", async (made) => {
      const { sessionStore, checkpointer, childrenOf } = made.subject.forTenant("acme");
      const thread = (id: string) =>
        checkpointer.put(
          { configurable: { thread_id: id, checkpoint_ns: "" } },
          {
            v: 4,
            id: "1ef00000-0000-6000-8000-000000000000",
            ts: "2026-01-01T00:00:00.000Z",
            channel_values: { step: 1 },
            channel_versions: { step: 1 },
            versions_seen: {},
          },
          { source: "loop", step: 0, parents: {} },
          { step: 1 },
        );
      const file = async (id: string) =>
        assert.equal((await sessionStore.backend.write(`/${id}/f.txt`, id)).error ?? null, null, id);
      for (const id of ["o/s 1", "o/s 1~1", "o/s 1~2~1", "o/s 12~1", "o/s~1"]) await file(id);
      for (const id of ["o/s 1", "o/s 1~2", "o/s 1~1", "o/s 1~10", "o/s 12~2"]) await thread(id);
      assert.deepEqual((await childrenOf("o/s 1")).sort(), ["o/s 1~1", "o/s 1~10", "o/s 1~2", "o/s 1~2~1"]);
      assert.deepEqual(await childrenOf("o"), []);
      assert.deepEqual(await made.subject.forTenant("acme-2").childrenOf("o/s 1"), []);
    });

    test("session folders are exact, or refused", async ({ subject, unstorable = [] }) => {
      const known = AWKWARD_SESSION_IDS.filter(
        (id) => Buffer.byteLength(id) <= 200 && !id.startsWith("a/b/"),
      );
      const ids = known.filter((id) => !unstorable.includes(id));
      const { backend } = subject.forTenant("acme").sessionStore;
      for (const id of ids) assert.equal((await backend.write(`/${id}/f.txt`, id)).error ?? null, null, id);
      for (const id of ids) assert.equal((await backend.read(`/${id}/f.txt`)).content, id);
      for (const id of unstorable) {
        assert.ok((await backend.write(`/${id}/f.txt`, id)).error, id);
        assert.ok((await backend.read(`/${id}/f.txt`)).error, id);
      }
    });
  });
}
