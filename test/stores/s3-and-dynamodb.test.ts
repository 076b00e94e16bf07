/** The harness with its files on S3 and its checkpoints in DynamoDB: what chapter 04 says of a supplied checkpointer. */
import { expect, test } from "vitest";
import {
  type Answer,
  advance,
  calling,
  desk,
  f1,
  f2,
  speaking,
  wait,
} from "../../packages/harness/src/runtime/turn-fixture.ts";
import { type Tenant, useAwsStores } from "./aws-stores.ts";

const stores = useAwsStores();
const tenant = async () => (await stores.tenants("a"))[0] as Tenant;

test("AWS-028 every verb works over S3 and DynamoDB, each in an agent of its own", {
  timeout: 60_000,
}, async () => {
  const { agent, objects } = await tenant();
  const spec = f2({ draft: { tools: { allow: ["write_file", "archmax_wait"] } } });

  const opening = await agent(
    spec,
    calling(["write_file", { file_path: "/scratchpad/d.md", content: "the draft" }]),
    speaking("waiting", wait("vendor")),
  );
  expect(await opening.agent.sessions.get("s1")).toBeNull();
  expect(await opening.agent.sessions.messageCount("s1")).toBe(0);
  expect(await opening.workflow.send("s1", { message: "m" })).toMatchObject({
    kind: "parked",
    parkedChannel: "input",
  });
  expect(await opening.agent.sessions.get("s1")).toMatchObject({
    sessionId: "s1",
    status: "awaiting_input",
    classification: "open",
    workflowState: "draft",
  });

  const woken = await agent(spec, calling(advance("review")), speaking("please look"));
  const delivered = await woken.workflow.deliver("s1", { trigger: { id: "mail" }, message: "it came" });
  expect(delivered).toMatchObject({
    status: "awaiting_decision",
    parkedChannel: "decision",
    reply: "please look",
  });

  const asked = await agent(spec, speaking("none"));
  expect(await asked.workflow.reply("s1", "news?")).toMatchObject({ reparked: true, reply: "none" });
  expect(await asked.agent.sessions.get("s1")).toMatchObject({
    status: "awaiting_decision",
    workflowState: "review",
  });

  const decided = await agent(spec, speaking("done"));
  const outcome = await decided.workflow.decide("s1", { target: "sent", comment: "fine" });
  expect(outcome).toMatchObject({ status: "completed", workflowState: "sent", reply: "done" });
  expect(outcome.auditTrail.map(({ kind }) => kind)).toEqual(["trigger", "trigger", "agent", "human"]);

  const { sessions } = (await agent(spec)).agent;
  expect(await sessions.get("s1")).toMatchObject({ status: "completed", classification: "finished" });
  expect(await sessions.messageCount("s1")).toBe(outcome.messages.length);
  expect(await sessions.list()).toEqual([]);
  expect(await objects()).toContain("tenants/a/runs/s1/scratchpad/d.md");
  expect((await objects()).filter((key) => key.includes("/checkpoints/"))).toEqual([]);
});

test("AWS-028 send resolves to a delivery, a reply and a decision on a session another agent parked", async () => {
  const { agent } = await tenant();
  const spec = f2({ draft: { tools: { allow: ["archmax_wait"] } } });
  await (await agent(spec, speaking("waiting", wait("vendor")))).workflow.send("s1", { message: "m" });
  const answers: Answer[][] = [
    [calling(advance("review")), speaking("look")],
    [speaking("soon")],
    [speaking("done")],
  ];
  const inputs = [
    { delivery: { trigger: { id: "mail" } } },
    { message: "when?" },
    { decision: { target: "sent" } },
  ];
  const dispositions: unknown[] = [];
  for (const [at, input] of inputs.entries()) {
    const { workflow } = await agent(spec, ...(answers[at] ?? []));
    const { disposition, kind } = await workflow.send("s1", input);
    dispositions.push([disposition, kind]);
  }
  expect(dispositions).toEqual([
    ["deliver", "parked"],
    ["reply", "parked"],
    ["decide", "completed"],
  ]);
});

test("AWS-028 delete leaves neither object nor item, says what it removed, and the id starts anew", async () => {
  const { agent, objects, items } = await tenant();
  const first = await agent(f1(), speaking("one"), speaking("two"));
  await first.workflow.send("s1", { message: "m" });
  await first.workflow.send("s10", { message: "m" });
  await first.agent.sessions.seed("s1", { "scratchpad/in.txt": "in" });
  expect(await objects()).toContain("tenants/a/runs/s1/scratchpad/in.txt");
  const { sessions } = (await agent(f1())).agent;
  expect(await sessions.delete("s1")).toBe(true);
  expect(await sessions.get("s1")).toBeNull();
  expect(await sessions.messageCount("s1")).toBe(0);
  expect((await objects()).filter((key) => key.startsWith("tenants/a/runs/s1/"))).toEqual([]);
  expect((await items()).filter(({ pk }) => pk?.S?.endsWith("#s1"))).toEqual([]);
  expect(await sessions.delete("s1")).toBe(false);
  expect(await sessions.messageCount("s10")).toBe(2);
  const anew = await (await agent(f1(), speaking("three"))).workflow.send("s1", { message: "o" });
  expect(anew.messages.map(({ content }) => content)).toEqual(["o", "three"]);
});

test("AWS-028 a checkpoint DynamoDB could not give is an error, never a session that is not there", async () => {
  const { agent, saver, store } = await tenant();
  await (await agent(f1(), speaking("one"))).workflow.send("s1", { message: "m" });
  const checkpointer = saver({}, { dynamo: stores.unreachable() });
  const cut = await desk(f1(), [speaking("two")], { checkpointer }, store());
  const error = { name: "CheckpointStorageError" };
  await expect(cut.agent.sessions.get("s1")).rejects.toMatchObject(error);
  await expect(cut.agent.sessions.messageCount("s1")).rejects.toMatchObject(error);
  await expect(cut.agent.sessions.delete("s1")).rejects.toMatchObject(error);
  await expect(cut.workflow.send("s1", { message: "n" })).rejects.toMatchObject(error);
  expect(cut.model.requests).toEqual([]);
  expect(await (await agent(f1())).agent.sessions.messageCount("s1")).toBe(2);
});
