/** The acceptance cases of guards and variables (spec 02 §13). */
import { describe } from "vitest";
import { pages, type Row, testRows } from "./judge-fixture.ts";

const UNRESOLVED = "tool.unresolved-variable";
const GUARDS: Row[] = [
  ["GOV-066", pages({ q: ["ok-*"] }), "fetch_page { q: ok-1 }", "tool.allowed"],
  ["GOV-066 mismatch", pages({ q: ["ok-*"] }), "fetch_page { q: bad }", "tool.not-allowed"],
  ["GOV-067", pages({ n: ["4?"] }), "fetch_page { n: 42 }", "tool.allowed"],
  ["GOV-068", pages({ q: ["**"] }), "fetch_page {}", "tool.not-allowed"],
  ["GOV-069", pages({ "body.to.0": ["a@b.c"] }), "fetch_page { body: { to: [a@b.c] } }", "tool.allowed"],
  ["GOV-070", pages({ q: ["${{v}}"] }, { variables: { v: "*" } }), "fetch_page { q: x }", "tool.not-allowed"],
  [
    "GOV-070 itself",
    pages({ q: ["${{v}}"] }, { variables: { v: "*" } }),
    'fetch_page { q: "*" }',
    "tool.allowed",
  ],
  [
    "GOV-070 braces",
    pages({ q: ["${{v}}"] }, { variables: { v: "{x,y}" } }),
    "fetch_page { q: x }",
    "tool.not-allowed",
  ],
  [
    "GOV-070 braces itself",
    pages({ q: ["${{v}}"] }, { variables: { v: "{x,y}" } }),
    'fetch_page { q: "{x,y}" }',
    "tool.allowed",
  ],
  [
    "GOV-070 class",
    pages({ q: ["${{v}}"] }, { variables: { v: "[x]" } }),
    "fetch_page { q: x }",
    "tool.not-allowed",
  ],
  [
    "GOV-070 class itself",
    pages({ q: ["${{v}}"] }, { variables: { v: "[x]" } }),
    'fetch_page { q: "[x]" }',
    "tool.allowed",
  ],
  [
    "GOV-070 extglob",
    pages({ q: ["${{v}}"] }, { variables: { v: "!(z)" } }),
    "fetch_page { q: x }",
    "tool.not-allowed",
  ],
  [
    "GOV-070 extglob itself",
    pages({ q: ["${{v}}"] }, { variables: { v: "!(z)" } }),
    'fetch_page { q: "!(z)" }',
    "tool.allowed",
  ],
  [
    "GOV-071",
    pages({ q: ["${{o.to.-1}}"] }, { variables: { o: { to: ["a", "z"] } } }),
    "fetch_page { q: z }",
    "tool.allowed",
  ],
  ["GOV-072", pages({ q: ["${{v}}"] }), 'fetch_page { q: "${{v}}" }', UNRESOLVED, [/\$\{\{v\}\}/]],
  ["GOV-072 object", pages({ q: ["${{v}}"] }, { variables: { v: {} } }), "fetch_page { q: x }", UNRESOLVED],
  [
    "GOV-072 length",
    pages({ q: ["${{v.length}}"] }, { variables: { v: [1] } }),
    "fetch_page { q: 1 }",
    UNRESOLVED,
  ],
  ["GOV-072 index", pages({ q: ["${{v.3}}"] }, { variables: { v: [1] } }), "fetch_page { q: 1 }", UNRESOLVED],
  ["GOV-073", pages({ q: ["ok", "${{v}}"] }), "fetch_page { q: ok }", UNRESOLVED],
];

describe("guards and variables", () => testRows(GUARDS));
