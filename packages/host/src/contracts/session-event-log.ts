import assert from "node:assert/strict";
import type { SessionEventLog } from "../ports/session-event-log.ts";
import { AWKWARD_SESSION_IDS, type ContractApi, type ContractSubject, withSubject } from "./contract-api.ts";

const KEY = { tenant: "acme", sessionId: "s-1" };
const FIRST = 1_767_225_600 * 1_000_000;

/** What every `SessionEventLog` must do. */
export function sessionEventLogContract(
  api: ContractApi,
  make: () => Promise<ContractSubject<SessionEventLog>>,
): void {
  const test = withSubject(api, make);
  const event = (offset: number, text = "x") => ({
    id: FIRST + offset,
    type: "agent-text",
    data: { type: "agent-text", text, nested: [null, 1.5, "ü🙂"] },
  });
  api.describe("session event log", () => {
    test("events are read back after an id, in order, up to the limit", async ({ subject }) => {
      assert.deepEqual(await subject.read(KEY, 0, 10), []);
      await subject.append(KEY, [event(1), event(2)]);
      await subject.append(KEY, [event(9), event(10), event(100)]);
      assert.deepEqual(await subject.read(KEY, 0, 10), [event(1), event(2), event(9), event(10), event(100)]);
      assert.deepEqual(await subject.read(KEY, FIRST + 2, 2), [event(9), event(10)]);
      assert.deepEqual(await subject.read(KEY, FIRST + 100, 2), []);
    });

    test("an id that is there stays as it is", async ({ subject }) => {
      await subject.append(KEY, [event(1, "first")]);
      await subject.append(KEY, [event(1, "second"), event(2)]);
      assert.deepEqual(await subject.read(KEY, 0, 10), [event(1, "first"), event(2)]);
    });

    test("nothing appended is nothing", async ({ subject }) => {
      await subject.append(KEY, []);
      assert.deepEqual(await subject.read(KEY, 0, 10), []);
    });

    test("sessions and tenants are kept apart, and one is forgotten alone", async ({ subject }) => {
      for (const tenant of ["acme", "acme-2"]) {
        for (const sessionId of AWKWARD_SESSION_IDS) {
          await subject.append({ tenant, sessionId }, [event(1, `${tenant} ${sessionId}`)]);
        }
      }
      await subject.remove({ tenant: "acme", sessionId: "a/b" });
      await subject.remove({ tenant: "acme", sessionId: "a/b" });
      for (const tenant of ["acme", "acme-2"]) {
        for (const sessionId of AWKWARD_SESSION_IDS) {
          const expected =
            tenant === "acme" && sessionId === "a/b" ? [] : [event(1, `${tenant} ${sessionId}`)];
          assert.deepEqual(await subject.read({ tenant, sessionId }, 0, 10), expected);
        }
      }
    });

    test("a large event is kept whole", async ({ subject }) => {
      const large = event(1, "é".repeat(500_000));
      await subject.append(KEY, [large]);
      assert.deepEqual(await subject.read(KEY, 0, 1), [large]);
    });
  });
}
