import assert from "node:assert/strict";
import type { Clock } from "../ports/clock.ts";
import { type ContractApi, type TimedContractSubject, withSubject } from "./contract-api.ts";

/** What every `Clock` must do. `advance` waits, for a clock that cannot be moved. */
export function clockContract(api: ContractApi, make: () => Promise<TimedContractSubject<Clock>>): void {
  const test = withSubject(api, make);
  api.describe("clock", () => {
    test("time does not run backwards", async ({ subject, advance }) => {
      const first = subject.now();
      await advance(20);
      assert.ok(subject.now() >= first);
    });

    test("a task runs once, after its delay, unless it was called off", async ({ subject, advance }) => {
      const ran: string[] = [];
      subject.after(20, () => ran.push("kept"));
      const cancel = subject.after(20, () => ran.push("called off"));
      cancel();
      assert.deepEqual(ran, []);
      await advance(60);
      await advance(60);
      assert.deepEqual(ran, ["kept"]);
      cancel();
    });
  });
}
