/** Files through the deployed functions: links to them, and what is left of a deleted session. */
import { createHash, randomBytes } from "node:crypto";
import { paginateScan } from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { answerInvoice } from "../../packages/host-local/src/demo/invoice-script.ts";
import { arrival, call, holding, session, transcript } from "../support/api-client.ts";
import { type DeployedWorkspace, deployWorkspace } from "../support/deployed-workspace.ts";
import { ON_MOTO } from "./deployment.ts";

let served: DeployedWorkspace;

beforeAll(async () => {
  served = await deployWorkspace();
}, 120_000);
afterAll(() => served?.stop());
afterEach(() => served.model.answerBy());

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

/** fauxqs takes 11 MB at once; moto takes what S3 does. */
const LARGE_MB = ON_MOTO ? 50 : 11;
/** What the S3 backend reads at once, in bytes, is a little more. */
const READABLE = 10_000_000;

/** Sends a file to the place that its session's route links to. */
async function upload(path: string, bytes: Buffer): Promise<void> {
  const type = { "content-type": "text/plain" };
  // The link is asked for without the bytes: a function takes 6 MB.
  const headers = { ...type, "upload-length": String(bytes.length) };
  const linked = await call(served.host, path, { method: "PUT", headers });
  expect(linked.status).toBe(307);
  const put = await fetch(linked.headers.get("location") ?? "", {
    method: "PUT",
    body: bytes,
    headers: type,
  });
  expect(put.status).toBe(200);
}

test(`HOST-018 a file of ${LARGE_MB} MB goes to its place by a link, byte for byte; the agent reads one of 10 MB`, async () => {
  const { host, model } = served;
  const scan = `${session("h18")}/files/scratchpad%2Fscan.txt`;
  const large = `${session("h18")}/files/scratchpad%2Flarge.bin`;
  const text = Buffer.alloc(READABLE, "The first line names the supplier: nordwind.\n");
  const bytes = randomBytes(LARGE_MB * 1_000_000);
  await upload(scan, text);
  await upload(large, bytes);
  const unnamed = await call(host, scan, { method: "PUT", headers: { "upload-length": "many" } });
  expect(unnamed.status).toBe(411);
  model.answerBy((conversation) => {
    const { state, calls } = conversation;
    const reading = { name: "read_file", args: { file_path: "scratchpad/scan.txt", limit: 2 } };
    return state === "intake" && calls.length === 0 ? { calls: [reading] } : answerInvoice(conversation);
  });
  const opened = await call(host, `${session("h18")}/send`, { body: arrival("h18") });
  expect(opened.json).toMatchObject({ kind: "parked" });
  expect(holding(await transcript(host, "h18"), "names the supplier: nordwind")).toBe(1);
  for (const [path, sent] of [
    [scan, text],
    [large, bytes],
  ] as const) {
    const back = await fetch((await call(host, path)).headers.get("location") ?? "");
    expect(digest(new Uint8Array(await back.arrayBuffer()))).toBe(digest(sent));
  }
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
