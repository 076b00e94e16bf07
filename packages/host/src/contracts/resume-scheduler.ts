import assert from "node:assert/strict";
import type { Command } from "../ports/command.ts";
import type { ResumeScheduler, TimedResume } from "../ports/resume-scheduler.ts";
import {
  AWKWARD_SESSION_IDS,
  type ContractApi,
  type TimedContractSubject,
  withSubject,
} from "./contract-api.ts";

/** A scheduler under test, with a look at what it sent to the queue. */
export interface SchedulerContractSubject extends TimedContractSubject<ResumeScheduler> {
  /** The commands its schedules have sent so far, in order; absent where the stand-in does not fire. */
  fired?(): Promise<{ group: string; command: Command }[]>;
}

const KEY = { tenant: "acme", sessionId: "s-1" };

function inSeconds(now: number, seconds: number): string {
  return new Date(Math.ceil(now / 1000) * 1000 + seconds * 1000).toISOString();
}

/** What every `ResumeScheduler` must do. */
export function resumeSchedulerContract(
  api: ContractApi,
  make: () => Promise<SchedulerContractSubject>,
): void {
  const test = withSubject(api, make);
  const resume = (now: number, part: Partial<TimedResume> = {}): TimedResume => ({
    ...KEY,
    workflow: "desk",
    seq: 1,
    dueAt: inSeconds(now, 90),
    ...part,
  });
  api.describe("resume scheduler", () => {
    test("what is armed is listed, and armed twice is one", async ({ subject, now }) => {
      assert.deepEqual(await subject.list(KEY), []);
      const armed = resume(now());
      await subject.arm(armed);
      await subject.arm(resume(now(), { dueAt: inSeconds(now(), 500) }));
      assert.deepEqual(await subject.list(KEY), [armed]);
    });

    test("calling off what is gone is as good", async ({ subject, now }) => {
      await subject.arm(resume(now()));
      assert.equal(await subject.disarm(KEY, 2), false);
      assert.equal(await subject.disarm(KEY, 1), true);
      assert.equal(await subject.disarm(KEY, 1), false);
      assert.deepEqual(await subject.list(KEY), []);
    });

    test("parks and sessions are kept apart", async ({ subject, now }) => {
      await subject.arm(resume(now()));
      await subject.arm(resume(now(), { seq: 11 }));
      await subject.arm(resume(now(), { tenant: "acme-2" }));
      for (const sessionId of AWKWARD_SESSION_IDS) await subject.arm(resume(now(), { sessionId }));
      assert.equal(await subject.disarm(KEY, 1), true);
      assert.deepEqual(
        (await subject.list(KEY)).map((one) => one.seq),
        [11],
      );
      assert.equal((await subject.list({ tenant: "acme-2", sessionId: "s-1" })).length, 1);
      for (const sessionId of AWKWARD_SESSION_IDS) {
        assert.deepEqual(
          (await subject.list({ tenant: "acme", sessionId })).map((one) => one.sessionId),
          [sessionId],
        );
      }
    });

    test("a due schedule sends its resume once, in the due group, and is gone", async (made) => {
      if (made.fired === undefined) return;
      const armed = resume(made.now());
      await made.subject.arm(armed);
      await made.subject.arm(resume(made.now(), { seq: 2, dueAt: inSeconds(made.now(), 3600) }));
      await made.advance(80_000);
      assert.deepEqual(await made.fired(), []);
      await made.advance(12_000);
      const sent = await made.fired();
      assert.equal(sent.length, 1);
      const [first] = sent;
      assert.equal(first?.group, "acme#s-1#due");
      const { turnId, commandId, ...command } = first?.command ?? ({} as Command);
      assert.deepEqual(command, { kind: "resume", ...armed });
      assert.ok(turnId && commandId);
      assert.deepEqual(
        (await made.subject.list(KEY)).map((one) => one.seq),
        [2],
      );
    });

    test("a schedule that was called off sends nothing", async (made) => {
      if (made.fired === undefined) return;
      await made.subject.arm(resume(made.now()));
      await made.subject.disarm(KEY, 1);
      await made.advance(200_000);
      assert.deepEqual(await made.fired(), []);
    });
  });
}
