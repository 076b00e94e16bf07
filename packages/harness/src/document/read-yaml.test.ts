import fc from "fast-check";
import { dump } from "js-yaml";
import { describe, expect, test } from "vitest";
import { readYamlDocument } from "./read-yaml.ts";
import { MAX_NODES } from "./reading.ts";

const value = (text: string): unknown => {
  const reading = readYamlDocument(text);
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.value;
};
const problem = (text: string) => {
  const reading = readYamlDocument(text);
  return reading.ok ? undefined : reading.problem;
};

test("scalars are those of the YAML 1.2 core schema", () => {
  const text =
    "a: no\nb: 0o17\nc: 0x1f\nd: 1_000\ne: 2020-01-01\nf: ~\ng: on\nh: 1e3\ni: .inf\nj: True\nk: 0b1\n";
  expect(value(text)).toEqual({
    a: "no",
    b: 15,
    c: 31,
    d: "1_000",
    e: "2020-01-01",
    f: null,
    g: "on",
    h: 1000,
    i: Number.POSITIVE_INFINITY,
    j: true,
    k: "0b1",
  });
});

test("a merge key is an ordinary key", () => {
  expect(value("a: &a { x: 1 }\nb:\n  <<: *a\n")).toEqual({ a: { x: 1 }, b: { "<<": { x: 1 } } });
});

test.each(["", "\n", "# nothing", "---\n", "--- \n...\n", "\uFEFF"])("%j is the document null", (text) => {
  expect(readYamlDocument(text)).toMatchObject({ ok: true, value: null });
});

test("a byte order mark and CRLF are read past, and places count from behind them", () => {
  const reading = readYamlDocument("\uFEFFa: 1\r\nb:\r\n  c: 2\r\n");
  expect(reading).toMatchObject({ ok: true, value: { a: 1, b: { c: 2 } } });
  expect(reading.ok && reading.placeOf("a")).toEqual({ line: 1, column: 1 });
  expect(reading.ok && reading.placeOf("b.c")).toEqual({ line: 3, column: 3 });
});

test("__proto__ is a key like any other and sets no prototype", () => {
  const read = value("__proto__: { polluted: true }\n") as object;
  expect(Object.keys(read)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
});

describe("refused with a line and a column", () => {
  test.each([
    ["a repeated key", "a: 1\nb:\n  c: 1\n  c: 2\n", { line: 4, column: 3 }],
    ["a repeated key in a flow mapping", "{ a: 1, a: 2 }", { line: 1, column: 9 }],
    ["a tab for indentation", "a:\n\tb: 1\n", { line: 2, column: 1 }],
    ["a list that is not closed", "a: [1, 2\nb: 3\n", { line: 2, column: 1 }],
    ["an alias of nothing", "a: 1\nb: *nope\n", { line: 2, column: 5 }],
    ["a tag beyond the core schema", "a: !env HOME\n", { line: 1, column: 4 }],
    ["a key that is a list", "? [a]\n: b\n", { line: 1, column: 1 }],
    ["a NUL", "a: 'x\u0000'\n", { line: 1, column: 6 }],
    ["a second document", "a: 1\n---\nb: 2\n", { line: 3, column: 1 }],
    ["an alias within its own node", "a: &a\n  b: *a\n", { line: 2, column: 7 }],
  ])("%s", (_what, text, place) => {
    expect(problem(text)).toEqual({ message: expect.stringMatching(/^it is no valid YAML: \S/), ...place });
  });

  test("nesting deeper than 64", () => {
    const styles: ((depth: number) => string)[] = [
      (depth) => "[".repeat(depth) + "]".repeat(depth),
      (depth) => "{ a: ".repeat(depth) + "}".repeat(depth),
      (depth) => `${"- ".repeat(depth)}x\n`,
      (depth) => `${Array.from({ length: depth }, (_, at) => `${" ".repeat(at)}a:`).join("\n")} x\n`,
      (depth) => `${Array.from({ length: depth / 2 }, (_, at) => `${"  ".repeat(at)}- a:`).join("\n")} x\n`,
    ];
    for (const nested of styles) {
      expect(problem(nested(64))).toBeUndefined();
      for (const depth of [66, 128, 130, 10_000]) {
        expect(problem(nested(depth))?.message).toBe("it is no valid YAML: it nests deeper than 64");
      }
    }
    for (const depth of [65, 128, 10_000]) {
      expect(problem("[".repeat(depth) + "]".repeat(depth))).toMatchObject({ line: 1, column: 65 });
    }
  });
});

test("a key of more than 1024 characters is refused, a text of any length is not", () => {
  const long = "k".repeat(1_025);
  expect(problem(`a:\n  ${long}: 1\n`)).toEqual({
    message: "it is no valid YAML: a key is longer than 1024 characters",
    line: 2,
    column: 3,
  });
  expect(problem(`a: { b: ${long} }\nc: [${long}]\n${long.slice(1)}: 1\n`)).toBeUndefined();
});

test("a document of more than 30 000 nodes is refused, one of as many is not", () => {
  const list = (items: number) => `a: &x [${"b,".repeat(items)}]\nc: *x\nd:\n`;
  expect(readYamlDocument(list(MAX_NODES - 7)).ok).toBe(true);
  expect(readYamlDocument(list(MAX_NODES - 6))).toEqual({
    ok: false,
    problem: {
      message: "it has 30001 keys, values, lists and mappings; a document has at most 30000",
      line: 1,
      column: 1,
      tooManyNodes: 30_001,
    },
  });
  expect(readYamlDocument(`${list(MAX_NODES)}c:\n`)).not.toMatchObject({
    problem: { tooManyNodes: expect.any(Number) },
  });
});

describe("aliases", () => {
  const list = (count: number) => `a: &a x\nb: [${Array(count).fill("*a").join(", ")}]\n`;

  test("may stand for a hundred nodes", () => {
    expect(problem(list(100))).toBeUndefined();
    expect(problem(list(101))).toMatchObject({
      message: "it is no valid YAML: aliases expand to more than 100 nodes",
      line: 2,
    });
  });

  test("count anew within what they stand for", () => {
    const nested = "a: &a [x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nd: [*c, *c, *c, *c]\n";
    expect(problem(nested)).toMatchObject({ message: expect.stringContaining("100"), line: 4, column: 18 });
  });

  test("repeat no more text than the largest document holds", () => {
    const text = (length: number) => `a: &a ${"x".repeat(length)}\nb: [${Array(10).fill("*a").join(", ")}]\n`;
    expect(problem(text(26_000))).toBeUndefined();
    expect(problem(text(27_000))).toMatchObject({ message: expect.stringContaining("262144"), line: 2 });
  });

  test("a bomb is refused before it is expanded", () => {
    let bomb = "a0: &a0 x\n";
    for (let at = 1; at < 30; at += 1) bomb += `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]\n`;
    expect(problem(bomb)).toMatchObject({ message: expect.stringContaining("expand") });
  });

  test("an anchor named again stands for the newer node", () => {
    expect(value("a: &x 1\nb: &x 2\nc: *x\n")).toEqual({ a: 1, b: 2, c: 2 });
    expect(problem("a: &x [&x 1, *x]\nb: *x\n")).toBeUndefined();
  });
});

describe("places", () => {
  const text = [
    "title: x",
    "states:",
    "  a.b:",
    "    transitions:",
    "      - { to: z, description: d }",
    "      -",
    "        to: y",
    "  a:",
    "    b: { title: t }",
    "  c: &shared",
    "    title: ' '",
    "  d: *shared",
    '  "q\\u0041": 1',
    "",
  ].join("\n");
  const reading = readYamlDocument(text);
  const placeOf = (field?: string) => (reading.ok ? reading.placeOf(field) : undefined);

  test.each([
    [undefined, 1, 1],
    ["title", 1, 1],
    ["states", 2, 1],
    ["states.a.b.transitions", 4, 5],
    ["states.a.b.transitions.0", 5, 9],
    ["states.a.b.transitions.0.description", 5, 18],
    ["states.a.b.transitions.1.to", 7, 9],
    ["states.a.b.title", 9, 10],
    ["states.a.b", 9, 5],
    ["states.c.title", 11, 5],
    ["states.d", 12, 3],
    ["states.d.title", 11, 5],
    ["states.qA", 13, 3],
  ])("%s is at %i:%i", (field, line, column) => {
    expect(placeOf(field)).toEqual({ line, column });
  });

  test.each([
    ["a missing key, by its mapping", "states.a.b.transitions.1.description", 7],
    ["a missing state, by states", "states.ghost", 2],
    ["a missing root key, by the document", "instructions", 1],
    ["a path below a scalar, by the scalar", "title.x.y", 1],
  ])("%s", (_what, field, line) => {
    expect(placeOf(field)?.line).toBe(line);
  });

  test("every field of a document has the place of its own text", () => {
    const key = fc.stringMatching(/^[a-z][a-z0-9.-]{0,6}$/);
    const tree = fc.letrec((tie) => ({
      node: fc.oneof({ maxDepth: 4 }, fc.constant("leaf"), tie("mapping"), tie("list")),
      mapping: fc.dictionary(key, tie("node"), { minKeys: 1, maxKeys: 4 }),
      list: fc.array(tie("node"), { minLength: 1, maxLength: 4 }),
    })).mapping;
    fc.assert(
      fc.property(tree, (document) => {
        const written = dump(document, { flowLevel: 3 });
        const read = readYamlDocument(written);
        if (!read.ok) throw new Error(read.problem.message);
        expect(read.value).toEqual(document);
        const lines = written.split("\n");
        for (const path of pathsOf(document)) {
          if (path.some((step) => typeof step === "string" && step.includes("."))) continue;
          const { line, column } = read.placeOf(path.join("."));
          const last = path.at(-1);
          if (typeof last === "string")
            expect((lines[line - 1] ?? "").slice(column - 1)).toMatch(new RegExp(`^['"]?${last}`));
        }
      }),
    );
  });
});

function pathsOf(node: unknown, at: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof node !== "object" || node === null) return [];
  const members: [string | number, unknown][] = Array.isArray(node)
    ? node.map((item, index) => [index, item])
    : Object.entries(node);
  return members.flatMap(([step, member]) => [[...at, step], ...pathsOf(member, [...at, step])]);
}

test("any text is read or refused, never thrown at", () => {
  const yamlish = fc
    .array(
      fc.constantFrom(
        "a",
        ":",
        " ",
        "\n",
        "-",
        "  ",
        "[",
        "]",
        "{",
        "}",
        ",",
        "&a",
        "*a",
        "|",
        ">",
        "'",
        '"',
        "#",
        "!",
        "%",
        "?",
        "\t",
        "---",
        "...",
        "\\",
        "~",
        "1",
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(yamlish, fc.string({ unit: "binary" })), (text) => {
      const reading = readYamlDocument(text);
      if (!reading.ok) {
        expect(reading.problem.line).toBeGreaterThan(0);
        expect(reading.problem.column).toBeGreaterThan(0);
        return;
      }
      expect(reading.placeOf("a.0")).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
      expect(() => JSON.stringify(reading.value)).not.toThrow();
    }),
    { numRuns: 2_000 },
  );
});
