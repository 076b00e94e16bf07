/** What is the Lambda@Edge function's own: which requests it takes, and what CloudFront hands it. */
import { createHash } from "node:crypto";
import type { CloudFrontEdgeEvent } from "hono/lambda-edge";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildAll } from "../../scripts/build-all.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { type EdgeProcess, startEdge } from "../support/edge-process.ts";
import { viewerAnswer } from "../support/origin-request-answer.ts";
import { originRequestEvent } from "../support/origin-request-event.ts";
import { bodyOf, posted } from "../support/validating.ts";
import { machine } from "./documents/document.ts";

let edge: EdgeProcess;

beforeAll(async () => {
  await buildAll(ROOT);
  edge = await startEdge();
}, 180_000);
afterAll(() => edge?.stop());

function requestOf(event: CloudFrontEdgeEvent) {
  const request = event.Records[0]?.cf.request;
  if (request === undefined) throw new Error("The event has no request.");
  return request;
}

test.each([
  { method: "GET", path: "/" },
  { method: "GET", path: "/workflows?limit=5" },
  { method: "GET", path: "/schema.json/" },
  { method: "DELETE", path: "/Validate" },
])("passes $method $path on, unchanged", async (request) => {
  const event = originRequestEvent({ ...request, headers: { "Content-Type": "application/json" } });
  expect(await edge.invoke(event)).toEqual(requestOf(event));
});

test.each([
  { method: "POST", path: "/workflows/invoice-approval/send", body: "{}" },
  { method: "POST", path: "/validate/more", body: "states: {}" },
  { method: "PUT", path: "/workflows/a/sessions/b/files/c.txt", body: "übrig" },
  { method: "POST", path: "/workflows/a/send" },
])("passes $method $path on with its body's hash, whatever hash came with it", async (request) => {
  const event = originRequestEvent({ ...request, headers: { "X-Amz-Content-Sha256": "0".repeat(64) } });
  const value = createHash("sha256")
    .update(request.body ?? "")
    .digest("hex");
  const { headers, ...rest } = requestOf(event);
  expect(await edge.invoke(event)).toEqual({
    ...rest,
    headers: { ...headers, "x-amz-content-sha256": [{ key: "x-amz-content-sha256", value }] },
  });
});

test("a body over 1 MB goes on where the caller hashed it", async () => {
  const body = "x".repeat(1_200_000);
  const hash = createHash("sha256").update(body).digest("hex");
  const request = { method: "POST", path: "/workflows/a/send", body };
  const hashed = originRequestEvent({ ...request, headers: { "x-amz-content-sha256": hash } });
  expect(await edge.invoke(hashed)).toEqual(requestOf(hashed));
  for (const headers of [{}, { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" }]) {
    const answer = viewerAnswer(await edge.invoke(originRequestEvent({ ...request, headers })));
    expect(answer.status).toBe(413);
    expect(bodyOf(answer)).toMatchObject({ type: "/problems/body-too-large-error" });
  }
});

test("a body that CloudFront cut off is 413, however little it gave", async () => {
  const event = originRequestEvent(posted(machine()));
  Object.assign(requestOf(event).body ?? {}, { inputTruncated: true });
  const answer = viewerAnswer(await edge.invoke(event));
  expect(answer.status).toBe(413);
  expect(bodyOf(answer)).toMatchObject({ type: "/problems/body-too-large-error", limit: 262_144 });
});

test("a body given as text is read as well", async () => {
  const event = originRequestEvent(posted(""));
  Object.assign(requestOf(event).body ?? {}, { data: machine(), encoding: "text" });
  expect(bodyOf(viewerAnswer(await edge.invoke(event)))).toMatchObject({ ok: true });
});

test("an association without the body fails and says what to change", async () => {
  const event = originRequestEvent(posted(machine()));
  delete requestOf(event).body;
  await expect(edge.invoke(event)).rejects.toThrow("IncludeBody");
});

test("an event of something else fails by name", async () => {
  await expect(edge.invoke({ Records: [] })).rejects.toThrow("no CloudFront event");
});

test("an instance keeps its answers: a repeated document is not checked again", async () => {
  const document = posted(machine({ root: "title: repeated" }));
  const [first, second] = [await edge.ask(document), await edge.ask(document)];
  expect(first.headers.get("cache-status")).toBe("archmax-validator; fwd=miss");
  expect(second.headers.get("cache-status")).toBe("archmax-validator; hit");
  expect(second.text).toBe(first.text);
  expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
});

test("nothing makes a function out of text", () => {
  expect(edge.compiled()).toBe(0);
});
