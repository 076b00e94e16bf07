import { expect, test } from "vitest";
import type { Logger } from "../ports/logger.ts";
import type { AnswerCache } from "./answer-cache.ts";
import { createValidatorApp, type ValidatorAppOptions } from "./validator-app.ts";

const SOUND = "instructions: x\nstates: { a: { triggers: { manual: } } }\n";

function loggedErrors(): { logger: Logger; errors: [string, unknown][] } {
  const errors: [string, unknown][] = [];
  return {
    errors,
    logger: { info() {}, warn() {}, error: (message, _, cause) => errors.push([message, cause]) },
  };
}

function countedAnswers(): AnswerCache & { kept: Map<string, Uint8Array<ArrayBuffer>>; asked: string[] } {
  const kept = new Map<string, Uint8Array<ArrayBuffer>>();
  const asked: string[] = [];
  return {
    kept,
    asked,
    async get(key) {
      asked.push(key);
      return kept.get(key);
    },
    async put(key, answer) {
      kept.set(key, answer);
    },
  };
}

const app = (options: Partial<ValidatorAppOptions> = {}) =>
  createValidatorApp({ release: "one", ...options });
const post = (body: string | ReadableStream<Uint8Array>, headers: Record<string, string> = {}) =>
  new Request("https://edge.example/validate", {
    method: "POST",
    body,
    headers: { "content-type": "application/yaml", ...headers },
    duplex: "half",
  } as RequestInit);

test("a body of unknown length is held to the limit as it arrives", async () => {
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(65_536).fill(35));
    },
  });
  expect((await app().fetch(post(endless))).status).toBe(413);
  expect(pulled).toBeLessThan(8);
});

test("a body that announces too much is not read", async () => {
  const unread = new ReadableStream(
    {
      pull() {
        throw new Error("It was read.");
      },
    },
    { highWaterMark: 0 },
  );
  expect((await app().fetch(post(unread, { "content-length": "262145" }))).status).toBe(413);
});

test("each release and each language has its own tags", async () => {
  const tagOf = async (release: string, type: string) => {
    const answer = await app({ release }).fetch(post("{}", { "content-type": type }));
    return answer.headers.get("etag");
  };
  const tags = [
    await tagOf("one", "application/yaml"),
    await tagOf("one", "application/json"),
    await tagOf("two", "application/yaml"),
  ];
  expect(new Set(tags).size).toBe(3);
  expect(await tagOf("one", "text/x-yaml")).toBe(tags[0]);
});

test("a document that was seen before is answered from the cache, whoever sends it", async () => {
  const answers = countedAnswers();
  const asked = app({ answers: () => answers });
  const first = await asked.fetch(post(SOUND));
  const second = await asked.fetch(post(SOUND, { "content-type": "text/yaml" }));
  expect([first, second].map(({ headers }) => headers.get("cache-status"))).toEqual([
    "archmax-validator; fwd=miss",
    "archmax-validator; hit",
  ]);
  expect(await second.text()).toBe(await first.text());
  expect(`"${answers.asked[0]}"`).toBe(first.headers.get("etag"));
  expect([...answers.kept.keys()]).toEqual([answers.asked[0]]);
});

test("a tag the client knows is answered without looking anything up", async () => {
  const answers = countedAnswers();
  const asked = app({ answers: () => answers });
  const tag = (await asked.fetch(post(SOUND))).headers.get("etag") ?? "";
  expect((await asked.fetch(post(SOUND, { "if-none-match": tag }))).status).toBe(304);
  expect(answers.asked).toHaveLength(1);
});

test("a cache that fails is logged, and the document is answered", async () => {
  const { logger, errors } = loggedErrors();
  const fault = new Error("no cache today");
  const failing: AnswerCache = { get: () => Promise.reject(fault), put: () => Promise.reject(fault) };
  const answer = await app({ logger, answers: () => failing }).fetch(post(SOUND));
  expect(await answer.json()).toMatchObject({ ok: true });
  expect(errors).toEqual([
    ["an answer could not be looked up", fault],
    ["an answer could not be kept", fault],
  ]);
});

test("a body the platform cut off is 413, without being read", async () => {
  expect((await app({ bodyIsWhole: () => false }).fetch(post(SOUND))).status).toBe(413);
});

test("a fault of the validator's own is 500, is logged, and tells nothing of itself", async () => {
  const { logger, errors } = loggedErrors();
  const fault = new Error("secret place");
  const broken = app({
    logger,
    newId: () => "r-1",
    answers: () => {
      throw fault;
    },
  });
  const answer = await broken.fetch(post(SOUND));
  expect(answer.status).toBe(500);
  expect(answer.headers.get("x-request-id")).toBe("r-1");
  expect(await answer.json()).toEqual({
    type: "/problems/internal-error",
    title: "Internal error",
    status: 500,
    detail: "The validator failed on this request. The fault is not in the document.",
    requestId: "r-1",
  });
  expect(errors).toEqual([["a request failed", fault]]);
});

test("no page of another origin is let in unless it is named", async () => {
  const from = (origin: string, allowedOrigins?: ValidatorAppOptions["allowedOrigins"]) =>
    app(allowedOrigins === undefined ? {} : { allowedOrigins }).fetch(post(SOUND, { origin }));
  const allowed = async (...given: Parameters<typeof from>) =>
    (await from(...given)).headers.get("access-control-allow-origin");
  expect(await allowed("https://a.example")).toBeNull();
  expect(await allowed("https://a.example", ["https://a.example"])).toBe("https://a.example");
  expect(await allowed("https://b.example", ["https://a.example"])).toBeNull();
  expect(await allowed("https://b.example", "*")).toBe("*");
  expect((await from("https://a.example", ["https://a.example"])).headers.get("vary")).toBe("Origin");
});

test("the schema is the same for all who ask at once", async () => {
  const asked = app();
  const [first, second] = await Promise.all(
    [1, 2].map(() => asked.fetch(new Request("https://edge.example/schema.json"))),
  );
  expect(first?.headers.get("etag")).toBe(second?.headers.get("etag"));
  expect(await first?.json()).toEqual(await second?.json());
});
