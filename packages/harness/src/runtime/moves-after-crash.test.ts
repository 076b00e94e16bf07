/** One move per message, also where the process died between two calls of it (spec 03 §2: memory decides nothing). */
import type { RunnableConfig } from "@langchain/core/runnables";
import { MemorySaver, type PendingWrite } from "@langchain/langgraph-checkpoint";
import { expect, test } from "vitest";
import { advance, calling, desk, f1, f2, speaking, wait } from "./turn-fixture.ts";

/** Where the turns below open: no call moves the session there. */
const ENTRIES: readonly unknown[] = ["intake", "draft"];

/** Keeps the writes of the first call that moves the session, and nothing after them until it is revived. */
class DyingSaver extends MemorySaver {
  dead = false;
  deaths = 0;
  override async put(...args: Parameters<MemorySaver["put"]>): Promise<RunnableConfig> {
    if (this.dead) throw new Error("killed");
    return super.put(...args);
  }
  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    if (this.dead) throw new Error("killed");
    const moved = writes.find(([channel]) => channel === "workflowState");
    if (moved !== undefined && !ENTRIES.includes(moved[1]) && this.deaths === 0) {
      this.dead = true;
      this.deaths += 1;
    }
    await super.putWrites(config, writes, taskId);
  }
}

const config = { configurable: { thread_id: "s1" } };
const reset: [string, Record<string, unknown>] = ["archmax_reset", { reason: "r" }];

/** A turn that dies after the first call of its message, gone on with by another agent on the same checkpoints. */
async function crossed(spec: Record<string, unknown>, ...calls: Parameters<typeof calling>) {
  const checkpointer = new DyingSaver();
  const first = await desk(spec, [calling(...calls)], { checkpointer });
  await expect(first.workflow.send("s1", { message: "m" })).rejects.toThrow("killed");
  expect(checkpointer.deaths).toBe(1);
  checkpointer.dead = false;
  const second = await desk(spec, [speaking("on"), speaking("end")], { checkpointer });
  await second.agent.invoke(null, config);
  const { values } = await second.agent.getState(config);
  const trail = (values.auditTrail as { kind: string; to: string }[]).map(({ kind, to }) => `${kind} ${to}`);
  return { ...second, values, trail };
}

test("RUN-031 RUN-113 a second advance of the message is refused by the process that goes on", async () => {
  const { values, trail, of } = await crossed(f1(), advance("work"), advance("done"));
  expect(values).toMatchObject({ status: "completed", workflowState: "work" });
  expect(trail).toEqual(["trigger intake", "agent work"]);
  expect(of("tool-result").map(({ status, output }) => [status, output])).toEqual([
    ["error", expect.stringContaining('"work"')],
  ]);
});

test("RUN-031 RUN-113 so is a reset", async () => {
  const { values, trail } = await crossed(f1(), advance("work"), reset);
  expect(values).toMatchObject({ status: "completed", workflowState: "work" });
  expect(trail).toEqual(["trigger intake", "agent work"]);
});

test("RUN-068 RUN-113 and a wait beside a hand-over to a person, whose park keeps its record", async () => {
  const { values, trail, of } = await crossed(
    f2(),
    advance("review", { evidence: ["scratchpad/z.md"] }),
    wait("v", "1m"),
  );
  expect(values).toMatchObject({ status: "awaiting_decision", workflowState: "review" });
  expect(values.pendingDecision).toMatchObject({ seq: 1, evidence: ["scratchpad/d.md", "scratchpad/z.md"] });
  expect(trail).toEqual(["trigger draft", "agent review"]);
  expect(of("parked").filter(({ awaiting }) => awaiting === "input")).toEqual([]);
});
