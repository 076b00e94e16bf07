/**
 * The router's viewer-request function, run as it is deployed: each request reaches the function whose app answers it,
 * with its own path and the caller's own credentials.
 */
import {
  createCatalogApp,
  createDecideApp,
  createDeliverApp,
  createReplyApp,
  createResolveApp,
  createSendApp,
  createSessionsApp,
  type HostApp,
  type HostPorts,
} from "@archmax-ai/host";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { FORWARDED_AUTHORIZATION } from "../../functions/wiring/forwarded-authorization.ts";
import { type Graph, graphOf, prepare } from "./support/graph.ts";
import {
  type Routed,
  type ViewerRequest,
  viewerRequestCode,
  viewerRequestOf,
} from "./support/viewer-request.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"];

// No request is made of them: what they would answer is asked of their routes.
const NO_PORTS = {} as HostPorts;
const APPS: Readonly<Record<string, HostApp>> = {
  catalog: createCatalogApp(NO_PORTS),
  decide: createDecideApp(NO_PORTS),
  deliver: createDeliverApp(NO_PORTS),
  reply: createReplyApp(NO_PORTS),
  resolve: createResolveApp(NO_PORTS),
  send: createSendApp(NO_PORTS),
  sessions: createSessionsApp(NO_PORTS),
};

let graph: Graph;
let route: (request: ViewerRequest) => Promise<Routed>;

beforeAll(async () => {
  await prepare();
  graph = await graphOf({ stage: "production" });
  route = viewerRequestOf(graph);
}, 240_000);

const request = (method: string, uri: string, headers: ViewerRequest["headers"] = {}): ViewerRequest => ({
  method,
  uri,
  headers: { host: { value: "d1.cloudfront.net" }, ...headers },
});

/** The functions whose app has a route for a request. */
function answering(method: string, uri: string): string[] {
  return Object.entries(APPS)
    .filter(([, app]) => {
      const path = app.getPath(new Request(`https://host${uri}`));
      // What stands before the routes is there for every method.
      const [found] = app.router.match(method === "HEAD" ? "GET" : method, path);
      return found.some(([[, { method: routed }]]) => routed !== "ALL");
    })
    .map(([name]) => name);
}

test.each([
  ["POST", "/workflows/a/send", "send"],
  ["POST", "/workflows/a/resolve", "resolve"],
  ["POST", "/workflows/a/sessions/b/send", "send"],
  ["POST", "/workflows/a/sessions/b/decide", "decide"],
  ["POST", "/workflows/a/sessions/b/reply", "reply"],
  ["POST", "/workflows/a/sessions/b/deliver", "deliver"],
  ["POST", "/workflows/a/sessions/x%2Fy%20%C3%BC/deliver", "deliver"],
  ["POST", "/workflows/a/sessions/b/%73end", "send"],
  ["POST", "/workflows/sessions/send", "send"],
  ["POST", "/workflows/specs/sessions/send/decide", "decide"],
  ["GET", "/workflows/a/sessions", "sessions"],
  ["GET", "/workflows/a/sessions/send", "sessions"],
  ["DELETE", "/workflows/a/sessions/decide", "sessions"],
  ["GET", "/workflows/a/sessions/b/files/send", "sessions"],
  ["PUT", "/workflows/a/sessions/b/files/sessions/c/send", "sessions"],
  ["GET", "/workflows/a/sessions/b/events", "sessions"],
  ["GET", "/workflows/a/sessions/b/artifacts/decide", "sessions"],
  ["GET", "/workflows/a/specs/0f", "sessions"],
  ["GET", "/workflows", "catalog"],
  ["GET", "/workflows/send", "catalog"],
  ["GET", "/workflows/a/triggers/send", "catalog"],
  ["HEAD", "/openapi.json", "catalog"],
])("%s %s is answered by %s", async (method, uri, name) => {
  expect(answering(method, uri)).toEqual([name]);
  expect((await route(request(method, uri))).to).toBe(name);
});

describe("whatever is asked", () => {
  const word = fc.constantFrom(
    ...["workflows", "sessions", "specs", "files", "events", "messages", "artifacts", "triggers"],
    ...["send", "resolve", "decide", "reply", "deliver", "catalog", "_send", "invoice-approval"],
  );
  /** Some of its letters sent as percent signs and digits, which no URL has to do and every URL may. */
  const spelledOut = fc
    .tuple(word, fc.infiniteStream(fc.boolean()))
    .map(([text, which]) =>
      [...text]
        .map((letter) =>
          which.next().value ? `%${letter.charCodeAt(0).toString(16).toUpperCase()}` : letter,
        )
        .join(""),
    );
  const id = fc
    .string({ unit: "binary", minLength: 1, maxLength: 12 })
    .filter((text) => text.isWellFormed())
    .map(encodeURIComponent)
    // A URL's own dots: whoever reads the path as a URL takes them away.
    .filter((text) => !/^\.{1,2}$/.test(text));
  const damaged = fc.constantFrom("%E0%A4%A", "%", "%2F", "%2fsend", "%C3%28", "");
  const segment = fc.oneof(
    { weight: 4, arbitrary: word },
    { weight: 2, arbitrary: spelledOut },
    { weight: 3, arbitrary: id },
    { weight: 1, arbitrary: damaged },
  );
  const verbs = fc.constantFrom("send", "resolve", "decide", "reply", "deliver");
  const last = fc.oneof({ weight: 2, arbitrary: verbs }, { weight: 1, arbitrary: segment });
  const session = fc
    .tuple(segment, segment, last)
    .map(([workflow, sessionId, verb]) => `/workflows/${workflow}/sessions/${sessionId}/${verb}`);
  const uri = fc.oneof(
    session,
    fc.tuple(session, segment).map(([path, more]) => `${path}/${more}`),
    fc.tuple(segment, last).map(([workflow, verb]) => `/workflows/${workflow}/${verb}`),
    fc.array(segment, { maxLength: 7 }).map((segments) => `/${segments.join("/")}`),
  );
  const method = fc.oneof(
    { weight: 3, arbitrary: fc.constant("POST") },
    { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
  );

  test("the function whose app answers is the one asked, by the path that was sent", async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(method, uri, async (how, path) => {
        const routed = await route(request(how, path));
        const [name, ...others] = answering(how, path);
        expect(others).toEqual([]);
        if (name !== undefined) {
          answered += 1;
          expect(routed.to).toBe(name);
        }
        // What no app answers is some function's 404.
        expect(Object.keys(APPS)).toContain(routed.to);
        expect(routed.request.uri).toBe(path);
        expect(routed.request.method).toBe(how);
      }),
      { numRuns: 5_000 },
    );
    expect(answered).toBeGreaterThan(500);
  });
});

describe("the caller's credentials", () => {
  test("go on beside CloudFront's own, which take their place", async () => {
    const { request: sent, origin } = await route(
      request("GET", "/workflows", { authorization: { value: "Bearer key" } }),
    );
    // Under the name that the functions read.
    expect(FORWARDED_AUTHORIZATION).toBe("x-forwarded-authorization");
    expect(sent.headers[FORWARDED_AUTHORIZATION]).toEqual({ value: "Bearer key" });
    expect(origin).toMatchObject({
      originAccessControlConfig: {
        enabled: true,
        signingBehavior: "always",
        signingProtocol: "sigv4",
        originType: "lambda",
      },
      customOriginConfig: { port: 443, protocol: "https", sslProtocols: ["TLSv1.2"] },
      timeouts: { readTimeout: 60 },
    });
  });

  test("are never what a caller forwards himself", async () => {
    const forwarded = { "x-forwarded-authorization": { value: "Bearer other" } };
    const none = await route(request("GET", "/workflows", forwarded));
    expect(none.request.headers).not.toHaveProperty("x-forwarded-authorization");
    const own = { ...forwarded, authorization: { value: "Bearer key" } };
    const one = await route(request("GET", "/workflows", own));
    expect(one.request.headers["x-forwarded-authorization"]).toEqual({ value: "Bearer key" });
  });
});

test("the function is small enough for CloudFront, with a domain of its own too", async () => {
  const full = await graphOf({ stage: "production", deployment: "full" });
  for (const each of [graph, full])
    expect(Buffer.byteLength(viewerRequestCode(each))).toBeLessThanOrEqual(10_240);
}, 60_000);
