import { readYamlDocument, validateDocument } from "@archmax-ai/harness/internal/document";
import { validateSpec } from "@archmax-ai/harness/spec";
import { expect, test } from "vitest";
import { readEventTriggers, validateWorkflowDocument } from "./index.ts";

const documentOf = (triggers: string): string => `
instructions: Settle it.
states:
  intake:
    triggers:
${triggers.trim().replaceAll(/^/gm, "      ")}
    transitions: [{ to: done, description: it is done }]
  done:
`;

const RECEIVED = `
invoice_received:
  session: invoice_id
  requires: [{ name: invoice_id, type: string }, { name: amount, type: number }, trigger]
  eventbridge:
    pattern: { source: [erp.invoices], detail-type: [InvoiceReceived] }
    variables: { invoice_id: $.detail.id, amount: $.detail.amount }
    message: $.detail.note
monday_report:
  schedule: { cron: "0 9 ? * MON *", timezone: Europe/Berlin }
daily:
  description: Twice a source.
  eventbridge: { pattern: { source: [clock] } }
  schedule: { rate: 1 day }
manual:
`;

function read(text: string) {
  const reading = readYamlDocument(text);
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading;
}

const found = (triggers: string) =>
  readEventTriggers(read(documentOf(triggers)).value).diagnostics.map(
    ({ severity, field, message }) =>
      `${severity} ${field?.replace("states.intake.triggers.", "")}: ${message}`,
  );

test("both blocks are read from a document and from the spec made of it", () => {
  const { value } = read(documentOf(RECEIVED));
  const { triggers, diagnostics } = readEventTriggers(value);
  expect(diagnostics).toEqual([]);
  expect(triggers).toEqual([
    {
      id: "invoice_received",
      entry: "intake",
      eventbridge: {
        pattern: { source: ["erp.invoices"], "detail-type": ["InvoiceReceived"] },
        variables: { invoice_id: "$.detail.id", amount: "$.detail.amount" },
        message: "$.detail.note",
      },
    },
    {
      id: "monday_report",
      entry: "intake",
      schedule: {
        kind: "cron",
        expression: "cron(0 9 ? * MON *)",
        timezone: "Europe/Berlin",
        fields: expect.objectContaining({ hours: [{ kind: "range", from: 9, to: 9, step: 1 }] }),
      },
    },
    {
      id: "daily",
      entry: "intake",
      eventbridge: { pattern: { source: ["clock"] }, variables: {} },
      schedule: { kind: "rate", expression: "rate(1 day)", intervalMs: 86_400_000 },
    },
  ]);
  expect(readEventTriggers(validateSpec(value).spec)).toEqual({ triggers, diagnostics });
});

test.each<[string, string, string[]]>([
  ["a block that is none", "t: { eventbridge: }", ["error t.eventbridge: it must be a mapping, not null"]],
  [
    "misspelt keys",
    "t: { eventbridge: { patern: { source: [a] }, mesage: $.a } }",
    [
      "error t.eventbridge.pattern: pattern is missing; it must be a mapping",
      'error t.eventbridge: unknown keys "patern" (did you mean "pattern"?), "mesage" (did you mean "message"?); it may have pattern, variables, message',
    ],
  ],
  [
    "a misspelt key of a schedule",
    "t: { schedule: { cron: 0 9 ? * MON *, timezon: UTC } }",
    ['error t.schedule: unknown key "timezon" (did you mean "timezone"?); it may have cron, rate, timezone'],
  ],
  [
    "a pattern's error, at its place in the pattern",
    "t: { eventbridge: { pattern: { detail: { amount: [1, { numeric: [5] }] } } } }",
    [
      'error t.eventbridge.pattern.detail.amount.1: numeric is a list such as [">", 0] or [">=", 0, "<", 100]',
    ],
  ],
  [
    "a path that is none",
    "t: { eventbridge: { pattern: { source: [a] }, variables: { x: detail.id }, message: $..m } }",
    [
      'error t.eventbridge.variables.x: the path "detail.id" does not start with $, the event',
      'error t.eventbridge.message: the path "$..m" searches descendants (..): a mapping takes names, indices, slices and wildcards, one in each bracket',
    ],
  ],
  [
    "names that no variable can have",
    "t: { eventbridge: { pattern: { source: [a] }, variables: { Id: $.id, trigger: $.id } } }",
    [
      'error t.eventbridge.variables.Id: "Id" is no variable\'s name: lower-case letters, digits and underscores, a letter first',
      'error t.eventbridge.variables.trigger: "trigger" holds the id of the trigger and cannot be mapped',
    ],
  ],
  [
    "a required name that is not mapped",
    "t: { requires: [invoice_id], eventbridge: { pattern: { source: [a] }, variables: { invoice_ids: $.id } } }",
    [
      'error t.eventbridge.variables: the trigger requires "invoice_id", and no variable of that name is mapped (did you mean "invoice_ids"?)',
    ],
  ],
  [
    "paths of the trigger that find nothing",
    "t: { session: order.id, message: note, eventbridge: { pattern: { source: [a] } } }",
    [
      'warning t.eventbridge.variables: the trigger\'s session is read from "order", which no variable maps',
      'warning t.eventbridge.variables: the trigger\'s message is read from "note", which no variable maps',
    ],
  ],
  [
    "a message that is never read",
    "t: { message: false, eventbridge: { pattern: { source: [a] }, message: $.m } }",
    ["warning t.eventbridge.message: it is never read: the trigger's message is false"],
  ],
  [
    "a schedule of a trigger that requires variables",
    "t: { requires: [x], schedule: { rate: 1 day } }",
    ['error t.schedule: a schedule brings no variables, and the trigger requires "x"'],
  ],
  [
    "a schedule with a session path",
    "t: { session: x, schedule: { rate: 1 day } }",
    ["warning t.schedule: a schedule brings no variables: its firings find no session path's value"],
  ],
  ["a schedule of neither", "t: { schedule: {} }", ["error t.schedule: a schedule has either cron or rate"]],
  [
    "a schedule of both",
    "t: { schedule: { cron: 0 9 ? * MON *, rate: 1 day } }",
    ["error t.schedule: a schedule has either cron or rate"],
  ],
  [
    "an expression that is none",
    "t: { schedule: { cron: 0 9 * * MON * } }",
    [
      'error t.schedule.cron: the expression "0 9 * * MON *" sets day-of-month and day-of-week; write ? in one of them',
    ],
  ],
  [
    "a rate that is none",
    "t: { schedule: { rate: 2 day } }",
    ['error t.schedule.rate: the rate "2 day" has to be written "2 days"'],
  ],
  [
    "a zone that is none",
    "t: { schedule: { cron: 0 9 ? * MON *, timezone: Europe/Berln } }",
    ['error t.schedule.timezone: there is no IANA time zone "Europe/Berln" (did you mean "Europe/Berlin"?)'],
  ],
  [
    "a zone beside a rate",
    "t: { schedule: { rate: 1 day, timezone: UTC } }",
    ["error t.schedule.timezone: a rate has no time zone: it counts from when it was deployed"],
  ],
])("%s", (_what, triggers, findings) => {
  expect(found(triggers)).toEqual(findings);
});

test("a block with an error is left out, its neighbours are not", () => {
  const { triggers } = readEventTriggers(
    read(
      documentOf(`
both: { eventbridge: { pattern: {} }, schedule: { rate: 1 day } }
broken: { schedule: { rate: 1 days } }
warned: { message: note, eventbridge: { pattern: { source: [a] } } }
`),
    ).value,
  );
  expect(triggers.map(({ id, ...blocks }) => [id, "eventbridge" in blocks, "schedule" in blocks])).toEqual([
    ["both", false, true],
    ["warned", true, false],
  ]);
});

test.each([
  null,
  5,
  "x",
  [],
  {},
  { states: null },
  { states: { a: null } },
  { states: { a: { triggers: [] } } },
])("%j is read without a throw", (document) =>
  expect(readEventTriggers(document)).toEqual({ triggers: [], diagnostics: [] }),
);

test("validating drops the language's lint for the two keys alone and keeps the blocks in the spec", () => {
  const text = documentOf(`${RECEIVED}\nodd: { piece: 1, schedule: { rate: 1 days } }`);
  const language = validateDocument(read(text));
  expect(language.lint.map(({ message }) => message)).toEqual(
    ["eventbridge", "schedule", "eventbridge", "schedule", "piece", "schedule"].map((key) =>
      expect.stringContaining(`"${key}"`),
    ),
  );
  const { ok, lint, diagnostics, spec, schema } = validateWorkflowDocument(read(text));
  expect(lint).toEqual([
    expect.objectContaining({ message: expect.stringContaining('"piece"') }),
    {
      severity: "error",
      field: "states.intake.triggers.odd.schedule.rate",
      message: 'the rate "1 days" has to be written "1 day"',
      line: 21,
      column: 36,
    },
  ]);
  expect({ ok, schema, diagnostics }).toEqual({ ok: true, schema: [], diagnostics: lint });
  expect(JSON.stringify(spec)).toBe(JSON.stringify(language.spec));
});

test("a document whose shape is wrong is told its errors beside the kit's own", () => {
  const text = documentOf("t: { entry: x, schedule: { rate: 1 days } }");
  const { ok, diagnostics, spec } = validateWorkflowDocument(read(text));
  expect({ ok, spec }).toEqual({ ok: false, spec: undefined });
  expect(diagnostics.map(({ field }) => field)).toEqual([
    "states.intake.triggers.t.entry",
    "states.intake.triggers.t.schedule.rate",
  ]);
});

test("a state and a trigger named like an object's own machinery are states and triggers", () => {
  const text = `
instructions: x
states:
  __proto__:
    triggers: { constructor: { schedule: { rate: 1 day } } }
    transitions: []
`;
  const { spec } = validateWorkflowDocument(read(text));
  expect(JSON.stringify(spec)).toBe(JSON.stringify(validateDocument(read(text)).spec));
});

test("a document with thousands of paths is told of the first too many alone", () => {
  const variables = Array.from({ length: 1_500 }, (_, at) => `v${at}: no-path`).join(", ");
  const { diagnostics } = readEventTriggers(
    read(documentOf(`t: { eventbridge: { pattern: { source: [a] }, variables: { ${variables} } } }`)).value,
  );
  expect(diagnostics).toHaveLength(501);
  expect(diagnostics.at(-1)?.message).toContain("at most 500 paths");
});

test("a document with hundreds of event triggers is read up to the most a bus takes", () => {
  const many = Array.from({ length: 400 }, (_, at) => `t${at}: { schedule: { rate: 1 day } }`).join("\n");
  const { triggers, diagnostics } = readEventTriggers(read(documentOf(many)).value);
  expect(triggers).toHaveLength(300);
  expect(diagnostics.map(({ field }) => field)).toEqual(["states.intake.triggers.t300.schedule"]);
});
