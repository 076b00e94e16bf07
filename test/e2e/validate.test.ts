/** The validator of the edge, behind the local host's credentials. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/root.mjs";
import { call } from "../support/api-client.ts";
import { type HostProcess, startHost } from "../support/host-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let host: HostProcess;
let example: string;

beforeAll(async () => {
  const dataDir = await temporaryFolder();
  const sha256 = createHash("sha256").update("reader").digest("hex");
  await writeFile(
    join(dataDir, "api-keys.json"),
    JSON.stringify([{ label: "reader", sha256, tenant: "local", scopes: ["workflows:read"] }]),
  );
  host = await startHost({ dataDir });
  example = await readFile(join(ROOT, "workflows/invoice-approval/workflow.yaml"), "utf8");
});
afterAll(() => host?.stop());

const validate = (
  body: string,
  headers: Record<string, string> = {},
  caller: { url: string; apiKey?: string } = host,
) => call(caller, "/validate", { body, headers: { "content-type": "application/yaml", ...headers } });

test("the example workflow is sound", async () => {
  const answer = await validate(example);
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ ok: true, schema: [] });
});

test("a finding has its field and its place, whatever the status of the document", async () => {
  const answer = await validate("states:\n  a:\n    transitions: [{ to: gone, description: d }]\n");
  expect(answer.status).toBe(200);
  expect(answer.json.ok).toBe(false);
  expect(answer.json.schema).toContainEqual({
    severity: "error",
    message: expect.stringContaining("gone"),
    field: "states.a.transitions.0.to",
    line: 3,
    column: 21,
  });
});

test("what is no YAML is 400 with its place, and the tag of an answer makes it 304", async () => {
  expect((await validate("states: {\n")).json).toMatchObject({ status: 400, line: 2, column: 1 });
  const tag = (await validate(example)).headers.get("etag") ?? "";
  expect((await validate(example, { "if-none-match": tag })).status).toBe(304);
});

test("a document of more than 256 KB is 413, and the host takes the next request", async () => {
  expect((await validate("#".repeat(262_145))).status).toBe(413);
  expect((await validate(example)).status).toBe(200);
});

test("checking needs a key and the scope specs:validate, and so does the schema", async () => {
  for (const path of ["/validate", "/schema.json"]) {
    const options = path === "/validate" ? { body: example, headers: { "content-type": "text/yaml" } } : {};
    expect((await call({ url: host.url }, path, options)).status).toBe(401);
    const refused = await call({ url: host.url, apiKey: "reader" }, path, options);
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({ scope: "specs:validate" });
  }
});

test("the schema is served to editors, and the API's description names both routes", async () => {
  const schema = await call(host, "/schema.json");
  expect(schema.status).toBe(200);
  expect(schema.headers.get("content-type")).toBe("application/schema+json");
  expect(schema.json).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
  const { paths, components } = (await call(host, "/openapi.json")).json as {
    paths: Record<string, { post?: { requestBody: { content: object } } }>;
    components: { schemas: object };
  };
  expect(Object.keys(paths["/validate"]?.post?.requestBody.content ?? {})).toEqual([
    "application/yaml",
    "text/yaml",
    "application/x-yaml",
    "text/x-yaml",
    "application/json",
  ]);
  expect(paths["/schema.json"]).toHaveProperty("get");
  expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(["SpecValidation", "Diagnostic"]));
});
