/** Documents that are meant to do harm, through both bundles as they are deployed. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BothEdges, startBothEdges } from "../support/both-edges.ts";
import { hostileDocuments } from "../support/hostile-documents.ts";
import { bodyOf, posted, type ValidatorRequest } from "../support/validating.ts";
import { machine } from "./documents/document.ts";
import { aliasBomb, manyKeys, ONE_LONG_KEY } from "./documents/hostile-documents.ts";

const LIMIT = 262_144;
/** Generous for one document: what is bounded ends in milliseconds. */
const BOUND = { timeout: 5_000 };

let edges: BothEdges;

beforeAll(async () => {
  edges = await startBothEdges();
}, 180_000);
afterAll(() => edges?.stop());

const padded = (text: string) => text.padEnd(LIMIT, "#");
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));
const keys = (count: number, entry: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => entry(at)).join("");

/** Two characters here are six in JSON, and aliases repeat them. */
const LARGE_ANSWER = posted(machine({ root: `metadata: { a: &a "${"\\a".repeat(65_000)}", b: *a, c: *a }` }));

interface Hostile {
  title: string;
  request: ValidatorRequest;
  status: number;
  /** For a text that is no document: where that shows, `<line>:<column>`. */
  place: string | undefined;
}

const hostile = (title: string, request: ValidatorRequest, status: number, place?: string): Hostile => ({
  title,
  request,
  status,
  place,
});

/** Requests with the status each must get. */
const HOSTILE: readonly Hostile[] = [
  hostile("an alias bomb", posted(aliasBomb()), 400),
  hostile(
    "an alias bomb of one megabyte",
    posted(`a: &a ${"x".repeat(26_000)}\nb: [${"*a,".repeat(60)}]\n`),
    400,
  ),
  hostile("an alias within its own node", posted("a: &a [*a]\n"), 400),
  hostile(
    "10 000 lists, one in the other",
    posted(`${"[".repeat(10_000)}${"]".repeat(10_000)}`),
    400,
    "1:65",
  ),
  hostile("10 000 lists, none closed", posted("[".repeat(10_000)), 400, "1:65"),
  hostile("262 144 lists, none closed", posted("[".repeat(LIMIT)), 400, "1:65"),
  hostile("10 000 mappings, one in the other", posted(`${"{a: ".repeat(10_000)}${"}".repeat(10_000)}`), 400),
  hostile(
    "10 000 lists as JSON",
    posted(`${"[".repeat(10_000)}${"]".repeat(10_000)}`, "application/json"),
    400,
    "1:65",
  ),
  hostile("10 000 objects as JSON", posted('{"a":'.repeat(10_000), "application/json"), 400),
  hostile("256 KB of one key", posted(ONE_LONG_KEY), 400, "1:1"),
  hostile(
    "256 KB of one key as JSON",
    posted(`{"${"k".repeat(LIMIT - 6)}":1}`, "application/json"),
    400,
    "1:2",
  ),
  hostile("256 KB of one text", posted(padded(machine({ root: `title: ${"t".repeat(250_000)}` }))), 200),
  hostile("a mapping of 14 000 keys", posted(manyKeys(14_000)), 200),
  hostile("a mapping of 30 000 keys", posted(manyKeys(30_000)), 413),
  hostile(
    "30 000 keys that are none of the language",
    posted(machine({ root: keys(30_000, (at) => `k${at}:\n`) })),
    413,
  ),
  hostile("20 000 states", posted(padded(`states:\n${keys(20_000, (at) => ` s${at}:\n`)}`)), 413),
  hostile(
    "20 000 edges to nowhere",
    posted(padded(machine({ a: `transitions: [${"{to: x},".repeat(20_000)}]` }))),
    413,
  ),
  hostile("60 000 list items", posted(padded(machine({ a: `requires: [${"A,".repeat(60_000)}]` }))), 413),
  hostile("100 000 empty lines", posted(`${machine()}${"\n".repeat(100_000)}`), 200),
  hostile("a comment of 256 KB", posted(padded(machine())), 200),
  hostile("256 KB of anchors", posted(keys(16_000, (at) => `k${at}: &a${at}\n`)), 413),
  hostile("a key repeated", posted(`${machine()}states: {}\n`), 400, "7:1"),
  hostile("a key repeated 30 000 times", posted("a: 1\n".repeat(30_000)), 400, "2:1"),
  hostile("a key repeated in JSON", posted('{"states":{},"states":{}}', "application/json"), 400, "1:14"),
  hostile("tabs for indentation", posted("states:\n\ta:\n"), 400, "2:1"),
  hostile("a byte order mark", posted(`\uFEFF${machine()}`), 200),
  hostile("a byte order mark before JSON", posted("\uFEFF{}", "application/json"), 200),
  hostile("CRLF", posted(machine().replaceAll("\n", "\r\n")), 200),
  hostile("a byte that is no UTF-8", posted(bytes("title: a\nb: \u00e9", [0xff], "x\n")), 400, "2:5"),
  hostile("UTF-8 cut off", posted(bytes("title: 🙂", [0xe2, 0x82])), 400, "1:10"),
  hostile("a character in too many bytes", posted(bytes("a: ", [0xc0, 0xaf])), 400, "1:4"),
  hostile("a half of a pair in UTF-8", posted(bytes("a: ", [0xed, 0xa0, 0x80])), 400, "1:4"),
  hostile("Latin-1", posted(bytes("title: caf", [0xe9], "\n")), 400, "1:11"),
  hostile("UTF-16", posted(Buffer.from("\uFEFFstates: {}\n", "utf16le")), 400, "1:1"),
  hostile("256 KB of 0xFF", posted(Buffer.alloc(LIMIT, 0xff)), 400, "1:1"),
  hostile(
    "bytes that are no UTF-8 as JSON",
    posted(bytes('{"a":"', [0xff], '"}'), "application/json"),
    400,
    "1:7",
  ),
  hostile("NULs", posted(bytes([0, 0, 0, 0])), 400, "1:1"),
  hostile("a merge key", posted(machine({ root: "metadata: { a: &a { x: 1 }, b: { <<: *a } }" })), 200),
  hostile("two documents", posted(`${machine()}---\n${machine()}`), 400, "8:1"),
  hostile("10 000 documents", posted("---\na: 1\n".repeat(10_000)), 400),
  hostile("nothing at all", posted(""), 200),
  hostile("nothing at all as JSON", posted("", "application/json"), 400, "1:1"),
  hostile("a JSON with a comment", posted('{ // no\n"a": 1 }', "application/json"), 400, "1:3"),
  hostile("the largest document", posted(padded(machine())), 200),
  hostile("one byte more", posted(`${padded(machine())}#`), 413),
  hostile("one megabyte", posted("#".repeat(1_048_576)), 413),
  hostile("two megabytes", posted("#".repeat(2_097_152)), 413),
  hostile("an answer of more than a megabyte", LARGE_ANSWER, 422),
];

describe.each(["worker", "edge"] as const)("the %s", (name) => {
  test.each(HOSTILE)("EDGE-002 $title", BOUND, async ({ request, status, place }) => {
    const { ask } = edges[name];
    const answer = await ask(request);
    const body = bodyOf(answer);
    expect({ status: answer.status, type: answer.headers.get("content-type") }).toEqual({
      status,
      type: status === 200 ? "application/json" : "application/problem+json",
    });
    if (status === 400) {
      expect(body).toMatchObject({
        type: "/problems/malformed-document-error",
        status,
        title: "Malformed document",
      });
      expect(body.line).toBeGreaterThan(0);
      expect(body.column).toBeGreaterThan(0);
      if (place !== undefined) expect(`${body.line}:${body.column}`).toBe(place);
    }

    const next = await ask(posted(machine()));
    expect(next.status).toBe(200);
    expect(bodyOf(next)).toMatchObject({ ok: true, diagnostics: [] });
  });
});

const DOCUMENTS = hostileDocuments();

describe("256 KB that cost as much as they can", () => {
  test.each(DOCUMENTS)("EDGE-002 $name", BOUND, async ({ syntax, text }) => {
    const request = posted(text, `application/${syntax}`);
    const [worker, edge] = [await edges.worker.ask(request), await edges.edge.ask(request)];
    expect([200, 400, 413, 422]).toContain(worker.status);
    expect({ status: edge.status, body: bodyOf(edge) }).toEqual({
      status: worker.status,
      body: bodyOf(worker),
    });
    for (const { ask } of [edges.worker, edges.edge])
      expect(bodyOf(await ask(posted(machine())))).toMatchObject({ ok: true });
  });

  test("EDGE-002 a sound workflow of that size is taken, in any style", async () => {
    const sound = DOCUMENTS.filter(({ name }) => name.startsWith("sound"));
    expect(sound.map(({ text }) => text.length > 250_000)).toEqual([true, true, true]);
    for (const { syntax, text } of sound) {
      const answer = await edges.worker.ask(posted(text, `application/${syntax}`));
      expect([answer.status, bodyOf(answer).ok]).toEqual([200, true]);
    }
  });
});

test("EDGE-002 both edges answer alike", BOUND, async () => {
  for (const { title, request } of HOSTILE) {
    const [worker, edge] = [await edges.worker.ask(request), await edges.edge.ask(request)];
    expect({ title, status: edge.status, body: bodyOf(edge) }).toEqual({
      title,
      status: worker.status,
      body: bodyOf(worker),
    });
  }
});

test("EDGE-002 what was sent has left nothing behind: both run on, and neither has complained", () => {
  for (const { pid } of [edges.worker, edges.edge]) expect(process.kill(pid, 0)).toBe(true);
  expect(edges.worker.output()).toBe("");
  expect(edges.edge.output()).toBe("");
});

test("EDGE-002 a refused answer says how many findings there are and shows the first", async () => {
  expect(bodyOf(await edges.worker.ask(LARGE_ANSWER))).toEqual({
    type: "/problems/answer-too-large-error",
    title: "Answer too large",
    status: 422,
    detail: expect.stringContaining("1000000 bytes"),
    limit: 1_000_000,
    findings: 0,
    diagnostics: [],
  });
});
