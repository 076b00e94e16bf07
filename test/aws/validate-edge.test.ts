/**
 * The Edge bundle in the runtime that Lambda gives it, on CloudFront's events: those of `events/`, which hold each field
 * AWS documents, and one for every document of `test/edge`.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workflowJsonSchema } from "../../packages/harness/src/document/index.ts";
import { ALL_DOCUMENTS } from "../edge/documents/all-documents.ts";
import { endedWithTheFile } from "../support/child-processes.ts";
import { type EdgeProcess, startEdge } from "../support/edge-process.ts";
import { type LambdaProcess, startLambda } from "../support/lambda-process.ts";
import { viewerAnswer } from "../support/origin-request-answer.ts";
import { originRequestEvent } from "../support/origin-request-event.ts";
import { bodyOf, posted, type ValidatorAnswer } from "../support/validating.ts";

let lambda: LambdaProcess;
let edge: EdgeProcess;

beforeAll(async () => {
  [lambda, edge] = await Promise.all([
    startLambda("validate.edge", { onSpawn: endedWithTheFile }),
    startEdge(),
  ]);
});
afterAll(() => Promise.all([lambda?.stop(), edge?.stop()]));

const recorded = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(join(import.meta.dirname, "events", `${name}.json`), "utf8"));

async function returned(event: unknown): Promise<unknown> {
  const outcome = await lambda.invoke(event);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.result;
}

const answered = async (event: unknown): Promise<ValidatorAnswer> => viewerAnswer(await returned(event));

test("a sound document is 200", async () => {
  const answer = await answered(await recorded("post-sound-document"));
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(bodyOf(answer)).toMatchObject({ ok: true, diagnostics: [] });
});

test("the same instance answers the same document from memory", async () => {
  const answer = await answered(await recorded("post-sound-document"));
  expect(answer.headers.get("cache-status")).toBe("archmax-validator; hit");
  expect(bodyOf(answer)).toMatchObject({ ok: true, diagnostics: [] });
});

test("a wrong document is 200 and says what is wrong", async () => {
  const answer = await answered(await recorded("post-wrong-document"));
  expect(answer.status).toBe(200);
  expect(bodyOf(answer)).toMatchObject({
    ok: false,
    schema: [{ severity: "error", field: "states.a.transitions.0.to", line: 5 }],
  });
});

test("what is no YAML is 400 with its place", async () => {
  const answer = await answered(await recorded("post-malformed-document"));
  expect(answer.status).toBe(400);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(bodyOf(answer)).toMatchObject({ type: "/problems/malformed-document-error", line: 2, column: 1 });
});

test("a body that CloudFront cut off is 413", async () => {
  expect((await answered(await recorded("post-truncated-body"))).status).toBe(413);
});

test("a body over the limit is 413", async () => {
  for (const size of [262_145, 3_000_000])
    expect((await answered(originRequestEvent(posted("#".repeat(size))))).status).toBe(413);
});

test("a body CloudFront was not asked to give is an error that says what to change", async () => {
  expect(await lambda.invoke(await recorded("post-without-body"))).toMatchObject({
    ok: false,
    error: { errorType: "Error", errorMessage: expect.stringContaining("IncludeBody") },
  });
});

test("the schema is given", async () => {
  const answer = await answered(await recorded("get-schema"));
  expect(answer.headers.get("content-type")).toBe("application/schema+json");
  expect(JSON.parse(answer.text)).toEqual(JSON.parse(JSON.stringify(workflowJsonSchema())));
});

test("a request for another path goes on to the origin, unchanged", async () => {
  const event = (await recorded("get-other-path")) as { Records: [{ cf: { request: unknown } }] };
  expect(await returned(event)).toEqual(event.Records[0].cf.request);
});

test("EDGE-001 every document gets in AWS's runtime the answer it gets in plain Node", async () => {
  for (const { title, text } of ALL_DOCUMENTS) {
    const here = await edge.ask(posted(text));
    const there = await answered(originRequestEvent(posted(text)));
    expect({ title, status: there.status, body: bodyOf(there) }).toEqual({
      title,
      status: here.status,
      body: bodyOf(here),
    });
  }
}, 120_000);

test("EDGE-002 the instance is the one that was started, and its log holds its one error", () => {
  expect(process.kill(lambda.pid, 0)).toBe(true);
  expect(lambda.output().match(/"errorMessage"/g)).toHaveLength(1);
});
