/** What the two routes promise over HTTP, from either edge. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { workflowJsonSchema } from "../../packages/harness/src/document/index.ts";
import { type BothEdges, startBothEdges } from "../support/both-edges.ts";
import { type AskValidator, bodyOf, posted } from "../support/validating.ts";
import { machine } from "./documents/document.ts";

let edges: BothEdges;

beforeAll(async () => {
  edges = await startBothEdges();
}, 180_000);
afterAll(() => edges?.stop());

describe.each(["worker", "edge"] as const)("the %s", (name) => {
  const ask: AskValidator = (request) => edges[name].ask(request);

  test.each([
    "application/yaml",
    "text/yaml",
    "application/x-yaml",
    "text/x-yaml",
    "application/yaml; charset=utf-8",
    'TEXT/YAML;Charset="UTF-8"',
    "text/yaml; charset=us-ascii",
    "application/yaml; profile=x; charset=utf8",
  ])("takes YAML as %s", async (type) => {
    const answer = await ask(posted(machine(), type));
    expect(answer.status).toBe(200);
    expect(bodyOf(answer)).toEqual({
      ok: true,
      spec: {
        instructions: "Work with care.",
        states: {
          a: { triggers: { manual: null }, transitions: [{ to: "z", description: "It is done." }] },
          z: {},
        },
      },
      schema: [],
      lint: [],
      diagnostics: [],
    });
  });

  test.each(["application/json", "application/json;charset=utf-8"])("takes JSON as %s", async (type) => {
    const answer = await ask(posted('{ "states": { "a": null } }', type));
    expect(answer.status).toBe(200);
    expect(bodyOf(answer)).toMatchObject({ ok: false, schema: [{ field: "states", line: 1, column: 3 }] });
  });

  test("reads what is sent as JSON by the rules of JSON", async () => {
    expect((await ask(posted(machine(), "application/json"))).status).toBe(400);
  });

  test.each([
    ["text/plain", {}],
    ["application/toml", {}],
    ["application/yamlish", {}],
    ["application/yaml; charset=utf-16", {}],
    ["application/json; charset=iso-8859-1", {}],
    ["multipart/form-data; boundary=x", {}],
    ["", {}],
    ["application/yaml", { "content-encoding": "gzip" }],
  ])("refuses %j with %j", async (type, headers) => {
    const answer = await ask(posted(machine(), type, headers));
    expect(answer.status).toBe(415);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.headers.get("accept")).toBe(
      "application/yaml, text/yaml, application/x-yaml, text/x-yaml, application/json",
    );
    expect(bodyOf(answer)).toMatchObject({ type: "/problems/unsupported-media-type-error", status: 415 });
  });

  test("names the limit of a document that is too large", async () => {
    const answer = await ask(posted("#".repeat(262_145)));
    expect(answer.status).toBe(413);
    expect(bodyOf(answer)).toEqual({
      type: "/problems/body-too-large-error",
      title: "Body too large",
      status: 413,
      detail: "A document has at most 262144 bytes.",
      limit: 262_144,
    });
  });

  test("tags an answer by the document's content and gives it once", async () => {
    const first = await ask(posted(machine({ a: "title: tagged" })));
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]{64}"$/);
    expect(first.headers.get("cache-control")).toBe("private, no-cache");

    const again = (ifNoneMatch: string, body = machine({ a: "title: tagged" }), type = "application/yaml") =>
      ask(posted(body, type, { "if-none-match": ifNoneMatch }));
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`]) {
      const answer = await again(known);
      expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([304, "", tag]);
    }
    expect((await again('"x"')).status).toBe(200);
    expect((await again(tag, machine({ a: "title: other" }))).status).toBe(200);
    // The same bytes are another document as JSON.
    expect((await again(tag, machine({ a: "title: tagged" }), "application/json")).status).toBe(400);
  });

  test("tells no tag for what it refuses", async () => {
    for (const text of ["states: {", "#".repeat(262_145)])
      expect((await ask(posted(text))).headers.get("etag")).toBeNull();
  });

  test("gives the JSON Schema with a tag and for an hour", async () => {
    const answer = await ask({ method: "GET", path: "/schema.json" });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/schema+json",
      "cache-control": "public, max-age=3600",
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
    expect(JSON.parse(answer.text)).toEqual(JSON.parse(JSON.stringify(workflowJsonSchema())));
    for (const known of [answer.headers.get("etag") ?? "", "*"]) {
      const again = await ask({ method: "GET", path: "/schema.json", headers: { "if-none-match": known } });
      expect([again.status, again.text]).toEqual([304, ""]);
    }
    const head = await ask({ method: "HEAD", path: "/schema.json" });
    expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", answer.headers.get("etag")]);
  });

  test("may be asked by any page, without credentials", async () => {
    const preflight = await ask({
      method: "OPTIONS",
      path: "/validate",
      headers: {
        origin: "https://editor.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET,HEAD,POST",
      "access-control-allow-headers": "content-type,if-none-match",
      "access-control-max-age": "86400",
    });
    expect(preflight.headers.has("access-control-allow-credentials")).toBe(false);
    for (const text of [machine(), "states: {"]) {
      const answer = await ask(posted(text, "application/yaml", { origin: "https://editor.example" }));
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "etag,x-request-id",
        "x-content-type-options": "nosniff",
      });
    }
  });

  test("gives every problem the id of its request, each its own", async () => {
    const ids = [];
    for (let at = 0; at < 2; at += 1) {
      const answer = await ask(posted("states: {"));
      const { requestId } = JSON.parse(answer.text);
      expect(answer.headers.get("x-request-id")).toBe(requestId);
      ids.push(requestId);
    }
    expect(new Set(ids).size).toBe(2);
  });

  test.each([
    ["GET", "/validate"],
    ["POST", "/schema.json"],
  ])("knows no %s %s", async (method, path) => {
    const answer = await ask({ method, path, headers: { "content-type": "application/yaml" } });
    expect(answer.status).toBe(404);
    expect(bodyOf(answer)).toMatchObject({ type: "/problems/unknown-route-error", status: 404 });
  });
});
