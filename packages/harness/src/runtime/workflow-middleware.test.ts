import { MemorySaver, type PendingWrite } from "@langchain/langgraph-checkpoint";
import { expect, test } from "vitest";
import { advance, calling, desk, f1, speaking } from "./turn-fixture.ts";

/** Keeps checkpoints in memory, and what each step of a turn wrote. */
class WatchedSaver extends MemorySaver {
  readonly steps: string[][] = [];
  override async putWrites(config: never, writes: PendingWrite[], taskId: string): Promise<void> {
    this.steps.push(writes.map(([channel]) => String(channel)));
    return super.putWrites(config, writes, taskId);
  }
}

test("the steps before and after the agent write what they change, and no transcript", async () => {
  const checkpointer = new WatchedSaver();
  const { workflow } = await desk(f1(), [calling(advance("done")), speaking("bye")], { checkpointer });
  const outcome = await workflow.send("s1", { message: "m" });
  expect(outcome).toMatchObject({ status: "completed", state: "done", reply: "bye" });
  const [, boundary, ...rest] = checkpointer.steps;
  expect(boundary?.toSorted()).toEqual([
    "auditTrail",
    "branch:to:model_request",
    "entryState",
    "openedBy",
    "opening",
    "specHash",
    "status",
    "trigger",
    "variables",
    "workflowState",
  ]);
  expect(rest.at(-1)).toEqual([]);
});

test("a step that sends the turn back to the model writes what it adds to the transcript alone", async () => {
  const checkpointer = new WatchedSaver();
  const root = { triggers: { manual: { returns: ["total"] } } };
  const { workflow } = await desk(
    f1({ intake: root }),
    [speaking("x"), calling(["archmax_set_variables", { variables: { total: 3 } }]), speaking("y")],
    { checkpointer },
  );
  expect(await workflow.send("s1", { message: "m" })).toMatchObject({ status: "completed", reply: "y" });
  const handedBack = checkpointer.steps.filter((channels) => channels.includes("returnsHandedBack"));
  expect(handedBack.map((channels) => channels.toSorted())).toEqual([
    ["__pregel_tasks", "messages", "returnsHandedBack"],
  ]);
});
