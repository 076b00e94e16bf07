/** Files through the deployed functions: links to them, and what is left of a deleted session. */
import { createHash, randomBytes } from "node:crypto";
import { paginateScan } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerInvoice } from "../../packages/host-local/src/demo/invoice-script.ts";
import { arrival, call, download, session } from "../support/api-client.ts";
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
  const bytes = randomBytes(50 * 1024 * 1024);
  const path = `${session("h18")}/files/scratchpad%2Fscan.bin`;
  const headers = { "content-type": "application/octet-stream", "content-length": String(bytes.length) };
  // The link is asked for with what is to come, without sending it.
  const linked = await call(host, path, {
    method: "PUT",
    headers: { "content-type": headers["content-type"], "x-upload-length": headers["content-length"] },
  });
  expect(linked.status).toBe(307);
  const link = linked.headers.get("location") ?? "";
  expect((await fetch(link, { method: "PUT", body: bytes, headers })).status).toBe(200);
  const back = await fetch((await call(host, path)).headers.get("location") ?? "");
  expect(digest(new Uint8Array(await back.arrayBuffer()))).toBe(digest(bytes));
  expect(model.asked()).toBe(0);
}, 60_000);

test("HOST-021 of a deleted session nothing is left: record, checkpoints, files, events, schedule, its children's too", async () => {
  const { host, model, deployment } = served;
  model.answerBy((conversation) => {
    const { state, calls } = conversation;
    if (state !== "intake" || calls.some(({ name }) => name.startsWith("archmax_workflow_")))
      return answerInvoice(conversation);
    return answerInvoice(conversation);
  });
  await call(host, `${session("h21")}/send`, { body: arrival("h21", "atlas-freight") });
  await call(host, `${session("h21")}/decide`, { body: { target: "scheduled" } });
  expect(await deployment.services.schedules()).toHaveLength(1);
  expect(await itemsOf("h21")).not.toEqual([]);
  expect((await served.storedFiles()).filter((key) => key.includes("h21"))).not.toEqual([]);
  expect((await call(host, session("h21"), { method: "DELETE" })).status).toBe(204);
  expect(await deployment.services.schedules()).toEqual([]);
  expect(await itemsOf("h21")).toEqual([]);
  expect((await served.storedFiles()).filter((key) => key.includes("h21"))).toEqual([]);
  expect((await call(host, session("h21"), { method: "DELETE" })).status).toBe(404);
  expect((await download(host, `${session("h21")}/files/scratchpad%2Fcomparison.md`)).status).toBe(404);
}, 60_000);
