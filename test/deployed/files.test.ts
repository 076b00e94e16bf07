/** Files through the deployed functions: links to them, children's, and what is left of a deleted session. */
import { createHash } from "node:crypto";
import { paginateScan } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerInvoice } from "../../packages/host-local/src/demo/invoice-script.ts";
import { arrival, call, holding, session, transcript } from "../support/api-client.ts";
import { type DeployedWorkspace, deployWorkspace } from "../support/deployed-workspace.ts";

let served: DeployedWorkspace;

beforeAll(async () => {
  served = await deployWorkspace();
}, 120_000);
afterAll(() => served?.stop());

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Everything of a session in any of the tables, as the items' keys. */
async function itemsOf(id: string): Promise<string[]> {
  const { clients, names } = served.deployment;
  const found: string[] = [];
  for (const TableName of [names.recordsTable, names.checkpointsTable, names.hostTable])
    for await (const page of paginateScan({ client: clients.dynamo }, { TableName }))
      for (const { pk, sk, removed } of page.Items ?? [])
        if (pk?.S?.includes(id) && removed === undefined) found.push(`${TableName} ${pk.S} ${sk?.S ?? ""}`);
  return found;
}

test("HOST-018 a file of 50 MB goes to its place by a link, byte for byte, and the agent reads it", async () => {
  const { host, model } = served;
  const line = "An invoice is scanned here, line by line, as text.\n";
  const bytes = Buffer.from(`The first line names the supplier: nordwind.\n${line.repeat(1_028_000)}`);
  expect(bytes.length).toBeGreaterThan(50 * 1024 * 1024);
  const path = `${session("h18")}/files/scratchpad%2Fscan.txt`;
  const type = { "content-type": "text/plain" };
  // The link is asked for without the bytes: a function takes 6 MB.
  const linked = await call(host, path, {
    method: "PUT",
    headers: { ...type, "upload-length": String(bytes.length) },
  });
  expect(linked.status).toBe(307);
  const put = await fetch(linked.headers.get("location") ?? "", {
    method: "PUT",
    body: bytes,
    headers: type,
  });
  expect(put.status).toBe(200);
  const back = await fetch((await call(host, path)).headers.get("location") ?? "");
  expect(digest(new Uint8Array(await back.arrayBuffer()))).toBe(digest(bytes));
  const unnamed = await call(host, path, { method: "PUT", headers: { ...type, "upload-length": "many" } });
  expect(unnamed.status).toBe(411);
  model.answerBy((conversation) => {
    const { state, calls } = conversation;
    const scan = { name: "read_file", args: { file_path: "scratchpad/scan.txt", limit: 2 } };
    return state === "intake" && calls.length === 0 ? { calls: [scan] } : answerInvoice(conversation);
  });
  expect((await call(host, `${session("h18")}/send`, { body: arrival("h18") })).json).toMatchObject({
    kind: "parked",
  });
  model.answerBy();
  expect(holding(await transcript(host, "h18"), "names the supplier: nordwind")).toBeGreaterThan(0);
}, 60_000);

test("HOST-021 of a deleted session nothing is left: record, checkpoints, files, events, schedule", async () => {
  const { host, deployment } = served;
  await call(host, `${session("h21")}/send`, { body: arrival("h21", "atlas-freight") });
  await call(host, `${session("h21")}/decide`, { body: { target: "scheduled" } });
  const [armed] = await deployment.services.schedules();
  expect(armed?.input).toMatchObject({ sessionId: "h21" });
  expect(await itemsOf("h21")).not.toEqual([]);
  expect((await served.storedFiles()).filter((key) => key.includes("h21"))).not.toEqual([]);
  expect((await call(host, session("h21"), { method: "DELETE" })).status).toBe(204);
  expect(await deployment.services.schedules()).toEqual([]);
  expect(await itemsOf("h21")).toEqual([]);
  expect((await served.storedFiles()).filter((key) => key.includes("h21"))).toEqual([]);
  expect((await call(host, session("h21"), { method: "DELETE" })).status).toBe(404);
}, 60_000);

test("HOST-021 HOST-026 a child session is read and not driven, and goes with its parent", async () => {
  const { host, model } = served;
  model.answerBy(({ state, calls }) => {
    if (state === "ask" && calls.length === 0)
      return { calls: [{ name: "archmax_workflow_looking-up", args: {} }] };
    if (state === "look" && calls.length === 0)
      return { calls: [{ name: "write_file", args: { file_path: "scratchpad/found.md", content: "It." } }] };
    return { text: "It was found." };
  });
  const asking = "/workflows/asking";
  const asked = await call(host, `${session("p21", asking)}/send`, { body: { message: "Where is it?" } });
  model.answerBy();
  expect(asked.json).toMatchObject({ kind: "completed" });
  const child = await call(host, session("p21~1", asking));
  expect(child.json).toMatchObject({ sessionId: "p21~1", status: "completed" });
  const before = await transcript(host, "p21~1", asking);
  for (const [verb, body] of [
    ["send", { message: "And now?" }],
    ["decide", { target: "ask" }],
    ["reply", { message: "And now?" }],
    ["deliver", { trigger: { id: "timer" } }],
  ] as const)
    expect((await call(host, `${session("p21~1", asking)}/${verb}`, { body })).status).toBe(400);
  expect(await transcript(host, "p21~1", asking)).toEqual(before);
  expect(await itemsOf("p21~1")).not.toEqual([]);
  expect((await served.storedFiles()).filter((key) => key.includes("p21~1"))).not.toEqual([]);
  expect((await call(host, session("p21", asking), { method: "DELETE" })).status).toBe(204);
  expect(await itemsOf("p21")).toEqual([]);
  expect((await served.storedFiles()).filter((key) => key.includes("p21"))).toEqual([]);
  expect((await call(host, session("p21~1", asking))).status).toBe(404);
}, 60_000);
